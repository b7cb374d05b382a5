package scan

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"ticketgate/domain/moment"
	"ticketgate/domain/ticket"
)

// check checks one rule. It returns the outcome, the compared values as text, and the allowed time span.
type check func(*Question) (Outcome, string, *Window)

// rules lists the rules for a scan, in the order of their reasons (GATE-13).
var rules = [...]struct {
	reason Reason
	check  check
}{
	{EventNotAssigned, eventIsAssigned},
	{DirectionNotEnabled, directionIsEnabled},
	{UnknownCode, codeIsKnown},
	{TicketInvalid, ofTicket(unlessLeaving(ticketIsValid))},
	{TicketExpired, ofTicket(unlessLeaving(ticketIsNotExpired))},
	{DetailsRequired, ofTicket(unlessLeaving(detailsAreThere))},
	{WrongEvent, ofTicket(unlessLeaving(ticketIsForEvent))},
	{BlockedForEvent, ofTicket(unlessLeaving(ticketIsNotBlocked))},
	{TicketTypeNotAllowed, ofTicket(unlessLeaving(typeIsAllowed))},
	{OutsideTimeslot, ofTicket(slotIsNow)},
	{OutsideEventTime, ofTicket(eventIsNow)},
	{AlreadyCheckedIn, ofTicket(mayEnter)},
	{NotCheckedIn, ofTicket(mayLeave)},
}

// ofTicket returns a rule about a ticket, which is not checked without one.
func ofTicket(holds check) check {
	return func(q *Question) (Outcome, string, *Window) {
		if q.Ticket == nil {
			return NotChecked, "no ticket has the code", nil
		}
		return holds(q)
	}
}

// unlessLeaving returns a rule that does not apply to a person who leaves, since an exit is allowed whatever has
// happened to the ticket (GATE-1).
func unlessLeaving(holds check) check {
	return func(q *Question) (Outcome, string, *Window) {
		outcome, detail, window := holds(q)
		if outcome == Failed && q.Direction == Out && q.History.Inside > 0 {
			return Passed, detail + ", but it is inside and may leave", nil
		}
		return outcome, detail, window
	}
}

// judge returns a rule's outcome with its detail.
func judge(fine bool, detail string, args ...any) (Outcome, string, *Window) {
	if fine {
		return Passed, fmt.Sprintf(detail, args...), nil
	}
	return Failed, fmt.Sprintf(detail, args...), nil
}

func eventIsAssigned(q *Question) (Outcome, string, *Window) {
	switch {
	case q.EventID == "":
		return NotChecked, "no event was given, and no ticket has the code", nil
	case q.Config == nil:
		return judge(false, "the device has no scan group with a scan configuration")
	case q.settings() == nil:
		return judge(false, "event %s is not one of the %d events of the scan group", q.EventID, len(q.Config.Events))
	case q.Device != nil && !q.Device.MayUse(q.EventID):
		return judge(false, "the device has no access to event %s", q.EventID)
	case q.Device != nil && !q.Device.worksAt(q.At):
		return judge(false, "the device is inactive, or had expired at %s", q.At)
	}
	return judge(true, "event %s is assigned", q.EventID)
}

// directionIsEnabled does not apply to an unknown code without an event, which is always UNKNOWN_CODE.
func directionIsEnabled(q *Question) (Outcome, string, *Window) {
	if q.Config == nil || q.EventID == "" {
		return NotChecked, "no event is assigned", nil
	}
	types := Types{Checkin: true} // the default is check-in only
	if q.Config.ScanTypes != nil {
		types = *q.Config.ScanTypes
	}
	enabled := types.Checkin
	if q.Direction == Out {
		enabled = types.Checkout
	}
	return judge(enabled, "checkin is %t, checkout is %t, the direction is %s", types.Checkin, types.Checkout, q.Direction)
}

func codeIsKnown(q *Question) (Outcome, string, *Window) {
	if q.Ticket == nil {
		return judge(false, "no ticket has the code")
	}
	return judge(true, "ticket %s has the code", q.Ticket.ID)
}

func ticketIsValid(q *Question) (Outcome, string, *Window) {
	status := q.Ticket.Status
	return judge(status == ticket.Valid || status == ticket.DetailsRequired, "the ticket's status is %s", status)
}

// ticketIsNotExpired passes before the ticket's expiresAt (GATE-2).
func ticketIsNotExpired(q *Question) (Outcome, string, *Window) {
	if q.Ticket.ExpiresAt == nil {
		return judge(true, "the ticket does not expire")
	}
	return judge(!q.Ticket.ExpiredAt(q.At), "the ticket expires at %s, scanned at %s", *q.Ticket.ExpiresAt, q.At)
}

