package apis

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/cmd/ticketgate/demo"
	"ticketgate/domain"
	"ticketgate/domain/access"
)

// TestOneOfTwoConcurrentUpdatesWins tests BODY-2 in both APIs, for every record that has an updatedAt.
func TestOneOfTwoConcurrentUpdatesWins(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t)
	seller := h.Demo.Sellers[0]
	ids, who := keep(t, h, seller, ownMark), apitest.Bearer(systemtest.SystemToken).On(seller.SellerID)
	t.Run("every GraphQL update accepts expectedUpdatedAt", func(t *testing.T) { refusesStaleInputs(t, h, ids, who) })
	t.Run("every GraphQL deletion accepts expectedUpdatedAt", func(t *testing.T) { refusesStaleDeletions(t, h, seller, who) })
	t.Run("every REST change accepts If-Match", func(t *testing.T) { refusesStaleTags(t, h, ids, who) })
	t.Run("the tag of a GET is valid for one PUT", func(t *testing.T) { takesATagOnce(t, h, seller, who) })
	t.Run("one of many concurrent changes wins", func(t *testing.T) { letsOneWin(t, h, seller, who) })
}

const stale = "2001-01-01T00:00:00.000Z"

// refusesStaleInputs finds the updates of records with updatedAt in the schema.
func refusesStaleInputs(t *testing.T, h *apitest.Server, ids kept, who apitest.Caller) {
	t.Helper()
	tried := 0
	for _, operation := range slices.Sorted(maps.Keys(samples)) {
		field := h.Schema.Mutation.Fields.ForName(string(operation))
		if field == nil || !strings.HasPrefix(field.Name, "update") || h.Schema.Types[field.Type.Name()].Fields.ForName("updatedAt") == nil {
			continue
		}
		path := expectedIn(h.Schema, field)
		if path == "" {
			t.Errorf("%s has no expectedUpdatedAt", operation)
			continue
		}
		s, caller := samples[operation][0], who
		if s.namesSeller {
			caller = apitest.Bearer(systemtest.SystemToken)
		}
		args := s.arguments(ids, ids[s.object])
		if o := h.ThroughGraphQL(t, caller, apitest.To(operation, apitest.With(args, path, stale))); o.Refusal.Code != string(domain.CodeConflict) {
			t.Errorf("%s with an old state: %v", operation, o)
		}
		o := h.ThroughGraphQL(t, caller, apitest.To(operation, args))
		if o.Refusal.Code != "" {
			t.Errorf("%s with no state: %v", operation, o)
			continue
		}
		seen := o.Result.(map[string]any)["updatedAt"]
		if o := h.ThroughGraphQL(t, caller, apitest.To(operation, apitest.With(s.arguments(ids, ids[s.object]), path, seen))); o.Refusal.Code != "" {
			t.Errorf("%s with the current state: %v", operation, o)
		}
		tried++
	}
	if tried < 11 {
		t.Errorf("only %d updates were tried", tried)
	}
}

// expectedIn returns the path of a mutation's expectedUpdatedAt.
func expectedIn(schema *ast.Schema, field *ast.FieldDefinition) string {
	const name = "expectedUpdatedAt"
	if field.Arguments.ForName(name) != nil {
		return name
	}
	input := field.Arguments.ForName("input")
	if input != nil && schema.Types[input.Type.Name()].Fields.ForName(name) != nil {
		return "input." + name
	}
	return ""
}

// refusesStaleDeletions finds the deletions of records with updatedAt in the schema.
func refusesStaleDeletions(t *testing.T, h *apitest.Server, seller demo.Seller, who apitest.Caller) {
	t.Helper()
	tried := 0
	for _, field := range h.Schema.Mutation.Fields {
		if !strings.HasPrefix(field.Name, "delete") || h.Schema.Types[field.Type.Name()].Fields.ForName("updatedAt") == nil {
			continue
		}
		operation, path := domain.Operation(field.Name), expectedIn(h.Schema, field)
		if path == "" || len(samples[operation]) == 0 {
			t.Errorf("%s has no expectedUpdatedAt, or no sample", operation)
			continue
		}
		ids := keep(t, h, seller, ownMark)
		s := samples[operation][0]
		args := s.arguments(ids, ids[s.object])
		refused := h.ThroughGraphQL(t, who, apitest.To(operation, apitest.With(args, path, stale)))
		_, seen, found := strings.Cut(refused.Refusal.Message, "This record was changed at ")
		if refused.Refusal.Code != string(domain.CodeConflict) || !found {
			t.Errorf("%s with an old state: %v", operation, refused)
			continue
		}
		seen, _, _ = strings.Cut(seen, ";")
		if o := h.ThroughGraphQL(t, who, apitest.To(operation, apitest.With(args, path, seen))); o.Refusal.Code != "" {
			t.Errorf("%s with the current state: %v", operation, o)
		}
		tried++
	}
	if tried < 7 {
		t.Errorf("only %d deletions were tried", tried)
	}
}

