package edge

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// appender is a value that appends its own JSON, such as a time or a document. The result equals that of its
// MarshalJSON.
type appender interface {
	json.Marshaler
	Append(dst []byte) []byte
}

// appendJSON appends the JSON of a value as encoding/json writes it, without HTML escapes. encoding/json parses the
// result of each MarshalJSON again to compact it, which took two thirds of the time of writing a page of entries.
func appendJSON(dst []byte, value any) ([]byte, error) {
	if value == nil {
		return append(dst, "null"...), nil
	}
	v := reflect.ValueOf(value)
	return writerOf(v.Type())(dst, v)
}

// jsonWriter appends a value of one type.
type jsonWriter func(dst []byte, v reflect.Value) ([]byte, error)

// jsonWriters caches the writers by type.
var jsonWriters sync.Map

func writerOf(t reflect.Type) jsonWriter {
	if known, ok := jsonWriters.Load(t); ok {
		return known.(jsonWriter) //nolint:errcheck,forcetypeassert,revive // nothing else is stored
	}
	// In a recursive type, encoding/json writes the inner value.
	jsonWriters.LoadOrStore(t, jsonWriter(byEncodingJSON))
	created := newJSONWriter(t)
	jsonWriters.Store(t, created)
	return created
}

var (
	appenderType      = reflect.TypeFor[appender]()
	jsonMarshalerType = reflect.TypeFor[json.Marshaler]()
	textMarshalerType = reflect.TypeFor[interface{ MarshalText() ([]byte, error) }]()
)

// newJSONWriter returns the writer of a type. It leaves unsupported types to encoding/json.
func newJSONWriter(t reflect.Type) jsonWriter {
	switch pointer := reflect.PointerTo(t); {
	case t.Kind() == reflect.Pointer:
		element := writerOf(t.Elem())
		return func(dst []byte, v reflect.Value) ([]byte, error) {
			if v.IsNil() {
				return append(dst, "null"...), nil
			}
			return element(dst, v.Elem())
		}
	case t.Kind() == reflect.Interface:
		return func(dst []byte, v reflect.Value) ([]byte, error) { return appendJSON(dst, v.Interface()) }
	case t.Implements(appenderType):
		return func(dst []byte, v reflect.Value) ([]byte, error) {
			return shared(v).(appender).Append(dst), nil //nolint:errcheck,forcetypeassert // checked above
		}
	case pointer.Implements(jsonMarshalerType) || pointer.Implements(textMarshalerType):
		return byEncodingJSON
	}
	switch t.Kind() {
	case reflect.String:
		return func(dst []byte, v reflect.Value) ([]byte, error) { return appendJSONString(dst, v.String()) }
	case reflect.Bool:
		return func(dst []byte, v reflect.Value) ([]byte, error) { return strconv.AppendBool(dst, v.Bool()), nil }
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return func(dst []byte, v reflect.Value) ([]byte, error) { return strconv.AppendInt(dst, v.Int(), 10), nil }
	case reflect.Slice:
		return sliceWriter(t)
	case reflect.Struct:
		return structWriter(t)
	default:
		return byEncodingJSON
	}
}

// byEncodingJSON appends a value with encoding/json.
func byEncodingJSON(dst []byte, v reflect.Value) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(shared(v))
	return append(dst, bytes.TrimSuffix(text.Bytes(), []byte{'\n'})...), err
}

func sliceWriter(t reflect.Type) jsonWriter {
	if t.Elem().Kind() == reflect.Uint8 {
		return byEncodingJSON
	}
	element := writerOf(t.Elem())
	return func(dst []byte, v reflect.Value) (_ []byte, err error) {
		if v.IsNil() {
			return append(dst, "null"...), nil
		}
		dst = append(dst, '[')
		for i := range v.Len() {
			if i > 0 {
				dst = append(dst, ',')
			}
			if dst, err = element(dst, v.Index(i)); err != nil {
				return dst, err
			}
		}
		return append(dst, ']'), nil
	}
}

