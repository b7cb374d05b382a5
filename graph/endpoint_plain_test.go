package graph_test

import (
	"context"
	"testing"

	"github.com/99designs/gqlgen/graphql"

	"ticketgate/domain"
	"ticketgate/graph/plain"
)

// look is an extension that records whether objects are written plainly.
type look struct{ plainly *bool }

func (look) ExtensionName() string                   { return "Look" }
func (look) Validate(graphql.ExecutableSchema) error { return nil }

func (l look) InterceptOperation(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	*l.plainly = plain.IsEnabled(graphql.GetOperationContext(ctx))
	return next(ctx)
}

// lookAtFields must also be called for each field.
type lookAtFields struct{ look }

func (lookAtFields) InterceptField(ctx context.Context, next graphql.Resolver) (any, error) {
	return next(ctx)
}

// An extension that needs to see each field sees all of them, because objects aren't written plainly then.
func TestPlainObjectsRunFieldExtensions(t *testing.T) {
	t.Parallel()
	var plainly bool
	for _, test := range []struct {
		extension graphql.HandlerExtension
		want      bool
	}{{look{&plainly}, true}, {lookAtFields{look{&plainly}}, false}} {
		s := serve(t, domain.UserActor, test.extension)
		if s.ask(t, `{ me { _id } }`); plainly != test.want {
			t.Errorf("%T: objects are written plainly: %t, want %t", test.extension, plainly, test.want)
		}
	}
}
