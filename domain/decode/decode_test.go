package decode_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/decode"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
)

type address struct {
	URL  string                 `json:"url"`
	Port optional.Value[int]    `json:"port"`
	Key  optional.Value[string] `json:"hmacKey"`
}

type sample struct {
	Name   string                          `json:"name"`
	Note   optional.Value[string]          `json:"note"`
	HTTP   optional.Value[address]         `json:"http"`
	Tags   optional.Value[[]string]        `json:"tags"`
	Flags  optional.Value[map[string]bool] `json:"flags"`
	When   optional.Value[moment.DateTime] `json:"when"`
	Meta   optional.Value[ecmajson.Value]  `json:"meta"`
	Amount *float64                        `json:"amount"`
}

func decodeText(t *testing.T, body string) (sample, []domain.FieldError) {
	t.Helper()
	value, err := ecmajson.Parse([]byte(body), ecmajson.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var into sample
	var errs domain.FieldErrors
	decode.Object(&errs, value, &into, map[string]bool{"_id": true, "createdAt": true})
	if err := errs.Err(); err != nil {
		return into, domain.AsError(err).Fields
	}
	return into, nil
}

func TestObjectDecodesSentFields(t *testing.T) {
	got, problems := decodeText(t, `{"_id":"x","name":"A","note":null,"http":{"url":"u","port":8},"tags":["a","b"],
		"flags":{"on":true},"when":"2026-11-27T20:37:00.1+01:00","meta":{"b":1,"a":2},"amount":1.50}`)
	if problems != nil {
		t.Fatal(problems)
	}
	if got.Name != "A" || !got.Note.IsNull() || got.HTTP.Value.URL != "u" || got.HTTP.Value.Port.Or(0) != 8 {
		t.Errorf("got %+v", got)
	}
	if got.HTTP.Value.Key.Set {
		t.Error("an omitted field counts as sent")
	}
	if tags := got.Tags.Or(nil); len(tags) != 2 || tags[1] != "b" {
		t.Errorf("tags %v", tags)
	}
	if !got.Flags.Or(nil)["on"] || *got.Amount != 1.5 {
		t.Errorf("flags %v, amount %v", got.Flags, *got.Amount)
	}
	if when := got.When.Value.String(); when != "2026-11-27T19:37:00.100Z" {
		t.Errorf("when %s", when)
	}
	if meta := got.Meta.Value.Append(nil); string(meta) != `{"b":1,"a":2}` {
		t.Errorf("meta %s", meta)
	}
}

func TestEveryErrorIsReported(t *testing.T) {
	for _, test := range []struct{ name, body, want string }{
		{"a missing field", `{}`, `[{"path":"name","message":"is required"}]`},
		{"null for a required field", `{"name":null}`, `[{"path":"name","message":"must not be null"}]`},
		{"a wrong type", `{"name":5}`, `[{"path":"name","message":"must be a string, not a number"}]`},
		{
			"an unknown field with the nearest name", `{"name":"A","hmackey":1,"http":{"url":"u","hmacKye":"x"}}`,
			`[{"path":"hmackey","message":"is not a known field","hint":"The fields are name, note, http, tags, flags, when, meta, amount"},` +
				`{"path":"http.hmacKye","message":"is not a known field","hint":"Did you mean \"hmacKey\"?"}]`,
		},
		{"a field that differs in case", `{"Name":"A","name":"B"}`, `[{"path":"Name","message":"is not a known field","hint":"Did you mean \"name\"?"}]`},
		{
			"elements and map values by their path", `{"name":"A","tags":["a",1,null],"flags":{"on":"yes"}}`,
			`[{"path":"tags[1]","message":"must be a string, not a number"},{"path":"tags[2]","message":"must not be null"},` +
				`{"path":"flags[\"on\"]","message":"must be true or false, not a string"}]`,
		},
		{"an integer that is too large", `{"name":"A","http":{"url":"u","port":1e20}}`, `[{"path":"http.port","message":"must be an integer of at most 64 bits"}]`},
		{"a fraction for an integer", `{"name":"A","http":{"url":"u","port":1.5}}`, `[{"path":"http.port","message":"must be an integer"}]`},
		{
			"an invalid date-time", `{"name":"A","when":"tomorrow"}`,
			`[{"path":"when","message":"must be an RFC 3339 date-time such as 2026-11-27T20:37:00.120Z"}]`,
		},
		{
			"several at once", `{"nam":"A","http":[]}`,
			`[{"path":"nam","message":"is not a known field","hint":"Did you mean \"name\"?"},{"path":"http","message":"must be an object"},{"path":"name","message":"is required"}]`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, problems := decodeText(t, test.body)
			got, err := json.Marshal(problems)
			if err != nil {
				t.Fatal(err)
			}
			var plain []domain.FieldError
			if err := json.Unmarshal([]byte(test.want), &plain); err != nil {
				t.Fatal(err)
			}
			want, _ := json.Marshal(plain)
			if !bytes.Equal(got, want) {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

type common struct {
	City *string `json:"city"`
}

func TestAnOpenBodyDropsUnknownFields(t *testing.T) {
	type open struct {
		common
		Items []sample                `json:"items"`
		HTTP  optional.Value[address] `json:"http"`
		Free  ecmajson.Value          `json:"free,omitzero"`
	}
	for _, test := range []struct{ name, body, filled, faults string }{
		{
			"unknown fields are dropped at any depth, except in free values",
			`{"city":"Rome","x":1,"items":[{"name":"A","y":{}}],"http":{"url":"u","z":[]},"free":{"w":1}}`,
			`{"city":"Rome","items":[{"name":"A"}],"http":{"url":"u"},"free":{"w":1}}`, "",
		},
		{
			"values that are not objects are refused", `{"items":[{"name":"A","y":{}},3],"http":[]}`, "",
			`items[1] must be an object; http must be an object`,
		},
		{
			"fields that differ in case only are refused", `{"City":"Rome","x":1,"items":[{"NAME":"A"}]}`, "",
			`City is not a known field; items[0].NAME is not a known field; items[0].name is required`,
		},
		{"null stays null", `{"city":null,"items":null,"http":null}`, "", "items must not be null"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var into, want open
			var faults domain.FieldErrors
			decode.OpenObject(&faults, domaintest.JSON(test.body), &into)
			if got := textOf(faults.Err()); got != test.faults {
				t.Fatalf("got %q, want %q", got, test.faults)
			}
			if test.filled != "" {
				decode.Object(&faults, domaintest.JSON(test.filled), &want, nil)
				domaintest.Equal(t, "the decoded struct", into, want)
			}
		})
	}
	t.Run("the fields of an embedded struct are filled", func(t *testing.T) {
		value, err := ecmajson.Parse([]byte(`{"city":"Rome","items":[]}`), ecmajson.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		var into open
		var errs domain.FieldErrors
		if decode.Object(&errs, value, &into, nil); errs.Any() || into.City == nil || *into.City != "Rome" {
			t.Errorf("got %+v, %v", into, errs.Err())
		}
	})
}

func TestFieldIsDecodedByItsName(t *testing.T) {
	var into sample
	var faults domain.FieldErrors
	for name, value := range map[string]ecmajson.Value{"note": ecmajson.NewString("n"), "tags": {}} {
		if !decode.Field(&faults, name, value, &into) || faults.Any() {
			t.Fatalf("%s: %v", name, faults.Err())
		}
	}
	if into.Note.Or("") != "n" || !into.Tags.IsNull() || into.HTTP.Set {
		t.Errorf("got %+v", into)
	}
	if decode.Field(&faults, "nme", ecmajson.Value{}, &into) || faults.Any() {
		t.Errorf("an unknown field was accepted: %v", faults.Err())
	}
	if !decode.Field(&faults, "name", ecmajson.Value{}, &into) || textOf(faults.Err()) != "name must not be null" {
		t.Errorf("null for a required field: %v", faults.Err())
	}
}
