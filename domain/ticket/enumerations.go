package ticket

import "strconv"

// Status is whether a ticket lets its holder in (spec 2.9).
type Status string

// The statuses.
const (
	Valid           Status = "VALID"
	Invalid         Status = "INVALID"
	Reserved        Status = "RESERVED"
	DetailsRequired Status = "DETAILSREQUIRED"
	Blank           Status = "BLANK"
)

// Names lists every status in the specification's order.
func (Status) Names() []string {
	return []string{"VALID", "INVALID", "RESERVED", "DETAILSREQUIRED", "BLANK"}
}

// Type is whether a ticket lets one or several persons in (spec 2.9).
type Type string

// The types.
const (
	Single Type = "SINGLE"
	Multi  Type = "MULTI"
)

// Names lists every type.
func (Type) Names() []string { return []string{"SINGLE", "MULTI"} }

// Origin is where a ticket was sold or made (spec 2.9).
type Origin string

// Names lists every origin in the specification's order.
func (Origin) Names() []string {
	return []string{"yourticket", "pos", "rebooking", "upgrade", "subscription", "transfer"}
}

// DeliveryType is how a ticket reaches its holder (spec 2.9).
type DeliveryType string

// Names lists every type of delivery.
func (DeliveryType) Names() []string { return []string{"HARD", "VIRTUAL"} }

// SeatingType is the kind of place that a ticket is for (spec 2.8.1).
type SeatingType int

// The kinds of place.
const (
	Seat             SeatingType = 6
	GeneralAdmission SeatingType = 7
)

// Names lists the kinds of place.
func (SeatingType) Names() []string {
	return []string{strconv.Itoa(int(Seat)), strconv.Itoa(int(GeneralAdmission))}
}

// SeatType is what is particular about a seat (spec 2.8.1).
type SeatType string

// Names lists every type of seat.
func (SeatType) Names() []string { return []string{"handicapped", "limitedView", "foldable"} }

// LockType is why a ticket is locked (spec 2.9).
type LockType string

// Names lists every type of lock.
func (LockType) Names() []string { return []string{"resell"} }

// CapabilityType is what a ticket's holder may do with it (spec 2.8.1).
type CapabilityType string

// Names lists every type of capability.
func (CapabilityType) Names() []string { return []string{"self_service_return"} }

// TimeUnit is what a phase of a return is counted in (spec 2.8.1).
type TimeUnit string

// Names lists every unit.
func (TimeUnit) Names() []string { return []string{"hours", "days", "weeks", "months", "years"} }
