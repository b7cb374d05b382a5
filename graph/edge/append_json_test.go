package edge

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/moment"
)

type (
	// named, embedding and so on are what a struct may have.
	named   string
	byValue struct{ text string }
	byRef   struct{ Text string }
	nested  struct {
		Name  named             `json:"name"`
		Times []moment.DateTime `json:"times,omitempty"`
	}
	embedding struct {
		nested
		After int `json:"after"`
	}
	recursive struct {
		Of  *recursive  `json:"of,omitempty"`
		All []recursive `json:"all"`
		N   int         `json:"n"`
	}
	everything struct {
		Text     string           `json:"text"`
		Empty    string           `json:"empty,omitempty"`
		Optional *string          `json:"optional"`
		Absent   *int             `json:"absent,omitempty"`
		Yes      bool             `json:"yes"`
		Small    int8             `json:"small"`
		Large    int64            `json:"large,omitempty"`
		Unsigned uint64           `json:"unsigned"`
		Float    float64          `json:"float"`
		Document ecmajson.Value   `json:"document,omitzero"`
		Null     ecmajson.Value   `json:"null"`
		At       moment.DateTime  `json:"at"`
		Never    *moment.DateTime `json:"never,omitempty"`
		Once     *moment.DateTime `json:"once,omitempty"`
		Plain    time.Time        `json:"plain,omitzero"`
		Raw      json.RawMessage  `json:"raw"`
		Bytes    []byte           `json:"bytes"`
		Map      map[string]any   `json:"map"`
		Any      any              `json:"any"`
		Nil      any              `json:"nil"`
		Texts    []string         `json:"texts"`
		None     []string         `json:"none"`
		NoTexts  []string         `json:"noTexts,omitempty"`
		Array    [2]int           `json:"array"`
		Role     domain.Role      `json:"role"`
		Value    byValue          `json:"value"`
		Ref      byRef            `json:"ref"`
		Refs     []byRef          `json:"refs"`
		Nested   nested           `json:"nested"`
		Pointer  *nested          `json:"pointer"`
		Left     int              `json:"-"`
		Quoted   struct {
			N int `json:"n,string"`
		} `json:"quoted"`
		Untagged struct{ N int } `json:"untagged"`
		hidden   int
	}
)

func (v byValue) MarshalJSON() ([]byte, error) { return json.Marshal(map[string]string{"a": v.text}) }
func (r *byRef) MarshalJSON() ([]byte, error)  { return []byte(`{ "ref" : 1 }`), nil }

// appendJSON writes the same JSON as encoding/json without HTML escapes.
func TestJSONEqualsThatOfEncodingJSON(t *testing.T) {
	t.Parallel()
	document, err := ecmajson.Parse([]byte(`{"b":[1,"é\u2028<&>"],"2":null,"1":{}}`), ecmajson.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	text, at := "a \"text\" \\ <b>&\u2028\u2029\x00\x1f\x7f\t\n é 😀 \xff\xc3", moment.New(time.Date(2026, 1, 2, 3, 4, 5, 6_000_000, time.UTC))
	full := everything{
		Text: text, Optional: &text, Yes: true, Small: -128, Large: math.MinInt64, Unsigned: math.MaxUint64, Float: 1e21,
		Document: document, At: at, Once: &at, Raw: json.RawMessage(` {"a" : 1 } `), Bytes: []byte("bytes"),
		Map: map[string]any{"b": 1, "a": []any{at}}, Any: nested{Name: "x"}, Texts: []string{"", "é"}, NoTexts: []string{},
		Role: domain.Manager, Value: byValue{"<"}, Refs: []byRef{{}}, Nested: nested{Times: []moment.DateTime{at, at}}, Pointer: &nested{},
		hidden: 1,
	}
	values := []any{
		nil, full, &full,
		everything{},
		[]everything{full},
		embedding{nested{"n", nil}, 2},
		(*everything)(nil),
		[]any{1, "a", nil, full},
		recursive{Of: &recursive{All: []recursive{{N: 1}}}, N: 2},
		&recursive{All: []recursive{{}, {}}}, true, 1.5, document, at, text,
		ErrorBody{},
		map[string]*string{"x": nil},
	}
	for c := range 0x100 {
		values = append(values, "a"+string([]byte{byte(c)})+"b", "a"+string(rune(c))+"b")
	}
	for _, value := range values {
		var want bytes.Buffer
		encoder := json.NewEncoder(&want)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(value); err != nil {
			t.Fatal(err)
		}
		for range 2 { // the first writes a type, the second knows it
			got, err := appendJSON([]byte("before"), value)
			if err != nil || string(got)+"\n" != "before"+want.String() {
				t.Errorf("%T: %v\n%s\nwant\n%s", value, err, got, &want)
			}
		}
	}
	if _, err := appendJSON(nil, []any{math.NaN()}); err == nil || !errors.As(err, new(*json.UnsupportedValueError)) {
		t.Errorf("a number that JSON has not: %v", err)
	}
}
