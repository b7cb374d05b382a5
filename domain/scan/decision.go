package scan

import (
	"time"

	"ticketgate/domain/catalog"
	"ticketgate/domain/moment"
	"ticketgate/domain/ticket"
)

// Direction is the direction of a scan.
type Direction string

// The directions.
const (
	In  Direction = "IN"
	Out Direction = "OUT"
)

// Names returns all directions.
func (Direction) Names() []string { return []string{string(In), string(Out)} }

// Reason is why a ticket is not admitted.
type Reason string

// The reasons, in the order in which they are checked (GATE-13). A scan is declined with the first that applies.
const (
	// EventNotAssigned: there is no scan group, the event is not assigned to it, or the device may not use the event
	// or scan.
	EventNotAssigned Reason = "EVENT_NOT_ASSIGNED"
	// DirectionNotEnabled: the scan group's scanTypes exclude the direction. Without scanTypes only IN is enabled.
	DirectionNotEnabled Reason = "DIRECTION_NOT_ENABLED"
	// UnknownCode: no ticket of the seller has exactly this code.
	UnknownCode Reason = "UNKNOWN_CODE"
	// TicketInvalid: the status is neither VALID nor DETAILSREQUIRED. It is checked before repetition, so that a
	// canceled ticket is not reported as used.
	TicketInvalid Reason = "TICKET_INVALID"
	// TicketExpired: the ticket's expiresAt is reached.
	TicketExpired Reason = "TICKET_EXPIRED"
	// DetailsRequired: the status is DETAILSREQUIRED.
	DetailsRequired Reason = "DETAILS_REQUIRED"
	// WrongEvent: the ticket is for neither the event nor a ROOT or GROUP event above it.
	WrongEvent Reason = "WRONG_EVENT"
	// BlockedForEvent: the ticket's excludedEventIds contain the event or one above it.
	BlockedForEvent Reason = "BLOCKED_FOR_EVENT"
	// TicketTypeNotAllowed: the scan group does not allow the ticket's type for the event.
	TicketTypeNotAllowed Reason = "TICKET_TYPE_NOT_ALLOWED"
	// OutsideTimeslot: time slots are checked, and the scan is outside the ticket's slot.
	OutsideTimeslot Reason = "OUTSIDE_TIMESLOT"
	// OutsideEventTime: the event's time is checked, and the scan is outside it.
	OutsideEventTime Reason = "OUTSIDE_EVENT_TIME"
	// AlreadyCheckedIn: the ticket was checked in before at this event and zone. With enableMultiCheckin, it is still
	// inside.
	AlreadyCheckedIn Reason = "ALREADY_CHECKED_IN"
	// NotCheckedIn: the ticket is not inside.
	NotCheckedIn Reason = "NOT_CHECKED_IN"
)

// Question holds everything that a decision depends on.
type Question struct {
	// Device is the device that scans, or nil to ask about a scan group only.
	Device *Device
	// Config is the scan group's configuration. If it is nil, nothing may be scanned.
	Config *Config
	// EventID is the event to enter or leave. If it is empty, the ticket's own event is used.
	EventID string
	// Event is that event, or nil if the seller has no such event.
	Event *catalog.Event
	// Above are the ids of the ROOT and GROUP events above it, at any distance.
	Above []string
	// Ticket is nil if no ticket has the code.
	Ticket *ticket.Ticket
	// History is the ticket's history at the event and zone.
	History   History
	Direction Direction
	// At is the time of the scan. An offline scan is judged by its own time, not by the time of the upload.
	At moment.DateTime
}

// Outcome is the result of a rule.
type Outcome string

// The outcomes. A rule is not checked if it does not apply.
const (
	Passed     Outcome = "PASSED"
	Failed     Outcome = "FAILED"
	NotChecked Outcome = "NOT_CHECKED"
)

// Rule is the result of one rule, with the compared values.
type Rule struct {
	// Reason is the reason of a scan for which this is the first failed rule.
	Reason  Reason  `json:"rule"`
	Outcome Outcome `json:"outcome"`
	// Detail describes the compared values, for people who ask why a ticket was declined.
	Detail string `json:"detail"`
	// Window is the time span that the rule allows, for rules about time.
	Window *Window `json:"window,omitempty"`
}

// Window is a time span that includes both ends.
type Window struct {
	From  moment.DateTime `json:"from"`
	Until moment.DateTime `json:"until"`
}

// Holds reports whether at is within the window.
func (w Window) Holds(at moment.DateTime) bool {
	return !at.Before(w.From.Time) && !at.After(w.Until.Time)
}

// Decision says whether a ticket is admitted, with the result of each rule.
type Decision struct {
	// Reason is the reason of the first failed rule, or empty if the ticket is admitted.
	Reason Reason
	Rules  []Rule
}

// Approved reports whether the ticket is admitted.
func (d Decision) Approved() bool { return d.Reason == "" }

// Window returns the window of the rule that declined the scan, if it has one.
func (d Decision) Window() *Window {
	for _, rule := range d.Rules {
		if rule.Outcome == Failed && rule.Reason == d.Reason {
			return rule.Window
		}
	}
	return nil
}

// Decide decides whether a ticket is admitted in this direction. The result depends on q only: scans, the conflict
// flags of offline scans, and simulations all use Decide (GATE-13). It checks and reports all rules, even after one has
// failed.
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

// settings returns the scan group's settings for the event, or nil.
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

// multi reports whether a ticket may be checked in more than once.
func (q *Question) multi() bool { return q.Config.MultiCheckin() }

func isTrue(setting *bool) bool { return setting != nil && *setting }

// span converts a number of units to a duration. Nil is zero.
func span(amount *float64, unit time.Duration) time.Duration {
	if amount == nil {
		return 0
	}
	return time.Duration(*amount * float64(unit))
}