func refusesStaleTags(t *testing.T, h *apitest.Server, ids kept, who apitest.Caller) {
	t.Helper()
	tried := 0
	for _, operation := range slices.Sorted(maps.Keys(samples)) {
		for _, route := range apitest.RoutesOf(operation) {
			if route.Method != http.MethodPut && route.Method != http.MethodDelete {
				continue
			}
			s := samples[operation][0]
			for tag, want := range map[string]domain.Code{
				`"` + stale + `"`:           domain.CodePreconditionFailed,
				`W/"x", "` + stale + `"`:    domain.CodePreconditionFailed,
				stale:                       domain.CodeInvalidRequest,
				`*, "` + stale + `"`:        domain.CodeInvalidRequest,
				`"` + stale + `" "x"`:       domain.CodeInvalidRequest,
				strings.Repeat(`"x",`, 100): domain.CodePreconditionFailed,
			} {
				caller := maps.Clone(who)
				caller["If-Match"] = tag
				o := h.ThroughREST(t, caller, route, apitest.To(operation, s.arguments(ids, ids[s.object])))
				if o.Refusal.Code != string(want) {
					t.Errorf("%s %s with %.60s: want %s, got %v", route.Method, route.Path, tag, want, o)
				}
			}
			tried++
		}
	}
	if tried < 12 {
		t.Errorf("only %d changes were tried", tried)
	}
}

func takesATagOnce(t *testing.T, h *apitest.Server, seller demo.Seller, who apitest.Caller) {
	t.Helper()
	list, err := h.Do.AccessLists.Create(h.ActingOn(t, seller), access.NewList{Name: "Tagged"})
	systemtest.Must(t, err)
	path, client := "/api/access-lists/"+list.ID, h.As(t, who)
	tag := client.Get(path).Want(http.StatusOK).Header.Get("ETag")
	if tag != `"`+list.UpdatedAt.String()+`"` {
		t.Errorf("the tag is %s", tag)
	}
	named := func() object { return object{"name": systemtest.Serial("Tagged ")} }
	client.With("If-Match", `"other", `+tag).Put(path, named()).Want(http.StatusOK)
	client.With("If-Match", tag).Put(path, named()).Refused(http.StatusPreconditionFailed, "PRECONDITION_FAILED")
	client.With("If-Match", tag).Do(http.MethodDelete, path, nil).Refused(http.StatusPreconditionFailed, "PRECONDITION_FAILED")
	client.With("If-Match", "*").Put(path, named()).Want(http.StatusOK)
	client.With("If-Match", tag).Put("/api/access-lists/unknown", named()).Refused(http.StatusNotFound, "NOT_FOUND")
	client.With("If-Match", tag).Put(path, object{"name": 1}).Refused(http.StatusBadRequest, "VALIDATION_FAILED")
	tag = client.Get(path).Want(http.StatusOK).Header.Get("ETag")
	client.With("If-Match", tag).Do(http.MethodDelete, path, nil).Want(http.StatusOK)
}

func letsOneWin(t *testing.T, h *apitest.Server, seller demo.Seller, who apitest.Caller) {
	t.Helper()
	list, err := h.Do.AccessLists.Create(h.ActingOn(t, seller), access.NewList{Name: "Raced"})
	systemtest.Must(t, err)
	path := "/api/access-lists/" + list.ID
	for range 5 {
		tag := h.As(t, who).Get(path).Want(http.StatusOK).Header.Get("ETag")
		statuses := make([]int, 8)
		var writers sync.WaitGroup
		for i := range statuses {
			client := h.As(t, who).With("If-Match", tag)
			writers.Go(func() {
				statuses[i] = client.Do(http.MethodPut, path, object{"name": systemtest.Serial("Raced ")}).Status
			})
		}
		writers.Wait()
		won := 0
		for _, status := range statuses {
			if status == http.StatusOK {
				won++
			} else if status != http.StatusPreconditionFailed {
				t.Errorf("a writer got %d", status)
			}
		}
		if won != 1 {
			t.Errorf("%d writers won: %v", won, statuses)
		}
	}
}
