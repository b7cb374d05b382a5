package document_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"ticketgate/domain/document"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/ecmajson"
)

var definition = domaintest.VehicleDefinition

// The decoded struct holds exactly what was checked.
func TestStructHoldsTheWholeDocument(t *testing.T) {
	t.Parallel()
	text := domaintest.Document(definition).Append(nil)
	var held domaintest.Vehicle
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

func TestWithSetsFieldInOrder(t *testing.T) {
	t.Parallel()
	whole := domaintest.JSON(`{"_id":"a","_wheels":2,"madeAt":"x"}`)
	got := definition.With(definition.With(whole, "name", ecmajson.NewString("n")), "madeAt", ecmajson.NewString("y"))
	if want := `{"_id":"a","_wheels":2,"name":"n","madeAt":"y"}`; string(got.Append(nil)) != want {
		t.Errorf("got %s, want %s", got.Append(nil), want)
	}
}

func TestWithKeepsOtherFields(t *testing.T) {
	t.Parallel()
	for _, row := range [...]struct{ document, name, value, want string }{
		{`{}`, "name", `"n"`, `{"name":"n"}`},
		{`{"_id":"a","name":"o","madeAt":"x"}`, "name", `"n"`, `{"_id":"a","name":"n","madeAt":"x"}`},
		{`{"_id":"a","name":"o","madeAt":"x"}`, "name", `null`, `{"_id":"a","madeAt":"x"}`},
		{`{"_id":"a","madeAt":"x"}`, "name", `null`, `{"_id":"a","madeAt":"x"}`},
		{`{"_id":"a","further":null}`, "madeAt", `"x"`, `{"_id":"a","madeAt":"x","further":null}`},
		{`{"madeAt":null,"further":1}`, "_id", `"a"`, `{"_id":"a","further":1}`},
		{`{"further":1,"madeAt":"x","_id":"a"}`, "name", `"n"`, `{"_id":"a","name":"n","madeAt":"x","further":1}`},
	} {
		got := definition.With(domaintest.JSON(row.document), row.name, domaintest.JSON(row.value))
		if string(got.Append(nil)) != row.want {
			t.Errorf("%s with %s %s is %s, want %s", row.document, row.name, row.value, got.Append(nil), row.want)
		}
	}
}

func TestRewriteChangesInnerObjectsFirst(t *testing.T) {
	t.Parallel()
	before := domaintest.JSON(`{"_id":"a","parts":[{"code":"1"},{"code":"2","price":1}],"main":{"code":"3","price":2},"meta":{"code":"4"}}`)
	var seen []string
	got := definition.Rewrite("v", before, func(path string, of *document.Definition, object ecmajson.Value) (ecmajson.Value, bool) {
		seen = append(seen, path)
		if _, priced := object.Field("price"); !priced {
			return object, false
		}
		return of.With(object, "price", domaintest.JSON("9")), true
	})
	want := `{"_id":"a","parts":[{"code":"1"},{"code":"2","price":9}],"main":{"code":"3","price":9},"meta":{"code":"4"}}`
	if string(got.Append(nil)) != want || !reflect.DeepEqual(seen, []string{"v.parts[0]", "v.parts[1]", "v.main", "v"}) {
		t.Errorf("got %s after %q, want %s", got.Append(nil), seen, want)
	}
	if string(before.Append(nil)) == want {
		t.Error("the document itself was changed")
	}
}

func TestDefinitionCanBePrinted(t *testing.T) {
	t.Parallel()
	var lines []string
	for _, d := range definition.Definitions() {
		for _, field := range d.Members {
			lines = append(lines, fmt.Sprintf("%s.%s %s %v", d.Name, field.Name, field.Type, field.Required))
		}
	}
	want := []string{
		"Vehicle._id id true", "Vehicle._wheels enum 2, 4 true", "Vehicle.color enum RED, dark-blue false",
		"Vehicle.name string false", "Vehicle.chain boolean false", "Vehicle.doors integer false", "Vehicle.serial UUID false",
		"Vehicle.owner email false", "Vehicle.madeIn country false", "Vehicle.parts array of VehiclePart false", "Vehicle.main VehiclePart false",
		"Vehicle.costs object of number false", "Vehicle.causes string or array of string false",
		"Vehicle.drivers array of id false", "Vehicle.meta object false", "Vehicle.log array of any value false",
		"Vehicle.area array of number false", "Vehicle.__v integer false", "Vehicle.madeAt date-time true",
		"VehiclePart.code string true", "VehiclePart.price number false",
	}
	if !reflect.DeepEqual(lines, want) {
		t.Errorf("got  %q\nwant %q", lines, want)
	}
}

func TestReadRefusesInvalidDefinitions(t *testing.T) {
	t.Parallel()
	for name, read := range map[string]func(){
		"a field without a name": func() { document.Read[struct{ A string }]() },
		"a type without a JSON form": func() {
			document.Read[struct {
				A chan int `json:"a"`
			}]()
		},
		"an invalid word": func() {
			document.Read[struct {
				A int `json:"a" document:"uuid"`
			}]()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			defer func() {
				if recover() == nil {
					t.Error("Read did not panic")
				}
			}()
			read()
		})
	}
}
