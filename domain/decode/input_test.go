package decode_test

import (
	"errors"
	"io"
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/decode"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
)

// state is an enumeration with different spellings in GraphQL and REST.
type state string

func (s *state) UnmarshalGQL(v any) error {
	if v != "ON_HOLD" {
		return errors.New("internal words")
	}
	*s = "on-hold"
	return nil
}

// part is a nested input that decodes itself.
type part struct {
	State state                           `json:"state"`
	Until optional.Value[moment.DateTime] `json:"until"`
}

func (p *part) UnmarshalGQL(v any) error { return decode.Input(v, p) }

func (*part) MarshalGQL(w io.Writer) { decode.NoOutput(w) }

type change struct {
	common

	Name     string                          `json:"name"`
	Note     optional.Value[string]          `json:"note"`
	Count    optional.Value[int]             `json:"count"`
	Share    optional.Value[float64]         `json:"share"`
	On       *bool                           `json:"on"`
	State    optional.Value[state]           `json:"state"`
	Tags     optional.Value[[]string]        `json:"tags"`
	Flags    optional.Value[map[string]bool] `json:"flags"`
	When     optional.Value[moment.DateTime] `json:"when"`
	Meta     optional.Value[ecmajson.Value]  `json:"meta"`
	Part     optional.Value[part]            `json:"part"`
	Parts    []part                          `json:"parts,omitempty"`
	Expected *moment.DateTime                `json:"-" graphql:"expectedUpdatedAt"`
}

