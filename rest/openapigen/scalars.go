package main

import (
	"slices"

	"github.com/goccy/go-yaml"

	"ticketgate/domain"
	"ticketgate/domain/access"
	"ticketgate/domain/scan"
)

// scalars maps scalars of the GraphQL schema to their schemas, unless they are components.
var scalars = map[string]object{
	"ID":               {{Key: "type", Value: "string"}},
	"String":           {{Key: "type", Value: "string"}},
	"Int":              {{Key: "type", Value: "integer"}},
	"Integer":          {{Key: "type", Value: "integer"}},
	"Float":            {{Key: "type", Value: "number"}},
	"Number":           {{Key: "type", Value: "number"}},
	"Boolean":          {{Key: "type", Value: "boolean"}},
	"JSON":             {},
	"Expiry":           {},
	"DateTime":         ref("Instant"),
	"Permission":       ref("Permission"),
	"EventType":        ref("EventType"),
	"EventSelection":   ref("EventSelection"),
	"EntryImportMode":  ref("EntryImportMode"),
	"CodePreset":       ref("CodePreset"),
	"DeviceChangeType": ref("DeviceChangeType"),
}

// tables returns the schemas whose values are rows of a table in package domain.
func (g *generator) tables() object {
	kinds := domain.EventKinds()
	types, selection := make([]string, 0, len(kinds)), make(object, 0, len(kinds))
	var data []string
	fields := make(object, 0, len(kinds))
	for _, kind := range kinds {
		types = append(types, string(kind.Type))
		selection = append(selection, yaml.MapItem{Key: string(kind.Type), Value: object{
			{Key: "type", Value: "boolean"},
			{Key: "description", Value: "Whether events of this type are sent. They are published when " + kind.TriggerClause() + "."},
		}})
		data = append(data, kind.Data...)
	}
	slices.Sort(data)
	for _, name := range slices.Compact(data) {
		fields = append(fields, yaml.MapItem{Key: name, Value: resource(name)})
	}
	codes := slices.DeleteFunc(domain.Codes(), func(code domain.Code) bool { return code == domain.CodeAnsweredBefore })
	changes := scan.ChangeType("").Names()
	return object{
		{Key: "ErrorCode", Value: texts("The machine-readable kind of the error. Existing codes never change.", codes)},
		{Key: "Permission", Value: texts(g.schema.Types["Permission"].Description, domain.Permissions())},
		{Key: "EntryImportMode", Value: texts(g.schema.Types["EntryImportMode"].Description, access.ImportModes())},
		{Key: "CodePreset", Value: texts(g.schema.Types["CodePreset"].Description, access.Presets())},
		{Key: "DeviceChangeType", Value: texts(g.schema.Types["DeviceChangeType"].Description, changes)},
		{Key: "EventType", Value: texts(g.schema.Types["EventType"].Description, types)},
		{Key: "EventSelection", Value: object{
			{Key: "type", Value: "object"},
			{Key: "description", Value: g.schema.Types["EventSelection"].Description},
			{Key: "additionalProperties", Value: false},
			{Key: "properties", Value: selection},
		}},
		{Key: "CompleteEventSelection", Value: object{
			{Key: "description", Value: "All event types, each with true or false."},
			{Key: "allOf", Value: []object{ref("EventSelection")}},
			{Key: "required", Value: types},
		}},
		{Key: "EventData", Value: object{
			{Key: "type", Value: "object"},
			{Key: "description", Value: "The record under its singular name. Events about transactions also contain its tickets."},
			{Key: "additionalProperties", Value: false},
			{Key: "minProperties", Value: 1},
			{Key: "properties", Value: fields},
		}},
	}
}

// resource returns the schema of a field of an event's data.
func resource(name string) object {
	anyObject := yaml.MapItem{Key: "type", Value: "object"}
	if name == "tickets" {
		return object{
			{Key: "type", Value: "array"},
			{Key: "description", Value: "The tickets of the transaction as of the event."},
			{Key: "items", Value: object{anyObject}},
		}
	}
	return object{anyObject, {Key: "description", Value: "The record as of the event, in events named " + name + ".*."}}
}

// texts returns the schema of a text with a fixed set of values.
func texts[T ~string](description string, values []T) object {
	return object{{Key: "type", Value: "string"}, {Key: "description", Value: description}, {Key: "enum", Value: values}}
}
