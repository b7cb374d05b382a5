package main

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/codegen"
	"github.com/99designs/gqlgen/codegen/config"
	"github.com/99designs/gqlgen/codegen/templates"
)

// object is a type of the schema.
type object struct {
	*codegen.Object
	plain *plain
}

// Plain returns the fields that need neither a resolver nor gqlgen.
func (o object) Plain() []field {
	var found []field
	for _, f := range o.Fields {
		if f := (field{f, o.plain}); f.isPlain() {
			found = append(found, f)
		}
	}
	return found
}

// Leaves returns the plain fields without objects.
func (o object) Leaves() []field {
	return slices.DeleteFunc(o.Plain(), func(f field) bool { return !f.TypeReference.Definition.IsLeafType() })
}

// Branches returns the plain fields with objects.
func (o object) Branches() []field {
	return slices.DeleteFunc(o.Plain(), func(f field) bool { return f.TypeReference.Definition.IsLeafType() })
}

// Names returns the names of fields as a list of Go case expressions.
func (o object) Names(fields []field) string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = fmt.Sprintf("%q", f.Name)
	}
	return strings.Join(names, ", ")
}

type field struct {
	*codegen.Field
	plain *plain
}

func (f field) isPlain() bool {
	isMethod := f.IsMethod() && !f.MethodHasContext && (f.NoErr || f.VOkFunc)
	return (f.IsVariable() || isMethod) && !f.IsResolver && !f.IsReserved() && !f.Batch && !f.HasHaser && !f.HasDirectives() &&
		len(f.Args) == 0 && !isInterface(f.TypeReference.GO) && f.plain.writes(f.TypeReference)
}

// writes reports whether values of a type can be written.
func (p *plain) writes(reference *config.TypeReference) bool {
	switch {
	case reference.IsPtrToSlice() || reference.IsPtrToPtr() || reference.IsPtrToIntf():
		return false
	case reference.IsSlice() || reference.IsPtr():
		return p.writes(reference.Elem())
	case reference.Definition.IsLeafType():
		return reference.GQL.Elem == nil && (isFloat(reference) || isScalar(reference)) && !reference.HasEnumValues()
	}
	return p.knows(reference.Definition.Name) && isObjects(reference)
}

// isScalar reports whether a type has a method or a function that marshals it without a context.
func isScalar(reference *config.TypeReference) bool {
	return !reference.IsContext && (reference.IsMarshaler || reference.Marshaler != nil)
}

func isFloat(reference *config.TypeReference) bool {
	return reference.Marshaler != nil && reference.Marshaler.FullName() == gqlgen+"MarshalFloatContext"
}

func isString(reference *config.TypeReference) bool {
	return reference.Marshaler != nil && reference.Marshaler.FullName() == gqlgen+"MarshalString"
}

func isInterface(t types.Type) bool {
	_, is := t.Underlying().(*types.Interface)
	return is
}

// gqlgen is the import path of the functions for scalars.
const gqlgen = "github.com/99designs/gqlgen/graphql."

// Write returns the statements that write the field of obj.
func (f field) Write() string {
	from := "obj." + f.GoFieldName
	switch {
	case f.IsVariable():
		return writing(f.TypeReference, from, "field.Below", f.isCounted())
	case f.VOkFunc:
		return "v, ok := " + from + "()\nif !ok {\n" + null(f.TypeReference) + "\n} else {\n" +
			writing(f.TypeReference, "v", "field.Below", f.isCounted()) + "\n}"
	}
	return "v := " + from + "()\n" + writing(f.TypeReference, "v", "field.Below", f.isCounted())
}

// isCounted reports whether the bytes of the field's values count (LIMIT-29), which holds for the types known to
// graph.bytesOf.
func (f field) isCounted() bool {
	return slices.Contains([]string{
		"string", "*string", "[]string",
		"ticketgate/domain/ecmajson.Value", "*ticketgate/domain/ecmajson.Value", "[]ticketgate/domain/ecmajson.Value",
	}, f.TypeReference.GO.String())
}

