package scan

import (
	"time"

	"ticketgate/domain/catalog"
	"ticketgate/domain/moment"
	"ticketgate/domain/ticket"
)

// Direction is where a ticket wants to go.
type Direction string

// The directions.
const (
	In  Direction = "IN"
	Out Direction = "OUT"
)

// Names lists the directions.
func (Direction) Names() []string { return []string{string(In), string(Out)} }

// Reason is why a ticket may not pass (decisions 6.4).
type Reason string

// The reasons, in the order in which they are checked: a scan is declined with the first that holds.
const (
	// EventNotAssigned: there is no scan group, the event is not among its events, or the device may not use it, or scan at all.
	EventNotAssigned Reason = "EVENT_NOT_ASSIGNED"
	// DirectionNotEnabled: the scan group's scanTypes lack the direction; without scanTypes only IN is scanned.
	DirectionNotEnabled Reason = "DIRECTION_NOT_ENABLED"
	// UnknownCode: no ticket of the seller has the code, case included.
	UnknownCode Reason = "UNKNOWN_CODE"
	// TicketInvalid: the status is neither VALID nor DETAILSREQUIRED. Validity comes before repetition, so that a canceled
	// ticket is not taken for a used one.
	TicketInvalid Reason = "TICKET_INVALID"
	// TicketExpired: the ticket's expiresAt is reached.
	TicketExpired Reason = "TICKET_EXPIRED"
	// DetailsRequired: the status is DETAILSREQUIRED.
	DetailsRequired Reason = "DETAILS_REQUIRED"
	// WrongEvent: the ticket is neither for the event nor for a ROOT or GROUP event above it.
	WrongEvent Reason = "WRONG_EVENT"
	// BlockedForEvent: the ticket's excludedEventIds have the event, or one above it.
	BlockedForEvent Reason = "BLOCKED_FOR_EVENT"
	// TicketTypeNotAllowed: the scan group allows not all types for the event, and not this one.
	TicketTypeNotAllowed Reason = "TICKET_TYPE_NOT_ALLOWED"
	// OutsideTimeslot: time slots are checked, and the ticket's is not now.
	OutsideTimeslot Reason = "OUTSIDE_TIMESLOT"
	// OutsideEventTime: the event's time is checked, and it is not now.
	OutsideEventTime Reason = "OUTSIDE_EVENT_TIME"
	// AlreadyCheckedIn: the ticket was let in before, at the event in this zone; with enableMultiCheckin, nobody has left on it since.
	AlreadyCheckedIn Reason = "ALREADY_CHECKED_IN"
	// NotCheckedIn: nobody is inside on the ticket who could leave.
	NotCheckedIn Reason = "NOT_CHECKED_IN"
)

// Question is everything that a decision depends on.
type Question struct {
	// Device is who asks; nil asks for a scan group alone.
	Device *Device
	// Config is that of the scan group; nil when there is none, and then nothing may be scanned.
	Config *Config
	// EventID is where the ticket wants to go; empty is the ticket's own event.
	EventID string
	// Event is that event; nil when the seller has none of this id.
	Event *catalog.Event
	// Above are the ids of the ROOT and GROUP events that it stands below, at any distance.
	Above []string
	// Ticket is nil when no ticket has the code.
	Ticket *ticket.Ticket
	// History is what the ticket did at the event in the zone before.
	History   History
	Direction Direction
	// At is when the ticket is held to the gate, and not when the question is asked: an offline scan is judged by its own time.
	At moment.DateTime
}

// Outcome says how a rule went.
type Outcome string

// The outcomes. A rule is not checked when what it is about is missing.
const (
	Passed     Outcome = "PASSED"
	Failed     Outcome = "FAILED"
	NotChecked Outcome = "NOT_CHECKED"
)

// Rule is one of the things that were checked, with what was compared.
type Rule struct {
	// Reason is what a scan is declined with when this is the first rule that fails.
	Reason  Reason  `json:"rule"`
	Outcome Outcome `json:"outcome"`
	// Detail says in words what was compared, for whoever asks why a ticket was declined.
	Detail string `json:"detail"`
	// Window is the span of time that the rule allows, for those that are about time.
	Window *Window `json:"window,omitempty"`
}

// Window is a span of time; both ends belong to it.
type Window struct {
	From  moment.DateTime `json:"from"`
	Until moment.DateTime `json:"until"`
}

// Holds tells whether an instant lies in the window.
func (w Window) Holds(at moment.DateTime) bool {
	return !at.Before(w.From.Time) && !at.After(w.Until.Time)
}

// Decision is whether a ticket may pass, and the rules one by one.
type Decision struct {
	// Reason is the first rule's that failed; empty when the ticket may pass.
	Reason Reason
	Rules  []Rule
}

// Approved tells whether the ticket may pass.
func (d Decision) Approved() bool { return d.Reason == "" }

// Window is that of the rule which the scan was declined for, if it has one.
func (d Decision) Window() *Window {
	for _, rule := range d.Rules {
		if rule.Outcome == Failed && rule.Reason == d.Reason {
			return rule.Window
		}
	}
	return nil
}

// Decide says whether a ticket may pass, now, in this direction (decisions 6.4). It depends on the question alone: the scan,
// the flag of an offline scan and the simulation ask it alike. All rules are checked and reported, also those behind the
// first that fails.
func Decide(q Question) Decision {
	if q.EventID == "" && q.Ticket != nil {
		q.EventID = q.Ticket.EventID
	}
	decision := Decision{Rules: make([]Rule, 0, len(rules))}
	for _, rule := range rules {
		outcome, detail, window := rule.check(&q)
		decision.Rules = append(decision.Rules, Rule{rule.reason, outcome, detail, window})
		if outcome == Failed && decision.Reason == "" {
			decision.Reason = rule.reason
		}
	}
	return decision
}

// settings are the scan group's for the event, or nil.
func (q *Question) settings() *EventSettings {
	if q.Config == nil || q.EventID == "" {
		return nil
	}
	for i := range q.Config.Events {
		if q.Config.Events[i].EventID == q.EventID {
			return &q.Config.Events[i]
		}
	}
	return nil
}

// multi tells whether a ticket may be checked in again.
func (q *Question) multi() bool { return q.Config.MultiCheckin() }

func isTrue(setting *bool) bool { return setting != nil && *setting }

// span is a number of units as a duration; absent is none.
func span(amount *float64, unit time.Duration) time.Duration {
	if amount == nil {
		return 0
	}
	return time.Duration(*amount * float64(unit))
}
