package document_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/document"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/moment"
)

type colour string

func (colour) Names() []string { return []string{"RED", "dark-blue"} }

type wheels int

func (wheels) Names() []string { return []string{"2", "4"} }

type part struct {
	Code  string           `json:"code" document:"longest=5 filled"`
	Price *document.Number `json:"price,omitempty"`
}

// vehicle has a member of every kind, and members that exclude each other.
type vehicle struct {
	ID      string                     `json:"_id" document:"id"`
	Wheels  wheels                     `json:"_wheels"`
	Colour  *colour                    `json:"colour,omitempty"`
	Name    *string                    `json:"name,omitempty"`
	Chain   *bool                      `json:"chain,omitempty" document:"only=_wheels:2"`
	Doors   *int                       `json:"doors,omitempty" document:"only=_wheels:4"`
	Serial  *string                    `json:"serial,omitempty" document:"uuid"`
	Owner   *string                    `json:"owner,omitempty" document:"email"`
	MadeIn  *string                    `json:"madeIn,omitempty" document:"country"`
	Parts   []part                     `json:"parts,omitempty"`
	Main    *part                      `json:"main,omitempty"`
	Costs   map[string]document.Number `json:"costs,omitempty"`
	Causes  *document.Texts            `json:"causes,omitempty"`
	Drivers []string                   `json:"drivers,omitempty" document:"id"`
	Meta    *ecmajson.Value            `json:"meta,omitempty" document:"object"`
	Log     []ecmajson.Value           `json:"log,omitempty"`
	Area    []document.Number          `json:"area,omitempty"`
	Version *int                       `json:"__v,omitempty"`
	MadeAt  moment.DateTime            `json:"madeAt" document:"made"`
}

var definition = document.Read[vehicle]()

func check(value ecmajson.Value) (ecmajson.Value, error) {
	var c document.Checker
	checked := c.Check("", definition, value)
	return checked, c.Err()
}

