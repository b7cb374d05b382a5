package ticket

import (
	"ticketgate/domain/document"
	"ticketgate/domain/moment"
)

// Seating is the place that a ticket or cart item is for. A seat has a row and a name. General admission has the name
// of its area (TICKET-1).
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

// ShownType returns the type as an integer for GraphQL.
func (s Seating) ShownType() int { return int(s.Type) }

// Package is the package that a ticket was sold in.
type Package struct {
	PackageID       string `json:"packageId" document:"id"`
	PackageConfigID string `json:"packageConfigId" document:"id"`
	Name            string `json:"name"`
}

// Lock is a lock on a ticket.
type Lock struct {
	By      string          `json:"by"`
	At      moment.DateTime `json:"at"`
	EventID *string         `json:"eventId,omitempty" document:"id"`
	Type    *LockType       `json:"type,omitempty"`
}

// AddOn is a product that comes with a ticket.
type AddOn struct {
	ProductID        *string `json:"productId,omitempty" document:"id"`
	ProductVariantID *string `json:"productVariantId,omitempty" document:"id"`
	Name             *string `json:"name,omitempty"`
}

// Capability is something that a ticket's holder may do with it, such as returning it.
type Capability struct {
	Type     CapabilityType     `json:"type"`
	Settings CapabilitySettings `json:"settings"`
}

// CapabilitySettings states until when a ticket can be returned, and for what share of the price.
type CapabilitySettings struct {
	Phases             []ReturnPhase `json:"phases"`
	ReturnRelatedItems *bool         `json:"returnRelatedItems,omitempty"`
}

// ReturnPhase is a period with the percentage of the price that is refunded in it.
type ReturnPhase struct {
	Condition        ReturnCondition `json:"condition"`
	RefundPercentage document.Number `json:"refundPercentage"`
}

// ReturnCondition is a time relative to a target, such as the start of the event.
type ReturnCondition struct {
	Unit   TimeUnit `json:"unit"`
	Offset int      `json:"offset"`
	Target *string  `json:"target,omitempty"`
}