func TestBothSourcesDecodeTheSame(t *testing.T) {
	object := func(text string) ecmajson.Value {
		value, err := ecmajson.Parse([]byte(text), ecmajson.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
	for _, test := range []struct {
		name    string
		text    string
		coerced map[string]any
		want    string
	}{
		{
			"every kind of field",
			`{"city":"Rome","name":"A","note":"n","count":-7,"share":0.25,"on":true,"state":"on-hold","tags":["a","b"],
				"flags":{"x":true,"y":false},"when":"2026-11-27T20:37:00.1+01:00","part":{"state":"on-hold","until":null},
				"parts":[{"state":"on-hold"},{"state":"on-hold","until":"2026-11-27T20:37:00Z"}]}`,
			map[string]any{
				"city": "Rome", "name": "A", "note": "n", "count": int64(-7), "share": 0.25, "on": true, "state": "ON_HOLD",
				"tags": []any{"a", "b"}, "flags": map[string]any{"x": true, "y": false}, "when": "2026-11-27T20:37:00.1+01:00",
				"part": map[string]any{"state": "ON_HOLD", "until": nil},
				"parts": []any{
					map[string]any{"state": "ON_HOLD"}, map[string]any{"state": "ON_HOLD", "until": "2026-11-27T20:37:00Z"},
				},
			},
			"",
		},
		{
			"null instead of omission", `{"name":"A","note":null,"tags":null,"meta":null,"part":null,"on":null,"flags":{"x":null}}`,
			map[string]any{
				"name": "A", "note": nil, "tags": nil, "meta": nil, "part": nil, "on": nil, "flags": map[string]any{"x": nil},
			},
			"",
		},
		{"empty lists", `{"name":"A","tags":[],"parts":[]}`, map[string]any{"name": "A", "tags": []any(nil), "parts": []any{}}, ""},
		{
			"numbers keep their digits", `{"name":"A","count":9007199254740991,"share":1.10,"meta":{"a":1.10,"b":1e21}}`,
			map[string]any{
				"name": "A", "count": int64(9007199254740991), "share": 1.10, "meta": map[string]any{"a": 1.10, "b": 1e21},
			},
			"",
		},
		{"a whole number for a double", `{"name":"A","share":3}`, map[string]any{"name": "A", "share": int64(3)}, ""},
		{
			"parsed JSON", `{"name":"A","meta":{"b":[1,{"c":"d"}]}}`,
			map[string]any{"name": "A", "meta": object(`{"b":[1,{"c":"d"}]}`)},
			"",
		},
		{
			"every fault", `{"name":"A","count":1.5,"flags":{"x":"yes"},"when":"tomorrow","part":5,"parts":[{"state":"on-hold","until":"never"}]}`,
			map[string]any{
				"name": "A", "count": 1.5, "flags": map[string]any{"x": "yes"}, "when": "tomorrow", "part": int64(5),
				"parts": []any{map[string]any{"state": "ON_HOLD", "until": "never"}},
			},
			`count must be an integer; flags["x"] must be true or false, not a string; ` +
				`when must be an RFC 3339 date-time such as 2026-11-27T20:37:00.120Z; and 2 more`,
		},
		{"an unknown field", `{"name":"A","nme":1}`, map[string]any{"name": "A", "nme": int64(1)}, "nme is not a known field"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var fromText, fromGraphQL change
			var faults domain.FieldErrors
			decode.Object(&faults, object(test.text), &fromText, nil)
			item, other := faults.Err(), decode.Input(test.coerced, &fromGraphQL)
			domaintest.Equal(t, "GraphQL compared with JSON", fromGraphQL, fromText)
			if text := textOf(item); text != test.want || textOf(other) != text {
				t.Errorf("JSON    %q\nGraphQL %q\nwant    %q", text, textOf(other), test.want)
			}
			if item != nil {
				domaintest.Equal(t, "the GraphQL error compared with JSON's", domain.AsError(other), domain.AsError(item))
			}
		})
	}
}

func textOf(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestInputsAreCoercedAsGraphQLDoes(t *testing.T) {
	var got change
	err := decode.Input(map[string]any{
		"__typename": "Change", "note": int64(12), "count": int64(9007199254740993), "tags": "a", "parts": map[string]any{"state": "ON_HOLD"},
		"expectedUpdatedAt": "2026-11-27T20:37:00Z",
	}, &got)
	if err != nil {
		t.Fatal(err)
	}
	if got.Note.Or("") != "12" || got.Count.Or(0) != 9007199254740993 {
		t.Errorf("an integer becomes the text %q, a long one %d", got.Note.Or(""), got.Count.Or(0))
	}
	domaintest.Equal(t, "a list from a single value", got.Tags.Or(nil), []string{"a"})
	if len(got.Parts) != 1 || got.Parts[0].State != "on-hold" {
		t.Errorf("a list from a single object: %+v", got.Parts)
	}
	if got.Expected == nil || got.When.Set || got.On != nil {
		t.Errorf("expectedUpdatedAt %v, when %v, on %v", got.Expected, got.When, got.On)
	}
	err = decode.Input(map[string]any{"tags": []string{"a", "b"}}, &got)
	if err != nil {
		t.Fatal(err)
	}
	domaintest.Equal(t, "a slice made by gqlparser", got.Tags.Or(nil), []string{"a", "b"})
}

func TestInputErrorHasCodeAndPath(t *testing.T) {
	const wrongType, rule = domain.CodeInvalidRequest, domain.CodeValidationFailed
	wrong := map[string]any{"state": "GONE"}
	for _, test := range []struct {
		name  string
		input map[string]any
		code  domain.Code
		want  string
	}{
		{"of a type", map[string]any{"state": "GONE"}, wrongType, "state does not fit its type"},
		{"of a nested input", map[string]any{"part": wrong}, wrongType, "part.state does not fit its type"},
		{"of an element", map[string]any{"parts": []any{wrong, wrong}}, wrongType, "parts[0].state does not fit its type; parts[1].state does not fit its type"},
		{"of a rule", map[string]any{"when": true}, rule, "when must be an RFC 3339 date-time such as 2026-11-27T20:37:00.120Z"},
		{"of both", map[string]any{"state": "GONE", "part": map[string]any{"until": 5}}, rule, "state does not fit its type; part.until must be an RFC 3339 date-time such as 2026-11-27T20:37:00.120Z"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := domain.AsError(decode.Input(test.input, new(change)))
			if err.Code != test.code || err.Message != test.want {
				t.Errorf("got  %s %s\nwant %s %s", err.Code, err.Message, test.code, test.want)
			}
		})
	}
}
