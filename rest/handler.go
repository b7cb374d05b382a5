package rest

import (
	"context"
	"net/http"
	"reflect"
	"slices"

	"ticketgate/domain"
	"ticketgate/domain/decode"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/moment"
	"ticketgate/graph/edge"
	"ticketgate/graph/generated"
)

// endpoint handles a request and returns the body of the response.
type endpoint func(r *http.Request) (body any, err error)

// docs is a page of a list as REST returns it.
type docs[T any] struct {
	Docs  []T `json:"docs"`
	Total int `json:"total"`
}

// mutation names the operations in the table of routes: `mutation.CreateWebhook`.
type mutation = generated.MutationResolver

// withBody returns an endpoint whose input is the body. Fields of the response that the input lacks are read-only: a
// body may contain them without effect.
func withBody[In, Out any](s Services, do func(mutation, context.Context, In) (Out, error)) endpoint {
	readOnly := decode.Names(reflect.TypeFor[Out]())
	return withInput(s, func(object ecmajson.Value, input *In, faults *domain.FieldErrors) {
		decode.Object(faults, object, input, readOnly)
	}, do)
}

// withOpenBody is withBody for bodies that shops send: unknown fields are ignored, except those that differ from a
// known one in case only (BODY-4).
func withOpenBody[In, Out any](s Services, do func(mutation, context.Context, In) (Out, error)) endpoint {
	return withInput(s, func(object ecmajson.Value, input *In, faults *domain.FieldErrors) {
		decode.OpenObject(faults, object, input)
	}, do)
}

// withInput returns an endpoint that decodes the body into an input.
func withInput[In, Out any](
	s Services, read func(ecmajson.Value, *In, *domain.FieldErrors), do func(mutation, context.Context, In) (Out, error),
) endpoint {
	return func(r *http.Request) (any, error) {
		object, err := readBody(r)
		if err != nil {
			return nil, err
		}
		var input In
		var faults domain.FieldErrors
		read(object, &input, &faults)
		return s.act(&faults, func(m mutation) (any, error) { return do(m, r.Context(), input) })
	}
}

// act runs the operation for a decoded body. If decoding found faults, the operation only checks what could be decoded,
// so that one response names every fault and nothing changes (BODY-1). A caller without the right gets only that error.
func (s Services) act(faults *domain.FieldErrors, do func(mutation) (any, error)) (any, error) {
	if !faults.Any() {
		return do(s.Mutation)
	}
	_, err := do(s.Checks)
	status := edge.StatusOf(domain.AsError(err).Code)
	if err != nil && (status == http.StatusUnauthorized || status == http.StatusForbidden) {
		return nil, err
	}
	all := *faults
	all.Merge(err)
	return nil, all.Err()
}

// withID returns an endpoint whose only input is the id in the path.
func withID[Out any](do func(context.Context, string) (Out, error)) endpoint {
	return func(r *http.Request) (any, error) {
		id, err := pathValue(r, "id")
		if err == nil && r.Method == http.MethodPost {
			err = readNothing(r, reflect.TypeFor[Out]())
		}
		if err != nil {
			return nil, err
		}
		return do(r.Context(), id)
	}
}

// withDeletion returns an endpoint that deletes the record in the path. If-Match holds the state that the caller
// expects (BODY-2).
func withDeletion[Out any](do func(context.Context, string, *moment.DateTime) (Out, error)) endpoint {
	return withID(func(ctx context.Context, id string) (Out, error) { return do(ctx, id, nil) })
}

// readNothing reads the body of a POST without fields: nothing, or an object of read-only fields.
func readNothing(r *http.Request, resource reflect.Type) error {
	object, err := readBody(r)
	if err != nil {
		return err
	}
	var faults domain.FieldErrors
	decode.Object(&faults, object, &struct{}{}, decode.Names(resource))
	return faults.Err()
}

// withIDAndBody returns an endpoint that changes the record in the path by the body.
func withIDAndBody[In, Out any](s Services, do func(mutation, context.Context, string, In) (Out, error)) endpoint {
	return func(r *http.Request) (any, error) {
		id, err := pathValue(r, "id")
		if err != nil {
			return nil, err
		}
		return withBody(s, func(m mutation, ctx context.Context, input In) (Out, error) { return do(m, ctx, id, input) })(r)
	}
}

// withNothing returns an endpoint without input.
func withNothing[Out any](do func(context.Context) (Out, error)) endpoint {
	return func(r *http.Request) (any, error) {
		return do(r.Context())
	}
}

// withList returns the endpoint of a paged list. filter reads the named parameters, which the list has in addition to
// top and skip.
func withList[F, T any](
	do func(context.Context, F, domain.Page) (domain.List[T], error), filter func(*listQuery) F, parameters ...string,
) endpoint {
	allowed := slices.Concat(parameters, []string{"top", "skip"})
	return func(r *http.Request) (any, error) {
		query := readListQuery(r, allowed...)
		wanted := filter(query)
		page, err := query.page(wanted)
		if err != nil {
			return nil, err
		}
		if err := edge.HoldRead(r.Context(), page.Limit); err != nil {
			return nil, err
		}
		page.Total = true
		list, err := do(r.Context(), wanted, page)
		if err != nil {
			return nil, err
		}
		total, err := list.Total(r.Context())
		return docs[T]{Docs: list.Items, Total: total}, err
	}
}
