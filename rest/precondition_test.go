package rest

import (
	"net/http"
	"slices"
	"testing"

	"ticketgate/domain"
)

func TestIfMatchIsAStarOrAListOfTags(t *testing.T) {
	for sent, want := range map[string]*domain.Precondition{
		`*`:                    {Any: true},
		` * `:                  {Any: true},
		`"a"`:                  {Tags: []string{"a"}},
		`"a", "b,c" ,"d"`:      {Tags: []string{"a", "b,c", "d"}},
		`,"a",,"b",`:           {Tags: []string{"a", "b"}},
		`""`:                   {Tags: []string{""}},
		`W/"a"`:                {},
		`W/"a","b"`:            {Tags: []string{"b"}},
		"\"\xe4\"":             {Tags: []string{"\xe4"}},
		`a`:                    nil,
		`"a`:                   nil,
		`"a" "b"`:              nil,
		`"a";"b"`:              nil,
		`*,"a"`:                nil,
		`"a",*`:                nil,
		`w/"a"`:                nil,
		`W/a`:                  nil,
		`"a b"`:                nil,
		"\"a\tb\"":             nil,
		``:                     nil,
		`,`:                    nil,
		`2026-11-27T20:37:00Z`: nil,
	} {
		ctx, err := withIfMatch(t.Context(), http.Header{"If-Match": {sent}})
		if want == nil {
			if !domain.HasCode(err, domain.CodeInvalidRequest) {
				t.Errorf("%s: %v", sent, err)
			}
			continue
		}
		got := domain.CallOf(ctx).IfMatch
		if err != nil || got.Any != want.Any || !slices.Equal(got.Tags, want.Tags) {
			t.Errorf("%s: %+v, %v, want %+v", sent, got, err, want)
		}
	}
	ctx, err := withIfMatch(t.Context(), http.Header{"If-Match": {`"a"`, `"b"`}})
	if got := domain.CallOf(ctx).IfMatch; err != nil || !slices.Equal(got.Tags, []string{"a", "b"}) {
		t.Errorf("two headers: %+v, %v", got, err)
	}
	if ctx, err := withIfMatch(t.Context(), http.Header{}); err != nil || domain.CallOf(ctx).IfMatch != nil {
		t.Errorf("no header: %v", err)
	}
}
