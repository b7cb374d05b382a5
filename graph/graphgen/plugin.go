package main

import (
	_ "embed"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/codegen"
	"github.com/99designs/gqlgen/codegen/config"
	"github.com/99designs/gqlgen/codegen/templates"
	"github.com/vektah/gqlparser/v2/ast"
)

//go:embed plain.gotpl
var plainTemplate string

// plugin generates functions that write plain objects (package graph/plain), and functions that marshal objects, lists,
// interfaces and unions. The latter replace gqlgen's functions of the same names, and call gqlgen's functions of the
// objects for everything that isn't plain.
type plugin struct{}

// Name returns the plugin's name for gqlgen.
func (plugin) Name() string { return "plain" }

// GenerateCode is called before gqlgen generates its own code from the same data.
func (plugin) GenerateCode(data *codegen.Data) error {
	if len(data.AllDirectives.LocationDirectives("FIELD")) > 0 || data.HasBatchResolverFields() || data.Config.OmitPanicHandler {
		return errors.New("plain objects have no directives of fields in documents, no batches, and panics are recovered")
	}
	generated := plain{objects: map[string]object{}}
	for _, o := range data.Objects {
		if isWritable(o) {
			generated.objects[o.Name] = object{Object: o, plain: &generated}
		}
	}
	for key, reference := range data.ReferencedTypes {
		if generated.takes(reference) {
			generated.references = append(generated.references, reference)
			delete(data.ReferencedTypes, key)
		}
	}
	for name, i := range data.Interfaces {
		if !slices.ContainsFunc(i.Implementors, func(item codegen.InterfaceImplementor) bool { return !generated.knows(item.Name) }) {
			generated.interfaces = append(generated.interfaces, i)
			delete(data.Interfaces, name)
		}
	}
	return templates.Render(templates.Options{
		PackageName:     data.Config.Exec.Package,
		Filename:        filepath.Join(data.Config.Exec.DirName, "plain.generated.go"),
		Template:        plainTemplate,
		Data:            &generated,
		GeneratedHeader: true,
		Packages:        data.Config.Packages,
		PruneOptions:    data.Config.GetPruneOptions(),
	})
}

// isWritable reports whether objects of a type are structs. Introspection is left to gqlgen.
func isWritable(o *codegen.Object) bool {
	return o.Kind == ast.Object && !o.Root && !o.IsReserved() && !o.IsMap() && !config.IsNilable(o.Type)
}

// plain is the data of the template.
type plain struct {
	objects    map[string]object
	references []*config.TypeReference
	interfaces []*codegen.Interface
}

func (p *plain) knows(name string) bool {
	_, known := p.objects[name]
	return known
}

// Objects returns the types by name.
func (p *plain) Objects() []object {
	return slices.SortedFunc(maps.Values(p.objects), func(a, b object) int { return strings.Compare(a.Name, b.Name) })
}

// References returns the types of fields whose values are these objects.
func (p *plain) References() []*config.TypeReference {
	return slices.SortedFunc(slices.Values(p.references), func(a, b *config.TypeReference) int {
		return strings.Compare(a.MarshalFunc(), b.MarshalFunc())
	})
}

// Interfaces returns the interfaces and unions of these objects.
func (p *plain) Interfaces() []*codegen.Interface {
	return slices.SortedFunc(slices.Values(p.interfaces), func(a, b *codegen.Interface) int { return strings.Compare(a.Name, b.Name) })
}

// takes reports whether the template contains the function that marshals a type.
func (p *plain) takes(reference *config.TypeReference) bool {
	return p.knows(reference.Definition.Name) && isObjects(reference)
}

// isObjects reports whether values of a type are objects, pointers to objects, or lists of them.
func isObjects(reference *config.TypeReference) bool {
	switch {
	case reference.IsMarshaler || reference.Marshaler != nil:
		return false
	case reference.IsPtrToSlice() || reference.IsPtrToPtr() || reference.IsPtrToIntf():
		return false
	case reference.IsSlice():
		return isObjects(reference.Elem())
	}
	return reference.GQL.Elem == nil
}