func detailsAreThere(q *Question) (Outcome, string, *Window) {
	return judge(q.Ticket.Status != ticket.DetailsRequired, "the ticket's status is %s", q.Ticket.Status)
}

// ticketIsForEvent passes for a ticket of the event, or of a ROOT or GROUP event above it.
func ticketIsForEvent(q *Question) (Outcome, string, *Window) {
	of, scanned := q.Ticket.EventID, q.EventID
	if len(q.Above) > 0 {
		scanned += ", which is below " + strings.Join(q.Above, ", ")
	}
	return judge(of == q.EventID || slices.Contains(q.Above, of), "the ticket is for event %s, the scan is at event %s", of, scanned)
}

// ticketIsNotBlocked fails if the ticket excludes the event or one above it.
func ticketIsNotBlocked(q *Question) (Outcome, string, *Window) {
	excluded := q.Ticket.ExcludedEventIDs
	for _, id := range excluded {
		if id == q.EventID {
			return judge(false, "event %s is one of the ticket's %d excluded events", q.EventID, len(excluded))
		}
		if slices.Contains(q.Above, id) {
			return judge(false, "event %s is below event %s, one of the ticket's %d excluded events", q.EventID, id, len(excluded))
		}
	}
	return judge(true, "event %s is not one of the ticket's %d excluded events, nor below one", q.EventID, len(excluded))
}

func typeIsAllowed(q *Question) (Outcome, string, *Window) {
	settings := q.settings()
	if settings == nil {
		return NotChecked, "no event is assigned", nil
	}
	if isTrue(settings.AllowAllTicketTypes) {
		return judge(true, "all ticket types are allowed")
	}
	allowed := slices.Contains(settings.AllowedTicketTypeIDs, q.Ticket.TicketTypeID)
	return judge(allowed, "ticket type %s is one of the %d allowed types: %t",
		q.Ticket.TicketTypeID, len(settings.AllowedTicketTypeIDs), allowed)
}

// hasSlot reports whether the ticket has a time slot. Programs that write every field send an empty start if there is
// no slot.
func hasSlot(t *ticket.Ticket) bool {
	return t.SlotStartTime != nil && strings.TrimSpace(*t.SlotStartTime) != ""
}

// slotIsNow counts both settings from the start of the slot, since a ticket does not say when its slot ends.
func slotIsNow(q *Question) (Outcome, string, *Window) {
	settings := q.settings()
	switch {
	case settings == nil:
		return NotChecked, "no event is assigned", nil
	case !isTrue(q.Config.CheckTimeslots):
		return judge(true, "time slots are not checked")
	case !hasSlot(q.Ticket):
		return judge(true, "the ticket has no time slot")
	}
	start, err := moment.ParseSlot(*q.Ticket.SlotStartTime)
	if err != nil {
		return judge(false, "the start of the ticket's time slot, %q, is not a date-time", *q.Ticket.SlotStartTime)
	}
	var minutes TimeslotSettings
	if settings.TimeslotSettings != nil {
		minutes = *settings.TimeslotSettings
	}
	return within(q.At, start.Add(-span(minutes.BeforeMinutes, time.Minute)), start.Add(span(minutes.AfterMinutes, time.Minute)))
}

func eventIsNow(q *Question) (Outcome, string, *Window) {
	settings := q.settings()
	switch {
	case settings == nil:
		return NotChecked, "no event is assigned", nil
	case settings.EventTimeSettings == nil || !settings.EventTimeSettings.Active:
		return judge(true, "the event's time is not checked")
	case q.Event == nil:
		return judge(false, "event %s does not exist", q.EventID)
	}
	hours := settings.EventTimeSettings
	return within(q.At, q.Event.Start.Add(-span(hours.BeforeHours, time.Hour)), q.Event.Ends().Add(span(hours.AfterHours, time.Hour)))
}

func within(at moment.DateTime, from, until time.Time) (Outcome, string, *Window) {
	window := Window{moment.New(from), moment.New(until)}
	outcome, detail, _ := judge(window.Holds(at), "%s must be from %s to %s", at, window.From, window.Until)
	return outcome, detail, &window
}

// mayEnter passes for a first entry or, with multiple check-ins, if no one is inside with the ticket.
func mayEnter(q *Question) (Outcome, string, *Window) {
	if q.Direction != In {
		return NotChecked, "the direction is OUT", nil
	}
	return judge(!q.History.used(q.multi()), "%d check-ins, %d inside, multiple check-ins enabled: %t",
		q.History.Checkins, q.History.Inside, q.multi())
}

func mayLeave(q *Question) (Outcome, string, *Window) {
	if q.Direction != Out {
		return NotChecked, "the direction is IN", nil
	}
	return judge(q.History.Inside > 0, "%d check-ins, %d inside", q.History.Checkins, q.History.Inside)
}