func TestCheckAcceptsEveryKindOfValueAndChangesNothing(t *testing.T) {
	t.Parallel()
	right := domaintest.Document(definition)
	checked, err := check(right)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(checked.Append(nil)), string(right.Append(nil)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// The struct that is shown holds exactly what was checked.
func TestTheStructHoldsTheWholeDocument(t *testing.T) {
	t.Parallel()
	text := domaintest.Document(definition).Append(nil)
	var held vehicle
	if err := json.Unmarshal(text, &held); err != nil {
		t.Fatal(err)
	}
	printed, err := json.Marshal(held)
	if err != nil {
		t.Fatal(err)
	}
	if !domaintest.JSON(string(printed)).Equal(domaintest.JSON(string(text))) {
		t.Errorf("got  %s\nwant %s", printed, text)
	}
}

func TestEachSingleFaultIsFoundAtItsPath(t *testing.T) {
	t.Parallel()
	breaks := domaintest.Breaks(definition)
	if len(breaks) < 60 {
		t.Fatalf("only %d faults were made of the definition", len(breaks))
	}
	for _, b := range breaks {
		_, err := check(b.Document)
		if fields := domain.AsError(err).Fields; err == nil || len(fields) != 1 || fields[0].Path != b.Path {
			t.Errorf("%s at %s: got %.200v", b.Fault, b.Path, fields)
		}
	}
}

func TestCheckNormalises(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct{ in, want string }{
		"members into the order of the table": {
			`{"name":"n","_wheels":2,"_id":"a"}`, `{"_id":"a","_wheels":2,"name":"n"}`,
		},
		"date-times to UTC with three digits": {
			`{"_id":"a","_wheels":2,"madeAt":"2026-11-27t21:37:00.1239+01:00"}`,
			`{"_id":"a","_wheels":2,"madeAt":"2026-11-27T20:37:00.123Z"}`,
		},
		"null to no value": {
			`{"_id":"a","_wheels":2,"name":null,"doors":null,"meta":null}`, `{"_id":"a","_wheels":2}`,
		},
		"null to no value under a name of the sender's": {
			`{"_id":"a","_wheels":2,"costs":{"fuel":null,"oil":1}}`, `{"_id":"a","_wheels":2,"costs":{"oil":1}}`,
		},
		"numbers as ECMAScript prints them": {
			`{"_id":"a","_wheels":2.0,"area":[10.50,1e2]}`, `{"_id":"a","_wheels":2,"area":[10.5,100]}`,
		},
		"nothing inside free objects": {
			`{"_id":"a","_wheels":2,"meta":{"b":null,"a":"2026-11-27T20:37:00+01:00"}}`,
			`{"_id":"a","_wheels":2,"meta":{"b":null,"a":"2026-11-27T20:37:00+01:00"}}`,
		},
		"one text or many, as they come": {
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

func TestCheckGathersEveryProblem(t *testing.T) {
	t.Parallel()
	_, err := check(domaintest.JSON(`{"_wheels":4,"chain":true,"nam":"x","parts":[{"code":"abcdef"},null],"colour":"Red",
		"odd name":1,"log":null,"_id":null}`))
	want := []domain.FieldError{
		{Path: "nam", Message: "is not a member of this object", Hint: `Did you mean "name"?`},
		{Path: "parts[0].code", Message: "must be at most 5 characters, not 6"},
		{Path: "parts[1]", Message: "must be an object, not null"},
		{Path: "colour", Message: "must be one of RED, dark-blue", Hint: `Did you mean "RED"?`},
		{Path: `["odd name"]`, Message: "is not a member of this object", Hint: "The members are " +
			"_id, _wheels, colour, name, chain, doors, serial, owner, madeIn, parts, main, costs, causes, drivers, meta, log, area, __v, madeAt."},
		{Path: "_id", Message: "is required"},
		{Path: "chain", Message: "is allowed only with _wheels 2"},
	}
	if got := domain.AsError(err).Fields; !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestCheckStopsAtAHundredProblems(t *testing.T) {
	t.Parallel()
	text := `{"_id":"a","_wheels":2,"parts":[` + strings.Repeat(`{"cod":"x"},`, 50_000) + `0]}`
	_, err := check(domaintest.JSON(text))
	if fields := domain.AsError(err).Fields; len(fields) != 100 {
		t.Errorf("got %d problems, want 100", len(fields))
	}
}

func TestWithSetsAMemberAtItsPlace(t *testing.T) {
	t.Parallel()
	whole := domaintest.JSON(`{"_id":"a","_wheels":2,"madeAt":"x"}`)
	got := definition.With(definition.With(whole, "name", ecmajson.NewString("n")), "madeAt", ecmajson.NewString("y"))
	if want := `{"_id":"a","_wheels":2,"name":"n","madeAt":"y"}`; string(got.Append(nil)) != want {
		t.Errorf("got %s, want %s", got.Append(nil), want)
	}
}

func TestTheDefinitionCanBePrinted(t *testing.T) {
	t.Parallel()
	var lines []string
	for _, d := range definition.Definitions() {
		for _, member := range d.Members {
			lines = append(lines, fmt.Sprintf("%s.%s %s %v", d.Name, member.Name, member.Type, member.Required))
		}
	}
	want := []string{
		"vehicle._id id true", "vehicle._wheels enum 2, 4 true", "vehicle.colour enum RED, dark-blue false",
		"vehicle.name string false", "vehicle.chain boolean false", "vehicle.doors integer false", "vehicle.serial UUID false",
		"vehicle.owner e-mail false", "vehicle.madeIn country false", "vehicle.parts array of part false", "vehicle.main part false",
		"vehicle.costs object of number false", "vehicle.causes string or array of string false",
		"vehicle.drivers array of id false", "vehicle.meta object false", "vehicle.log array of any value false",
		"vehicle.area array of number false", "vehicle.__v integer false", "vehicle.madeAt date-time true",
		"part.code string true", "part.price number false",
	}
	if !reflect.DeepEqual(lines, want) {
		t.Errorf("got  %q\nwant %q", lines, want)
	}
}

func TestReadRefusesMistakesOfTheProgram(t *testing.T) {
	t.Parallel()
	for name, read := range map[string]func(){
		"a field without a name": func() { document.Read[struct{ A string }]() },
		"a type of no JSON": func() {
			document.Read[struct {
				A chan int `json:"a"`
			}]()
		},
		"a word that means nothing": func() {
			document.Read[struct {
				A int `json:"a" document:"uuid"`
			}]()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			defer func() {
				if recover() == nil {
					t.Error("it was read")
				}
			}()
			read()
		})
	}
}
