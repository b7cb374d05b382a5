package ticket

import "strconv"

// Status is the status of a ticket. Only a VALID ticket admits its holder.
type Status string

// The ticket statuses.
const (
	Valid           Status = "VALID"
	Invalid         Status = "INVALID"
	Reserved        Status = "RESERVED"
	DetailsRequired Status = "DETAILSREQUIRED"
	Blank           Status = "BLANK"
)

// Names returns all statuses, in the documented order.
func (Status) Names() []string {
	return []string{"VALID", "INVALID", "RESERVED", "DETAILSREQUIRED", "BLANK"}
}

// Type says whether a ticket admits one person or several.
type Type string

// The ticket types.
const (
	Single Type = "SINGLE"
	Multi  Type = "MULTI"
)

// Names returns all types.
func (Type) Names() []string { return []string{"SINGLE", "MULTI"} }

// Origin is the sales channel of a ticket.
type Origin string

// Names returns all origins, in the documented order.
func (Origin) Names() []string {
	return []string{"yourticket", "pos", "rebooking", "upgrade", "subscription", "transfer"}
}

// DeliveryType is how a ticket is delivered to its holder.
type DeliveryType string

// Names returns all delivery types.
func (DeliveryType) Names() []string { return []string{"HARD", "VIRTUAL"} }

// SeatingType is the kind of place that a ticket is for.
type SeatingType int

// The kinds of place.
const (
	Seat             SeatingType = 6
	GeneralAdmission SeatingType = 7
)

// Names returns both kinds.
func (SeatingType) Names() []string {
	return []string{strconv.Itoa(int(Seat)), strconv.Itoa(int(GeneralAdmission))}
}

// SeatType is a special property of a seat.
type SeatType string

// Names returns all seat types.
func (SeatType) Names() []string { return []string{"handicapped", "limitedView", "foldable"} }

// LockType is the reason for a ticket's lock.
type LockType string

// Names returns the only type.
func (LockType) Names() []string { return []string{"resell"} }

// CapabilityType is something that a ticket's holder may do with it.
type CapabilityType string

// Names returns the only type.
func (CapabilityType) Names() []string { return []string{"self_service_return"} }

// TimeUnit is the unit of a return condition's offset.
type TimeUnit string

// Names returns all units.
func (TimeUnit) Names() []string { return []string{"hours", "days", "weeks", "months", "years"} }
