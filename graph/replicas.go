package graph

import (
	"context"
	"net/http"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"ticketgate/domain"
)

// Positions are those that the browser keeps of its last change, so that a replica answers it only once it has that change.
type Positions interface {
	// Current returns a signed text of the position that has everything committed before.
	Current(ctx context.Context) (string, error)
	// Read returns the position in a text that Current signed.
	Read(text string) (domain.Position, bool)
}

// Replicas is the extension by which replicas answer browsers.
func Replicas(positions Positions) graphql.HandlerExtension { return &replicas{positions} }

// replicas has a replica answer a browser's documents whose root fields all may lag, and gives the browser the position of its changes.
// Programs have no cookie: the primary answers them.
type replicas struct{ positions Positions }

var _ interface {
	graphql.HandlerExtension
	graphql.OperationInterceptor
} = &replicas{}

// ExtensionName names the extension to gqlgen.
func (*replicas) ExtensionName() string { return "Replicas" }

// Validate takes any schema.
func (*replicas) Validate(graphql.ExecutableSchema) error { return nil }

// InterceptOperation decides who answers a document, and notes the position after a mutation.
func (r *replicas) InterceptOperation(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	cookie, ok := ctx.Value(sessionCookieKey{}).(*sessionCookie)
	if !ok {
		return next(ctx)
	}
	operation := graphql.GetOperationContext(ctx)
	if operation.Operation.Operation == ast.Mutation {
		responses := next(ctx)
		return func(ctx context.Context) *graphql.Response {
			response := responses(ctx)
			r.keep(ctx, cookie)
			return response
		}
	}
	if at, ok := r.positions.Read(cookie.position); ok && mayLag(operation) {
		ctx = domain.FromReplica(ctx, at)
	}
	return next(ctx)
}

// mayLag reports whether a replica may answer all root fields of a document.
func mayLag(operation *graphql.OperationContext) bool {
	for _, field := range graphql.CollectFields(operation, operation.Operation.SelectionSet, nil) {
		if field.Name != "__typename" && !domain.MayLag(domain.Operation(field.Name)) {
			return false
		}
	}
	return true
}

// positionBound is how long the primary may take to say its position.
const positionBound = time.Second

// keep gives the browser the position after its change. Without one it gives up the old one, and only the primary answers it.
func (r *replicas) keep(ctx context.Context, cookie *sessionCookie) {
	if !cookie.used {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), positionBound)
	defer cancel()
	value, err := r.positions.Current(ctx)
	if err != nil {
		cookie.setPosition("", -1)
		return
	}
	cookie.setPosition(value, 0)
}

// positionName ends the name of the cookie with the position.
const positionName = "ticketgate-position"

func (c *sessionCookie) setPosition(value string, maxAge int) {
	http.SetCookie(c.w, &http.Cookie{ //nolint:gosec // Secure is set wherever TLS is
		Name: c.prefix() + positionName, Value: value, Path: "/", MaxAge: maxAge,
		Secure: c.secure, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}
