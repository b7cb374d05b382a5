package decode_test

import (
	"reflect"
	"strings"
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/decode"
	"ticketgate/domain/document"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/ecmajson"
)

func check(value ecmajson.Value) (ecmajson.Value, error) {
	faults := domain.FieldErrors{Bounded: true}
	checked := decode.Document(&faults, "", domaintest.VehicleDefinition, value, decode.Sent)
	return checked, faults.Err()
}

func TestDocumentAcceptsEveryValueKind(t *testing.T) {
	t.Parallel()
	right := domaintest.Document(domaintest.VehicleDefinition)
	checked, err := check(right)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(checked.Append(nil)), string(right.Append(nil)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestEachDocumentErrorHasPath(t *testing.T) {
	t.Parallel()
	breaks := domaintest.Breaks(domaintest.VehicleDefinition)
	if len(breaks) < 60 {
		t.Fatalf("the definition yields only %d faults", len(breaks))
	}
	for _, b := range breaks {
		_, err := check(b.Document)
		if fields := domain.AsError(err).Fields; err == nil || len(fields) != 1 || fields[0].Path != b.Path {
			t.Errorf("%s at %s: got %.200v", b.Fault, b.Path, fields)
		}
	}
}

func TestDocumentIsReturnedInNormalForm(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct{ in, want string }{
		"fields in the order of the table": {
			`{"name":"n","_wheels":2,"_id":"a"}`, `{"_id":"a","_wheels":2,"name":"n"}`,
		},
		"date-times in UTC with three digits": {
			`{"_id":"a","_wheels":2,"madeAt":"2026-11-27t21:37:00.1239+01:00"}`,
			`{"_id":"a","_wheels":2,"madeAt":"2026-11-27T20:37:00.123Z"}`,
		},
		"null fields removed": {
			`{"_id":"a","_wheels":2,"name":null,"doors":null,"meta":null}`, `{"_id":"a","_wheels":2}`,
		},
		"null entries of a map removed": {
			`{"_id":"a","_wheels":2,"costs":{"fuel":null,"oil":1}}`, `{"_id":"a","_wheels":2,"costs":{"oil":1}}`,
		},
		"numbers as ECMAScript prints them": {
			`{"_id":"a","_wheels":2.0,"area":[10.50,1e2]}`, `{"_id":"a","_wheels":2,"area":[10.5,100]}`,
		},
		"free objects unchanged": {
			`{"_id":"a","_wheels":2,"meta":{"b":null,"a":"2026-11-27T20:37:00+01:00"}}`,
			`{"_id":"a","_wheels":2,"meta":{"b":null,"a":"2026-11-27T20:37:00+01:00"}}`,
		},
		"texts as sent": {
			`{"_id":"a","_wheels":2,"causes":["x","y"]}`, `{"_id":"a","_wheels":2,"causes":["x","y"]}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checked, err := check(domaintest.JSON(row.in))
			if got := string(checked.Append(nil)); err != nil || got != row.want {
				t.Errorf("got %s, %v, want %s", got, err, row.want)
			}
		})
	}
}

func TestAllFaultsOfADocumentAreCollected(t *testing.T) {
	t.Parallel()
	_, err := check(domaintest.JSON(`{"_wheels":4,"chain":true,"nam":"x","parts":[{"code":"abcdef"},null],"color":"Red",
		"odd name":1,"log":null,"_id":null}`))
	want := []domain.FieldError{
		{Path: "nam", Message: "is not a known field", Hint: `Did you mean "name"?`},
		{Path: "parts[0].code", Message: "must be at most 5 characters, not 6"},
		{Path: "parts[1]", Message: "must be an object, not null"},
		{Path: "color", Message: "must be one of RED, dark-blue", Hint: `Did you mean "RED"?`},
		{Path: `["odd name"]`, Message: "is not a known field", Hint: "The fields are " +
			"_id, _wheels, color, name, chain, doors, serial, owner, madeIn, parts, main, costs, causes, drivers, meta, log, area, __v, madeAt"},
		{Path: "_id", Message: "is required"},
		{Path: "chain", Message: "is allowed only with _wheels 2"},
	}
	if got := domain.AsError(err).Fields; !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestReadingADocumentStopsAtTheHundredthFault(t *testing.T) {
	t.Parallel()
	text := `{"_id":"a","_wheels":2,"parts":[` + strings.Repeat(`{"cod":"x"},`, 50_000) + `0]}`
	_, err := check(domaintest.JSON(text))
	refused := domain.AsError(err)
	if len(refused.Fields) != 100 || !strings.HasSuffix(refused.Message, "; and 97 more") {
		t.Errorf("got %d faults, want 100: %s", len(refused.Fields), refused.Message)
	}
}

func TestOpenDefinitionKeepsUnknownFields(t *testing.T) {
	t.Parallel()
	open := document.ReadOpen[domaintest.VehiclePart]()
	var faults domain.FieldErrors
	checked := decode.Document(&faults, "", open, domaintest.JSON(`{"z":null,"price":1.0,"a":{"b":1},"code":"c"}`), decode.Sent)
	if got, want := string(checked.Append(nil)), `{"code":"c","price":1,"z":null,"a":{"b":1}}`; faults.Any() || got != want {
		t.Errorf("got %s, %v, want %s", got, faults.Err(), want)
	}
}

func TestWholeDocumentNeedsComputedFields(t *testing.T) {
	t.Parallel()
	sent := domaintest.JSON(`{"_id":"a","_wheels":2}`)
	for extent, want := range map[decode.Extent]string{decode.Sent: "", decode.Whole: "vehicle.madeAt"} {
		var faults domain.FieldErrors
		decode.Document(&faults, "vehicle", domaintest.VehicleDefinition, sent, extent)
		if got := domaintest.Paths(faults.Err()); got != want {
			t.Errorf("extent %v: faults at %q, want %q", extent, got, want)
		}
	}
}

func TestFreeObjectIsBounded(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`null`: "", `{"a":null}`: "", `[]`: "meta must be an object, not an array",
		`{"a":"` + strings.Repeat("x", document.MaxFreeBytes) + `"}`: "meta must be at most 16384 bytes of JSON, not 16392",
		strings.Repeat(`{"a":`, 9) + `1` + strings.Repeat(`}`, 9):    "meta is nested too deeply: at most 8 levels are allowed, not 9",
	} {
		var faults domain.FieldErrors
		decode.Free(&faults, "meta", domaintest.JSON(in))
		if got := textOf(faults.Err()); got != want {
			t.Errorf("%.40s: got %q, want %q", in, got, want)
		}
	}
}