// shared returns a pointer to the value if it is addressable. This avoids a copy, and lets encoding/json find pointer
// methods.
func shared(v reflect.Value) any {
	if v.CanAddr() {
		return v.Addr().Interface()
	}
	return v.Interface()
}

// jsonField is a field of a struct with its JSON name.
type jsonField struct {
	index int
	// name is the quoted name with its colon.
	name  string
	write jsonWriter
	// empty reports whether the field is omitted. Nil means never.
	empty func(reflect.Value) bool
}

// structWriter returns the writer of a struct. It leaves structs that embed others, or that use options no response has,
// to encoding/json.
func structWriter(t reflect.Type) jsonWriter {
	fields, known := fieldsOf(t)
	if !known {
		return byEncodingJSON
	}
	return func(dst []byte, v reflect.Value) (_ []byte, err error) {
		dst = append(dst, '{')
		first := len(dst)
		for _, f := range fields {
			value := v.Field(f.index)
			if f.empty != nil && f.empty(value) {
				continue
			}
			if len(dst) > first {
				dst = append(dst, ',')
			}
			if dst, err = f.write(append(dst, f.name...), value); err != nil {
				return dst, err
			}
		}
		return append(dst, '}'), nil
	}
}

// fieldsOf returns the fields that are written. It reports false for a struct that is left to encoding/json.
func fieldsOf(t reflect.Type) (fields []jsonField, known bool) {
	for i := range t.NumField() {
		of := t.Field(i)
		tag := of.Tag.Get("json")
		if tag == "-" || (!of.IsExported() && !of.Anonymous) {
			continue
		}
		name, list, _ := strings.Cut(tag, ",")
		options := strings.Split(list, ",")
		twice := slices.ContainsFunc(fields, func(f jsonField) bool { return f.name == strconv.Quote(name)+":" })
		if of.Anonymous || !isPlainName(name) || twice || slices.Contains(options, "string") {
			return nil, false
		}
		field := jsonField{index: i, name: strconv.Quote(name) + ":", write: writerOf(of.Type)}
		switch {
		case slices.Contains(options, "omitzero"):
			field.empty = zeroOf(of.Type)
		case slices.Contains(options, "omitempty"):
			field.empty = emptyOf(of.Type)
		}
		fields = append(fields, field)
	}
	return fields, true
}

// isPlainName reports whether a tag's name consists of letters, digits and underscores.
func isPlainName(name string) bool {
	return name != "" && strings.Trim(name, "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == ""
}

// zeroOf returns a function that reports whether a value is zero, for the option omitzero.
func zeroOf(t reflect.Type) func(reflect.Value) bool {
	type zeroer interface{ IsZero() bool }
	if t.Implements(reflect.TypeFor[zeroer]()) && t.Kind() != reflect.Pointer && t.Kind() != reflect.Interface {
		return func(v reflect.Value) bool { return shared(v).(zeroer).IsZero() } //nolint:errcheck,forcetypeassert // as was just seen
	}
	return reflect.Value.IsZero
}

// emptyOf returns a function that reports whether a value is empty, for the option omitempty, or nil if the type has no
// empty values.
func emptyOf(t reflect.Type) func(reflect.Value) bool {
	switch t.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return func(v reflect.Value) bool { return v.Len() == 0 }
	case reflect.Struct:
		return nil
	default:
		return reflect.Value.IsZero
	}
}

// appendJSONString appends a string. It copies most strings unchanged. Strings with control characters, quotes,
// backslashes, line separators or invalid UTF-8 are left to encoding/json.
func appendJSONString(dst []byte, s string) ([]byte, error) {
	ascii := true
	for i := range len(s) {
		c := s[i]
		if c < ' ' || c == '"' || c == '\\' {
			return byEncodingJSON(dst, reflect.ValueOf(s))
		}
		ascii = ascii && c < utf8.RuneSelf
	}
	if !ascii && (!utf8.ValidString(s) || strings.Contains(s, "\u2028") || strings.Contains(s, "\u2029")) {
		return byEncodingJSON(dst, reflect.ValueOf(s))
	}
	return append(append(append(dst, '"'), s...), '"'), nil
}