// Write returns the statements that write v with its selection.
func (p *plain) Write(reference *config.TypeReference) string {
	return writing(reference, "v", "selected", false)
}

// writing returns the statements that write the value of an expression without side effects.
func writing(reference *config.TypeReference, value, below string, isCounted bool) string {
	switch {
	case reference.IsSlice():
		return writingList(reference, value, below, isCounted)
	case reference.IsPtr() && !reference.Definition.IsLeafType():
		return "if " + value + " == nil {\n" + null(reference) + "\n} else {\n" + writingObject(reference, value, below) + "\n}"
	case reference.GO.String() == "*string" && isCounted && isString(reference):
		return fmt.Sprintf("w.TextOrNull(%s, %t)", value, !reference.GQL.NonNull)
	case reference.IsPtr():
		pointed := reference.Elem()
		return "if " + value + " == nil {\n" + null(reference) + "\n} else {\n" + writing(pointed, "(*"+value+")", below, isCounted) + "\n}"
	case !reference.Definition.IsLeafType():
		return writingObject(reference, "&"+value, below)
	case reference.IsNilable():
		return "if " + value + " == nil {\n" + null(reference) + "\n} else {\n" + writingScalar(reference, value, isCounted) + "\n}"
	}
	return writingScalar(reference, value, isCounted)
}

func writingObject(reference *config.TypeReference, pointer, below string) string {
	return "write_" + reference.Definition.Name + "(w, " + below + ", " + pointer + ")"
}

func writingList(reference *config.TypeReference, value, below string, isCounted bool) string {
	depth := strings.Count(value, "[")
	i, start := fmt.Sprintf("i%d", depth), fmt.Sprintf("start%d", depth)
	list := start + " := w.List()\nfor " + i + " := range " + value + " {\n" +
		"if !w.Item(" + start + ", " + i + ", len(" + value + ")) {\nbreak\n}\n" +
		writing(reference.Elem(), value+"["+i+"]", below, isCounted) + "\n}\nw.EndList()"
	if reference.GQL.NonNull {
		return list
	}
	return "if " + value + " == nil {\n" + null(reference) + "\n} else {\n" + list + "\n}"
}

func null(reference *config.TypeReference) string {
	return fmt.Sprintf("w.Null(%t)", !reference.GQL.NonNull)
}

// writingScalar returns the fastest statement that writes a value of a scalar or an enumeration.
func writingScalar(reference *config.TypeReference, value string, isCounted bool) string {
	count := ""
	if isCounted && reference.GO.String() != "string" {
		count = "w.Count(" + value + ".Size())\n"
	}
	if reference.IsMarshaler {
		if appends(reference.GO) {
			return count + "w.JSON = " + value + ".Append(w.JSON)"
		}
		return count + value + ".MarshalGQL(w)"
	}
	if reference.CastType != nil {
		value = templates.CurrentImports.LookupType(reference.CastType) + "(" + value + ")"
	}
	switch strings.TrimPrefix(reference.Marshaler.FullName(), gqlgen) {
	case "MarshalString":
		if isCounted {
			return "w.Text(" + value + ")"
		}
		return "w.String(" + value + ")"
	case "MarshalInt":
		return "w.Int(int64(" + value + "))"
	case "MarshalInt64":
		return "w.Int(" + value + ")"
	case "MarshalBoolean":
		return "w.Bool(" + value + ")"
	case "MarshalFloatContext":
		return "w.Float(" + value + ")"
	}
	return fmt.Sprintf("w.Scalar(%s(%s), %t)", templates.Call(reference.Marshaler), value, !reference.GQL.NonNull)
}

// appends reports whether a type has a method that appends a value to JSON.
func appends(to types.Type) bool {
	method, _, _ := types.LookupFieldOrMethod(to, true, nil, "Append")
	return method != nil && types.TypeString(method.Type(), nil) == "func(dst []byte) []byte"
}
