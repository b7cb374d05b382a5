package rest

import (
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"github.com/gorilla/mux"

	"ticketgate/domain"
	"ticketgate/domain/apikey"
	"ticketgate/graph/edge"
)

// Router serves the documented paths.
type Router struct {
	routes        []Route
	authenticator edge.Authenticator
	idempotency   edge.IdempotencyStore
	origins       Origins
	log           *slog.Logger
	documented    []documentedPath
}

// openAPIPath is the path of the OpenAPI document, which is not in the table of routes.
const openAPIPath = "/api/openapi.json"

// NewRouter returns the handler for all paths below /api.
func NewRouter(services Services, authenticator edge.Authenticator, store edge.IdempotencyStore, log *slog.Logger) http.Handler {
	router := &Router{
		routes: routes(services), authenticator: authenticator, idempotency: store, origins: services.Origins, log: log,
	}
	paths := newShapes(router.unrouted)
	for _, route := range router.routes {
		paths.route(route.Path, methodsFor(route.Method)...).Handler(router.serve(route))
	}
	for template, methods := range methodsOf(router.routes) {
		if shared(template) {
			paths.route(template, http.MethodOptions).Handler(router.preflight(template, methods))
		}
	}
	paths.route(openAPIPath, methodsFor(http.MethodGet)...).Handler(edge.WithRoute(openAPIPath, http.HandlerFunc(serveOpenAPI)))
	router.documented = pathsOf(router.routes)
	return plainPath(paths)
}

// serve returns the handler of a route: it authenticates, authorizes and calls the endpoint.
func (router *Router) serve(route Route) http.Handler {
	answer := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := router.respond(route, r)
		if err != nil {
			edge.WriteError(w, r, router.log, err)
			return
		}
		if record, ok := body.(tagged); ok {
			w.Header().Set("ETag", record.tag)
			body = record.body
		}
		edge.WriteJSON(w, route.Status, body)
	})
	handler := edge.WithTimeout(answer, edge.OrdinaryBound)
	switch {
	case slices.Contains(domain.LongOperations(), route.Operation):
		handler = patiently(answer)
	case slices.Contains(domain.SharingOperations(), route.Operation):
		handler = patiently(edge.WithTimeout(answer, edge.SharingBound))
	case shared(route.Path):
		handler = edge.WithTimeout(router.fromPages(answer), edge.OrdinaryBound)
	}
	return edge.WithRoute(route.Path, edge.WithOperation(route.Operation, handler))
}

func (router *Router) respond(route Route, r *http.Request) (any, error) {
	actor, err := router.authenticator.Authenticate(r.Context(), credentials(r, route.Operation))
	if err != nil {
		return nil, err
	}
	ctx := domain.WithActor(r.Context(), actor)
	if err := domain.MayCall(ctx, route.Operation); err != nil {
		return nil, err
	}
	if route.Method == http.MethodPut || route.Method == http.MethodDelete {
		if ctx, err = withIfMatch(ctx, r.Header); err != nil {
			return nil, err
		}
	}
	return router.once(route, r.WithContext(ctx))
}

// credentials returns the credentials of a request. REST ignores cookies (KEY-5). For operations that devices may call,
// the header token takes precedence over a Bearer header.
func credentials(r *http.Request, op domain.Operation) apikey.Credentials {
	rule := domain.RuleOf(op)
	sent := edge.CredentialsOf(r, rule.Device)
	if rule.OnlyDevices() {
		sent.Bearer = nil
	}
	return sent
}

// once handles a POST with an Idempotency-Key at most once. Files are exempt: they are not read twice, and staging one
// twice does no harm.
func (router *Router) once(route Route, r *http.Request) (any, error) {
	if route.Method != http.MethodPost || route.Operation == domain.PreviewEntryImport {
		return route.endpoint(r)
	}
	return edge.Once(r, router.idempotency, route.endpoint)
}

// methodsFor returns the methods of a route. GET routes also serve HEAD, for which net/http omits the body (EDGE-7).
func methodsFor(method string) []string {
	if method == http.MethodGet {
		return []string{http.MethodGet, http.MethodHead}
	}
	return []string{method}
}

// documentedPath is a path with its methods.
type documentedPath struct {
	path    pattern
	methods []string
}

// methodsOf returns the methods of each path.
func methodsOf(routes []Route) map[string][]string {
	methods := map[string][]string{}
	for _, route := range routes {
		methods[route.Path] = append(methods[route.Path], route.Method)
	}
	return methods
}

func pathsOf(routes []Route) []documentedPath {
	methods := methodsOf(routes)
	methods[openAPIPath] = []string{http.MethodGet}
	documented := make([]documentedPath, 0, len(methods))
	for path, listed := range methods {
		methods := make([]string, 0, 2*len(listed))
		for _, method := range listed {
			methods = append(methods, methodsFor(method)...)
		}
		documented = append(documented, documentedPath{path: patternOf(path), methods: methods})
	}
	return documented
}

// unrouted responds to a request without a route: 405 with the allowed methods if the path exists, otherwise 404.
func (router *Router) unrouted(w http.ResponseWriter, r *http.Request) {
	var methods []string
	for _, documented := range router.documented {
		if documented.path.match(r, &mux.RouteMatch{}) {
			methods = append(methods, documented.methods...)
		}
	}
	if len(methods) == 0 {
		edge.WriteError(w, r, router.log, domain.NewError(domain.CodeNotFound, "Path not found"))
		return
	}
	slices.Sort(methods)
	allowed := strings.Join(slices.Compact(methods), ", ")
	w.Header().Set("Allow", allowed)
	edge.WriteError(w, r, router.log, domain.NewError(domain.CodeMethodNotAllowed, "This path accepts only "+allowed))
}
