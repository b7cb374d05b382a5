package graph

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/99designs/gqlgen/graphql"

	"ticketgate/domain"
	"ticketgate/domain/apikey"
	"ticketgate/graph/edge"
	"ticketgate/graph/generated"
)

// Handler serves /graphql. It authenticates the caller, checks the request's origin and executes the document.
type Handler struct {
	endpoint      *Endpoint
	authenticator edge.Authenticator
	secure        bool
	crossOrigin   *http.CrossOriginProtection
}

// NewHandler returns a handler for the schema. With secure set, the session cookie is sent over TLS only.
func NewHandler(
	resolver *Resolver, authenticator edge.Authenticator, log *slog.Logger, secure bool, streams StreamBounds,
	extensions ...graphql.HandlerExtension,
) *Handler {
	schema := generated.NewExecutableSchema(generated.Config{Schema: publicSchema(), Resolvers: resolver})
	return &Handler{
		endpoint:      NewEndpoint(schema, Options{Log: log, Streams: streams, Extensions: extensions}),
		authenticator: authenticator,
		secure:        secure,
		crossOrigin:   http.NewCrossOriginProtection(),
	}
}

// ServeHTTP authenticates the call, then executes its document or serves the schema.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	known, err := h.authenticate(w, r)
	switch {
	case err != nil:
		h.endpoint.Refuse(w, r, err)
	case r.URL.Path == SchemaPath:
		h.serveSchema(w, known)
	default:
		h.endpoint.ServeHTTP(w, known)
	}
}

// authenticate returns the request with its caller in the context.
func (h *Handler) authenticate(w http.ResponseWriter, r *http.Request) (*http.Request, error) {
	cookie := newSessionCookie(w, h.secure || r.TLS != nil)
	credentials := edge.CredentialsOf(r, true)
	credentials.SessionCookie = cookie.sent(r)
	if err := h.checkOrigin(r, credentials); err != nil {
		return nil, err
	}
	actor, err := h.authenticator.Authenticate(r.Context(), credentials)
	if err != nil {
		if credentials.SessionCookie != "" && domain.HasCode(err, domain.CodeUnauthenticated) {
			cookie.clear() // otherwise the browser could not sign in again
		}
		return nil, err
	}
	call := domain.CallOf(r.Context())
	call.PlaceTokens = cookie.placeTokens(r)
	call.Again = func(ctx context.Context) (*domain.Actor, error) {
		watching := credentials
		watching.Watching = true
		return h.authenticator.Authenticate(ctx, watching)
	}
	ctx := domain.WithCall(domain.WithActor(r.Context(), actor), call)
	return r.WithContext(context.WithValue(ctx, sessionCookieKey{}, cookie)), nil
}

// EndStreams ends all subscriptions, see Endpoint.EndStreams.
func (h *Handler) EndStreams() { h.endpoint.EndStreams() }

// checkOrigin refuses requests that another site makes a browser send. Callers that send their credential explicitly are
// exempt (GRAPH-21).
func (h *Handler) checkOrigin(r *http.Request, credentials apikey.Credentials) error {
	if len(credentials.Bearer) > 0 || len(credentials.DeviceTokens) > 0 {
		return nil
	}
	if err := h.crossOrigin.Check(r); err != nil {
		return domain.NewError(domain.CodeCrossOrigin, "Requests from another origin are not allowed")
	}
	return nil
}
