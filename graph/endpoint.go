package graph

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/executor"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"ticketgate/domain"
	"ticketgate/graph/edge"
)

// Options says what an Endpoint is made of besides the schema.
type Options struct {
	// Log gets what callers don't see: causes of internal errors and panics, once each.
	Log *slog.Logger
	// LargeInputs names the root fields that take bodies of up to 16 MiB (decisions 1.7).
	LargeInputs []string
	// LongWork names the root fields that have no deadline of a request.
	LongWork []string
	// Sharing names the root fields that may wait for their seller's share.
	Sharing []string
	Streams StreamBounds
	// Extensions run inside the limits: what they see has already been found affordable.
	Extensions []graphql.HandlerExtension
}

// Endpoint answers POST /graphql. Who is calling is found out before and stands in the request's context
// (domain.WithActor); whoever finds it out refuses bad credentials through Refuse, so that every error here has one shape.
type Endpoint struct {
	presenter   presenter
	schema      *ast.Schema
	documents   *documents
	largeInputs []string
	longWork    []string
	sharing     []string
	streams     *streams
	// terse serves callers who must not learn the schema, explaining those who may (decisions 2.2, hardening G10).
	// gqlgen fixes that choice per executor, so there are two; they share their documents.
	terse, explaining *executor.Executor
}

// NewEndpoint joins a schema with the limits of this package.
func NewEndpoint(schema graphql.ExecutableSchema, options Options) *Endpoint {
	endpoint := &Endpoint{
		presenter: presenter{log: options.Log}, largeInputs: options.LargeInputs, longWork: options.LongWork, sharing: options.Sharing,
		streams: newStreams(options.Streams), schema: schema.Schema(), documents: newDocuments(documentMemory),
	}
	endpoint.terse = endpoint.newExecutor(schema, options.Extensions)
	endpoint.terse.SetDisableSuggestion(true)
	endpoint.terse.SetDefaultRulesFn(terseRules)
	endpoint.explaining = endpoint.newExecutor(schema, options.Extensions)
	endpoint.explaining.SetDefaultRulesFn(explainingRules)
	return endpoint
}

// newExecutor sets what gqlgen leaves open by default: any number of tokens, and its own words for errors.
func (e *Endpoint) newExecutor(schema graphql.ExecutableSchema, extensions []graphql.HandlerExtension) *executor.Executor {
	made := executor.New(schema)
	made.SetParserTokenLimit(maxTokens)
	made.SetQueryCache(e.documents)
	made.SetErrorPresenter(e.presenter.present)
	made.SetRecoverFunc(recovered)
	made.Use(&limits{})
	for _, extension := range extensions {
		made.Use(extension)
	}
	return made
}

// ServeHTTP responds with 200 if the document was executed and with refusedStatus if it was refused before; what is wrong
// with the request around it has the status that REST gives.
func (e *Endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer e.refuseAfterPanic(w, r)
	if err := checkHead(r); err != nil {
		e.Refuse(w, r, err)
		return
	}
	asked, err := readRequest(r, e.bodyLimit(r.Context()))
	if err != nil {
		e.Refuse(w, r, err)
		return
	}
	asked.params.Variables = variablesOf(asked.variables, e.schema, e.documents.variables(r.Context(), &asked.params))
	e.run(w, r.WithContext(withLevels(graphql.StartOperationTrace(r.Context()))), asked)
}

// refuseAfterPanic is deferred: a mistake of ours costs one answer, not the process.
func (e *Endpoint) refuseAfterPanic(w http.ResponseWriter, r *http.Request) {
	if value := recover(); value != nil {
		e.Refuse(w, r, recovered(r.Context(), value))
	}
}

// run executes the document, or answers why not.
func (e *Endpoint) run(w http.ResponseWriter, r *http.Request, asked *request) {
	exec := e.terse
	if mayLearnSchema(r.Context()) {
		exec = e.explaining
	}
	operation, refusals := exec.CreateOperationContext(r.Context(), &asked.params)
	ctx := graphql.WithOperationContext(r.Context(), operation)
	if len(refusals) > 0 {
		if operation.Doc != nil && operation.Operation == nil {
			refusals = gqlerror.List{unnamed(operation.Doc)}
		}
		// Only the first few are presented: the rest would be work for nobody.
		shown := exec.DispatchError(ctx, refusals[:min(len(refusals), maxErrors)])
		media := mediaOf(r.Header)
		writeAnswer(w, media, refusedStatus(media, shown), shown, len(refusals)-len(shown.Errors))
		return
	}
	// The operation could be anything until here, so a large body was read on trust in the credential alone.
	if asked.size > edge.MaxBody && !e.takesLargeInput(operation.Operation) {
		e.Refuse(w, r, edge.TooLarge(edge.MaxBody))
		return
	}
	if operation.Operation.Operation == ast.Subscription {
		e.stream(w, r.WithContext(ctx), exec, operation)
		return
	}
	ctx, cancel := e.patiently(ctx, w, operation.Operation)
	defer cancel()
	if cost, ok := operation.Stats.GetExtension(costExtension).(Cost); ok {
		if err := edge.HoldRead(ctx, int(cost.objects)); err != nil {
			e.Refuse(w, r, err)
			return
		}
	}
	responses, ctx := exec.DispatchOperation(ctx, operation)
	e.answer(ctx, w, r, responses(ctx))
}

