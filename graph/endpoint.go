package graph

import (
	"context"
	"log/slog"
	"net/http"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"ticketgate/domain"
	"ticketgate/graph/edge"
)

// Options configures an Endpoint.
type Options struct {
	// Log receives details that callers don't see: the cause of each internal error or panic, once.
	Log     *slog.Logger
	Streams StreamBounds
	// Extensions run after the limits, so they see only operations that passed them.
	Extensions []graphql.HandlerExtension
}

// Endpoint serves POST /graphql. The request's context must have the caller (domain.WithActor). Requests with bad
// credentials go to Refuse, so that all errors have one format.
type Endpoint struct {
	transport *postTransport
	streams   *streams
	// explaining suggests names of the schema to callers who may see it. terse serves all others. In gqlgen, this is a
	// setting of the server.
	explaining, terse *handler.Server
}

// NewEndpoint returns an endpoint for a schema.
func NewEndpoint(schema graphql.ExecutableSchema, options Options) *Endpoint {
	e := &Endpoint{
		transport: &postTransport{
			presenter: presenter{log: options.Log}, documents: newDocuments(documentMemory), schema: schema.Schema(),
		},
		streams: newStreams(options.Streams),
	}
	e.explaining = e.newServer(schema, explainingRules, options.Extensions)
	e.terse = e.newServer(schema, terseRules, options.Extensions)
	e.terse.SetDisableSuggestion(true)
	return e
}

// newServer returns a server with the transports and limits of this package. The servers share the cache of parsed
// documents.
func (e *Endpoint) newServer(
	schema graphql.ExecutableSchema, rules func() *rules.Rules, extensions []graphql.HandlerExtension,
) *handler.Server {
	server := handler.New(schema)
	server.AddTransport(&streamTransport{e.transport, e.streams})
	server.AddTransport(e.transport)
	server.SetParserTokenLimit(edge.MaxTokens)
	server.SetValidationRulesFn(rules)
	server.SetQueryCache(e.transport.documents)
	server.SetErrorPresenter(e.transport.presenter.present)
	server.SetRecoverFunc(recovered)
	server.Use(&limits{presenter: e.transport.presenter, seesFields: slices.ContainsFunc(extensions, seesFields)})
	server.AroundResponses(func(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
		return next(withLevels(ctx))
	})
	for _, extension := range extensions {
		server.Use(extension)
	}
	return server
}

// seesFields reports whether an extension must be called for each field.
func seesFields(extension graphql.HandlerExtension) bool {
	_, is := extension.(graphql.FieldInterceptor)
	return is
}

// ServeHTTP executes a document.
func (e *Endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	server := e.terse
	if mayLearnSchema(r.Context()) {
		server = e.explaining
	}
	server.ServeHTTP(w, r)
}

// Refuse responds with an error in GraphQL's format and with the status that REST uses.
func (e *Endpoint) Refuse(w http.ResponseWriter, r *http.Request, err error) {
	e.transport.presenter.refuse(w, r, err)
}

// EndStreams ends all subscriptions, so that a stopping server need not wait for them. Their clients reconnect to
// another server.
func (e *Endpoint) EndStreams() { e.streams.end.Do(func() { close(e.streams.ending) }) }

// mayLearnSchema reports whether the caller gets introspection and suggestions. Only sessions and the system token do.
func mayLearnSchema(ctx context.Context) bool {
	kind := domain.ActorOf(ctx).Kind
	return kind == domain.UserActor || kind == domain.SystemActor
}
