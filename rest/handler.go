package rest

import (
	"context"
	"net/http"
	"reflect"

	"ticketgate/domain"
)

// endpoint reads a request, does what it asks for and returns the status and the body to answer with.
type endpoint func(r *http.Request) (status int, body any, err error)

// docs is a page of a list as this layer answers it.
type docs[T any] struct {
	Docs  []T `json:"docs"`
	Total int `json:"total"`
}

// withBody is an endpoint whose input is the body. Members of the answer that the input lacks are read-only:
// a body may repeat them.
func withBody[In, Out any](status int, do func(context.Context, In) (*Out, error)) endpoint {
	readOnly := memberNames(reflect.TypeFor[Out]())
	return func(r *http.Request) (int, any, error) {
		var input In
		object, err := readBody(r)
		if err != nil {
			return 0, nil, err
		}
		if err := bind(object, &input, readOnly); err != nil {
			return 0, nil, err
		}
		out, err := do(r.Context(), input)
		return status, out, err
	}
}

// withID is an endpoint whose only input is the id in the path.
func withID[Out any](status int, do func(context.Context, string) (*Out, error)) endpoint {
	return func(r *http.Request) (int, any, error) {
		id, err := pathValue(r, "id")
		if err != nil {
			return 0, nil, err
		}
		out, err := do(r.Context(), id)
		return status, out, err
	}
}

// withIDAndBody is an endpoint that changes the object in the path by the body.
func withIDAndBody[In, Out any](status int, do func(context.Context, string, In) (*Out, error)) endpoint {
	return func(r *http.Request) (int, any, error) {
		id, err := pathValue(r, "id")
		if err != nil {
			return 0, nil, err
		}
		return withBody(status, func(ctx context.Context, input In) (*Out, error) {
			return do(ctx, id, input)
		})(r)
	}
}

// withNothing is an endpoint without input.
func withNothing[Out any](status int, do func(context.Context) (*Out, error)) endpoint {
	return func(r *http.Request) (int, any, error) {
		out, err := do(r.Context())
		return status, out, err
	}
}

// withList is a paged list; filter reads the parameters besides top and skip, whose names are given.
func withList[F, T any](
	do func(context.Context, F, domain.Page) (domain.List[T], error), filter func(*listQuery) F, parameters ...string,
) endpoint {
	allowed := append(parameters, "top", "skip")
	return func(r *http.Request) (int, any, error) {
		query := readListQuery(r, allowed...)
		wanted := filter(query)
		page, err := query.page()
		if err != nil {
			return 0, nil, err
		}
		list, err := do(r.Context(), wanted, page)
		if err != nil {
			return 0, nil, err
		}
		total, err := list.Total(r.Context())
		return http.StatusOK, docs[T]{Docs: list.Items, Total: total}, err
	}
}