// answer writes the one response of a document that was executed.
func (e *Endpoint) answer(ctx context.Context, w http.ResponseWriter, r *http.Request, response *graphql.Response) {
	if response == nil {
		// gqlgen gives nothing when the request's time is over.
		e.Refuse(w, r, domain.Unavailable(context.Cause(ctx)))
		return
	}
	response.Errors = oncePerField(response.Errors)
	// Each error was presented and logged already; only the answer is cut.
	omitted := max(0, len(response.Errors)-maxErrors)
	response.Errors = response.Errors[:len(response.Errors)-omitted]
	writeAnswer(w, mediaOf(r.Header), executedStatus(w.Header(), response), response, omitted)
}

// unnamed says which operations a document has, where operationName names none of them: gqlgen's words name what was asked
// for, even if that is nothing.
func unnamed(document *ast.QueryDocument) *gqlerror.Error {
	names := make([]string, len(document.Operations))
	for i, operation := range document.Operations {
		names[i] = operation.Name
	}
	refused := domain.Invalid("operationName", "must name one of the document's operations: "+strings.Join(names, ", "))
	refused.Code = domain.CodeInvalidRequest
	return gqlerror.Wrap(refused)
}

// executedStatus is 200, unless nothing of what was asked for could be done now: then status and Retry-After are REST's, which
// clients and proxies know to wait for (GRAPH-3).
func executedStatus(header http.Header, response *graphql.Response) int {
	var longest int64
	for _, failed := range response.Errors {
		wait, waits := failed.Extensions["retryAfter"].(int64)
		if !waits {
			return http.StatusOK
		}
		longest = max(longest, wait)
	}
	if len(response.Errors) == 0 || !isEmpty(response.Data) {
		return http.StatusOK
	}
	header.Set("Retry-After", strconv.FormatInt(longest, 10))
	code, _ := response.Errors[0].Extensions["code"].(string)
	return edge.StatusOf(domain.Code(code))
}

// isEmpty reports whether every root field of an answer's data is null.
func isEmpty(data json.RawMessage) bool {
	var fields map[string]any
	if len(data) > 0 && json.Unmarshal(data, &fields) != nil {
		return false
	}
	for _, value := range fields {
		if value != nil {
			return false
		}
	}
	return true
}

// refusedStatus is the status of a document that was not executed. GraphQL over HTTP wants a client error in its own media
// type; clients of application/json know 422 (EDGE-6).
func refusedStatus(media string, response *graphql.Response) int {
	if media != responseMedia || len(response.Errors) == 0 {
		return http.StatusUnprocessableEntity
	}
	code, _ := response.Errors[0].Extensions["code"].(string)
	return edge.StatusOf(domain.Code(code))
}

// Refuse answers with an error before any document was looked at, in GraphQL's shape and with REST's status.
func (e *Endpoint) Refuse(w http.ResponseWriter, r *http.Request, err error) {
	shown := e.presenter.known(r.Context(), err)
	status := edge.StatusOf(shown.Code)
	edge.SetRetryAfter(w.Header(), shown)
	if status == http.StatusMethodNotAllowed && w.Header().Get("Allow") == "" {
		w.Header().Set("Allow", http.MethodPost)
	}
	answer := &graphql.Response{Errors: gqlerror.List{e.presenter.present(r.Context(), shown)}}
	writeAnswer(w, mediaOf(r.Header), status, answer, 0)
}

// checkHead refuses what can be told from the request's head. Forms, multipart and text are what a foreign page can
// send with a user's cookie and no preflight, so only JSON passes (hardening G14).
func checkHead(r *http.Request) error {
	if r.Method != http.MethodPost {
		return domain.NewError(domain.CodeMethodNotAllowed, "GraphQL takes POST only")
	}
	if !edge.IsJSON(r.Header) {
		return domain.NewError(domain.CodeUnsupportedMediaType,
			"Send the request as uncompressed application/json in UTF-8")
	}
	return nil
}

// bodyLimit lets only callers who may import make the server hold a large body: which operation it is for can be seen only
// after it was read (LIMIT-16).
func (e *Endpoint) bodyLimit(ctx context.Context) int64 {
	for _, field := range e.largeInputs {
		if domain.MayAnywhere(ctx, domain.Operation(field)) {
			return maxLargeBody
		}
	}
	return edge.MaxBody
}

// takesLargeInput tells whether the operation has nothing but root fields that take large bodies.
func (e *Endpoint) takesLargeInput(operation *ast.OperationDefinition) bool {
	for _, selection := range operation.SelectionSet {
		field, ok := selection.(*ast.Field)
		if !ok || !slices.Contains(e.largeInputs, field.Name) {
			return false
		}
	}
	return true
}

// mayLearnSchema tells who gets introspection and suggestions: sessions and the system token only.
func mayLearnSchema(ctx context.Context) bool {
	kind := domain.ActorOf(ctx).Kind
	return kind == domain.UserActor || kind == domain.SystemActor
}
