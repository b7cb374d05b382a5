package ticket

import (
	"ticketgate/domain/document"
	"ticketgate/domain/moment"
)

// Seating says which place a ticket or a cart's item is for. A seat has a row and a name of its own, general admission
// the name of its area (spec 2.8.1).
type Seating struct {
	Type        SeatingType `json:"_type"`
	StatusID    string      `json:"statusId" document:"id"`
	ID          *string     `json:"_id,omitempty" document:"id"`
	CategoryID  *string     `json:"categoryId,omitempty" document:"id"`
	Name        *string     `json:"name,omitempty" document:"only=_type:7"`
	SeatType    *SeatType   `json:"seatType,omitempty" document:"only=_type:6"`
	SectionName *string     `json:"sectionName,omitempty"`
	GroupName   *string     `json:"groupName,omitempty"`
	RowName     *string     `json:"rowName,omitempty"`
	SeatName    *string     `json:"seatName,omitempty" document:"only=_type:6"`
	Gate        *string     `json:"gate,omitempty"`
}

// ShownType is the number of the type, as GraphQL shows it.
func (s Seating) ShownType() int { return int(s.Type) }

// Package names the package that a ticket was sold in (spec 2.9).
type Package struct {
	PackageID       string `json:"packageId" document:"id"`
	PackageConfigID string `json:"packageConfigId" document:"id"`
	Name            string `json:"name"`
}

// Lock says who holds a ticket back, since when and for what (spec 2.9).
type Lock struct {
	By      string          `json:"by"`
	At      moment.DateTime `json:"at"`
	EventID *string         `json:"eventId,omitempty" document:"id"`
	Type    *LockType       `json:"type,omitempty"`
}

// AddOn is a product that comes with a ticket (spec 2.8.1).
type AddOn struct {
	ProductID        *string `json:"productId,omitempty" document:"id"`
	ProductVariantID *string `json:"productVariantId,omitempty" document:"id"`
	Name             *string `json:"name,omitempty"`
}

// Capability is something that a ticket's holder may do with it, such as giving it back (spec 2.8.1).
type Capability struct {
	Type     CapabilityType     `json:"type"`
	Settings CapabilitySettings `json:"settings"`
}

// CapabilitySettings say until when a ticket may be given back and for how much.
type CapabilitySettings struct {
	Phases             []ReturnPhase `json:"phases"`
	ReturnRelatedItems *bool         `json:"returnRelatedItems,omitempty"`
}

// ReturnPhase is a span of time with the share of the price that is paid back in it.
type ReturnPhase struct {
	Condition        ReturnCondition `json:"condition"`
	RefundPercentage document.Number `json:"refundPercentage"`
}

// ReturnCondition is a time counted from a target such as the event's start.
type ReturnCondition struct {
	Unit   TimeUnit `json:"unit"`
	Offset int      `json:"offset"`
	Target *string  `json:"target,omitempty"`
}
