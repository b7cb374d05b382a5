package domaintest

import (
	"ticketgate/domain/document"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/moment"
)

// VehicleDefinition is the definition of a Vehicle.
var VehicleDefinition = document.Read[Vehicle]()

type color string

// Names returns the values.
func (color) Names() []string { return []string{"RED", "dark-blue"} }

type wheels int

// Names returns the values.
func (wheels) Names() []string { return []string{"2", "4"} }

// VehiclePart is an object within a Vehicle.
type VehiclePart struct {
	Code  string           `json:"code" document:"longest=5 filled"`
	Price *document.Number `json:"price,omitempty"`
}

// Vehicle is a record with a field of every kind and with fields that exclude each other.
type Vehicle struct {
	ID      string                     `json:"_id" document:"id"`
	Wheels  wheels                     `json:"_wheels"`
	Color   *color                     `json:"color,omitempty"`
	Name    *string                    `json:"name,omitempty"`
	Chain   *bool                      `json:"chain,omitempty" document:"only=_wheels:2"`
	Doors   *int                       `json:"doors,omitempty" document:"only=_wheels:4"`
	Serial  *string                    `json:"serial,omitempty" document:"uuid"`
	Owner   *string                    `json:"owner,omitempty" document:"email"`
	MadeIn  *string                    `json:"madeIn,omitempty" document:"country"`
	Parts   []VehiclePart              `json:"parts,omitempty"`
	Main    *VehiclePart               `json:"main,omitempty"`
	Costs   map[string]document.Number `json:"costs,omitempty"`
	Causes  *document.Texts            `json:"causes,omitempty"`
	Drivers []string                   `json:"drivers,omitempty" document:"id"`
	Meta    *ecmajson.Value            `json:"meta,omitempty" document:"object"`
	Log     []ecmajson.Value           `json:"log,omitempty"`
	Area    []document.Number          `json:"area,omitempty"`
	Version *int                       `json:"__v,omitempty"`
	MadeAt  moment.DateTime            `json:"madeAt" document:"made"`
}
