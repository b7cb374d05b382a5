package rest

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
	"ticketgate/graph/edge"
)

// readBody reads one JSON object; a POST that requires no member may have no body at all (decisions 1.7).
func readBody(r *http.Request) (ecmajson.Value, error) {
	value, err := readJSON(r)
	if err == nil && value.Kind() != ecmajson.Object {
		err = domain.NewError(domain.CodeInvalidRequest, "The body must be one JSON object")
	}
	return value, err
}

// readJSON reads one JSON value; no body at all is an empty object.
func readJSON(r *http.Request) (ecmajson.Value, error) {
	raw, err := readText(r)
	if err != nil {
		return ecmajson.Value{}, err
	}
	return edge.ParseJSON(raw)
}

// readText reads the text of a JSON body; no body at all is an empty object.
func readText(r *http.Request) ([]byte, error) {
	raw, err := edge.ReadBody(r, edge.MaxBody)
	switch {
	case err != nil:
		return nil, err
	case len(raw) == 0:
		return []byte("{}"), nil
	case !edge.IsJSON(r.Header):
		return nil, domain.NewError(domain.CodeUnsupportedMediaType,
			"The body must be uncompressed JSON, sent with Content-Type: application/json")
	}
	return raw, nil
}

// optional is what *domain.Optional[T] offers to a reader.
type optional interface {
	Present() any
	Clear()
}

// bind fills a struct from a JSON object by its json tags and gathers everything that is wrong. A field is
// required unless it is optional, a pointer or tagged omitempty. Members of the resource that can't be written
// are accepted and ignored, any other unknown one is refused with the nearest name (decisions 1.5).
func bind(object ecmajson.Value, into any, readOnly map[string]bool) error {
	var problems domain.Problems
	bindStruct(&problems, "", object, reflect.ValueOf(into).Elem(), readOnly)
	return problems.Err()
}

func bindStruct(p *domain.Problems, path string, object ecmajson.Value, into reflect.Value, readOnly map[string]bool) {
	if object.Kind() != ecmajson.Object {
		p.Add(path, "must be an object")
		return
	}
	fields := fieldsOf(into.Type())
	for _, member := range object.Members() {
		field, ok := fields.named[member.Name]
		switch {
		case ok:
			bindField(p, domain.JoinPath(path, member.Name), member.Value, into.FieldByIndex(field.index), field.required)
		case !readOnly[member.Name]:
			refuseUnknown(p, path, member.Name, fields.names)
		}
	}
	for _, name := range fields.names {
		if _, sent := object.Member(name); !sent && fields.named[name].required {
			p.Add(domain.JoinPath(path, name), "is required")
		}
	}
}

func bindField(p *domain.Problems, path string, value ecmajson.Value, into reflect.Value, required bool) {
	if member, ok := reflect.TypeAssert[optional](into.Addr()); ok {
		if value.Kind() == ecmajson.Null {
			member.Clear()
			return
		}
		bindValue(p, path, value, reflect.ValueOf(member.Present()).Elem())
		return
	}
	if value.Kind() == ecmajson.Null {
		if required {
			p.Add(path, "is required and must not be null")
		}
		return
	}
	bindValue(p, path, value, into)
}

func bindValue(p *domain.Problems, path string, value ecmajson.Value, into reflect.Value) {
	switch target := into.Addr().Interface().(type) {
	case *ecmajson.Value:
		*target = value
		return
	case json.Unmarshaler:
		if err := target.UnmarshalJSON(value.Print()); err != nil {
			p.Add(path, err.Error())
		}
		return
	}
	switch into.Kind() {
	case reflect.Pointer:
		into.Set(reflect.New(into.Type().Elem()))
		bindValue(p, path, value, into.Elem())
	case reflect.Struct:
		bindStruct(p, path, value, into, nil)
	case reflect.Slice:
		bindSlice(p, path, value, into)
	case reflect.Map:
		bindMap(p, path, value, into)
	default:
		bindScalar(p, path, value, into)
	}
}

func bindSlice(p *domain.Problems, path string, value ecmajson.Value, into reflect.Value) {
	if value.Kind() != ecmajson.Array {
		p.Add(path, "must be an array")
		return
	}
	elements := value.Elements()
	into.Set(reflect.MakeSlice(into.Type(), len(elements), len(elements)))
	for i, element := range elements {
		bindField(p, domain.IndexPath(path, i), element, into.Index(i), true)
	}
}

// maxMapEntries is far above what any map of a body needs.
const maxMapEntries = 1000

func bindMap(p *domain.Problems, path string, value ecmajson.Value, into reflect.Value) {
	if value.Kind() != ecmajson.Object {
		p.Add(path, "must be an object")
		return
	}
	if !p.Count(path, len(value.Members()), maxMapEntries) {
		return
	}
	kind := into.Type()
	into.Set(reflect.MakeMap(kind))
	for _, member := range value.Members() {
		element := reflect.New(kind.Elem()).Elem() // null is no value: it stays zero (decisions 1.3)
		bindField(p, fmt.Sprintf("%s[%q]", path, member.Name), member.Value, element, false)
		into.SetMapIndex(reflect.ValueOf(member.Name).Convert(kind.Key()), element)
	}
}

func bindScalar(p *domain.Problems, path string, value ecmajson.Value, into reflect.Value) {
	switch {
	case into.Kind() == reflect.String && value.Kind() == ecmajson.String:
		into.SetString(value.Text())
	case into.Kind() == reflect.Bool && value.Kind() == ecmajson.Bool:
		into.SetBool(value.Bool())
	case into.CanInt() && value.Kind() == ecmajson.Number:
		bindInteger(p, path, value, into)
	case into.CanFloat() && value.Kind() == ecmajson.Number:
		into.SetFloat(numberOf(value))
	default:
		p.Add(path, "must be "+scalarName(into)+", not "+value.Kind().InWords())
	}
}

func bindInteger(p *domain.Problems, path string, value ecmajson.Value, into reflect.Value) {
	number, err := strconv.ParseInt(value.Number(), 10, 64)
	switch {
	case err == nil && !into.OverflowInt(number):
		into.SetInt(number)
	case numberOf(value) != math.Trunc(numberOf(value)):
		p.Add(path, "must be an integer")
	default:
		p.Add(path, "must be an integer of at most 64 bits")
	}
}

// numberOf reads what the strict reader has already accepted as a number.
func numberOf(value ecmajson.Value) float64 {
	number, _ := strconv.ParseFloat(value.Number(), 64)
	return number
}

func scalarName(into reflect.Value) string {
	switch {
	case into.Kind() == reflect.Bool:
		return "true or false"
	case into.CanInt():
		return "an integer"
	case into.CanFloat():
		return "a number"
	}
	return "a string"
}

func refuseUnknown(p *domain.Problems, path, name string, known []string) {
	const longest = 64 // of what is repeated to its sender
	full := domain.JoinPath(path, domain.Shorten(name, longest))
	if len(known) == 0 {
		p.Add(full, "is not known; this request takes no members")
		return
	}
	if p.Full() {
		p.Add(full, "is not known")
		return
	}
	if nearest, ok := domain.Nearest(name, known); ok {
		p.AddHint(full, "is not known", fmt.Sprintf("did you mean %q?", nearest))
		return
	}
	p.Add(full, "is not known; the members are "+strings.Join(known, ", "))
}
