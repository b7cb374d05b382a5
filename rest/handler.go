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

// endpoint reads a request, does what it asks for and returns the body to answer with.
type endpoint func(r *http.Request) (body any, err error)

// docs is a page of a list as this layer answers it.
type docs[T any] struct {
	Docs  []T `json:"docs"`
	Total int `json:"total"`
}

// mutation names the operations that routes take: `mutation.CreateWebhook`.
type mutation = generated.MutationResolver

// withBody is an endpoint whose input is the body. Members of the answer that the input lacks are read-only:
// a body may repeat them.
func withBody[In, Out any](s Services, do func(mutation, context.Context, In) (Out, error)) endpoint {
	readOnly := decode.Names(reflect.TypeFor[Out]())
	return withInput(s, func(object ecmajson.Value, input *In, faults *domain.Problems) {
		decode.Object(faults, object, input, readOnly)
	}, do)
}

// withOpenBody is withBody for what a shop sends: unknown members are ignored, but for those that differ from a known one
// in case only (decisions 1.5, 1.7).
func withOpenBody[In, Out any](s Services, do func(mutation, context.Context, In) (Out, error)) endpoint {
	return withInput(s, func(object ecmajson.Value, input *In, faults *domain.Problems) {
		decode.OpenObject(faults, object, input)
	}, do)
}

// withInput is an endpoint that decodes the body into an input.
func withInput[In, Out any](
	s Services, read func(ecmajson.Value, *In, *domain.Problems), do func(mutation, context.Context, In) (Out, error),
) endpoint {
	return func(r *http.Request) (any, error) {
		object, err := readBody(r)
		if err != nil {
			return nil, err
		}
		var input In
		var faults domain.Problems
		read(object, &input, &faults)
		return s.act(&faults, func(m mutation) (any, error) { return do(m, r.Context(), input) })
	}
}

// act does what a decoded body asks for. If decoding found faults, the operation only checks what could be decoded, so
// that one answer names everything that is wrong, and nothing is touched (BODY-1). A caller who may not do it is told
// that alone.
func (s Services) act(faults *domain.Problems, do func(mutation) (any, error)) (any, error) {
	if !faults.Any() {
		return do(s.Mutation)
	}
	_, err := do(s.Checks)
	status := edge.StatusOf(domain.AsError(err).Code)
	if err != nil && (status == http.StatusUnauthorized || status == http.StatusForbidden) {
		return nil, err
	}
	all := *faults
	all.Further(err)
	return nil, all.Err()
}

// withID is an endpoint whose only input is the id in the path.
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

// withDeletion is a deletion of the object in the path. The state that its caller expects is in If-Match (BODY-2).
func withDeletion[Out any](do func(context.Context, string, *moment.DateTime) (Out, error)) endpoint {
	return withID(func(ctx context.Context, id string) (Out, error) { return do(ctx, id, nil) })
}

// readNothing reads the body of a POST that takes no member: none at all, or an object of read-only members.
func readNothing(r *http.Request, resource reflect.Type) error {
	object, err := readBody(r)
	if err != nil {
		return err
	}
	var faults domain.Problems
	decode.Object(&faults, object, &struct{}{}, decode.Names(resource))
	return faults.Err()
}

// withIDAndBody is an endpoint that changes the object in the path by the body.
func withIDAndBody[In, Out any](s Services, do func(mutation, context.Context, string, In) (Out, error)) endpoint {
	return func(r *http.Request) (any, error) {
		id, err := pathValue(r, "id")
		if err != nil {
			return nil, err
		}
		return withBody(s, func(m mutation, ctx context.Context, input In) (Out, error) { return do(m, ctx, id, input) })(r)
	}
}

// withNothing is an endpoint without input, whatever it answers with.
func withNothing[Out any](do func(context.Context) (Out, error)) endpoint {
	return func(r *http.Request) (any, error) {
		return do(r.Context())
	}
}

// withList is a paged list; filter reads the parameters besides top and skip, whose names are given.
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
