package graph

import (
	"context"
	"net/http"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"ticketgate/domain"
)

// Positions signs and reads the position of a browser's last change. A replica serves the browser only after it has
// replayed that position.
type Positions interface {
	// Current returns a signed text of a position that includes everything committed before.
	Current(ctx context.Context) (string, error)
	// Read returns the position from a text that Current signed.
	Read(text string) (domain.Position, bool)
}

// Replicas returns the extension that lets replicas serve browsers.
func Replicas(positions Positions) graphql.HandlerExtension { return &replicas{positions} }

// replicas sends a browser's document to a replica if all of its root fields tolerate lag, and stores the position of
// its changes in a cookie. Programs keep no cookies, so the primary serves them.
type replicas struct{ positions Positions }

var _ interface {
	graphql.HandlerExtension
	graphql.OperationInterceptor
} = &replicas{}

// ExtensionName returns the extension's name for gqlgen.
func (*replicas) ExtensionName() string { return "Replicas" }

// Validate accepts any schema.
func (*replicas) Validate(graphql.ExecutableSchema) error { return nil }

// InterceptOperation chooses the server for a document, and stores the position after a mutation.
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

// mayLag reports whether all root fields of a document tolerate a replica's lag.
func mayLag(operation *graphql.OperationContext) bool {
	for _, field := range graphql.CollectFields(operation, operation.Operation.SelectionSet, nil) {
		if field.Name != "__typename" && !domain.MayLag(domain.Operation(field.Name)) {
			return false
		}
	}
	return true
}

// positionBound is the time limit for reading the primary's position.
const positionBound = time.Second

// keep stores the position after the browser's change. If the position can't be read, it removes the stored one, so that
// only the primary serves the browser.
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

// positionName is the end of the name of the cookie that holds the position.
const positionName = "ticketgate-position"

func (c *sessionCookie) setPosition(value string, maxAge int) {
	http.SetCookie(c.w, &http.Cookie{ //nolint:gosec // Secure is set wherever TLS is
		Name: c.prefix() + positionName, Value: value, Path: "/", MaxAge: maxAge,
		Secure: c.secure, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}
