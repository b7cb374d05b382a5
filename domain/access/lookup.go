package access

import (
	"context"
	"encoding/json"
	"slices"
	"time"
	"unicode/utf8"

	"ticketgate/domain"
	"ticketgate/domain/catalog"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/scan"
	"ticketgate/domain/ticket"
)

// Lookups exchanges a code for a ticket: what a gate asks when somebody holds a card to a device (spec 4.2).
type Lookups struct {
	Store LookupStore
	// Gates says what the device that is calling may do; it answers from memory, as the check of its token does.
	Gates scan.Gates
	// Listeners is how remote lists are asked.
	Listeners Listeners
	Now       func() time.Time
}

// admits refuses a device that may not ask for tickets of an event (decisions 5.3).
func admits(gate scan.Gate, eventID string) error {
	config := gate.Config()
	switch {
	case gate.Group == nil:
		return domain.Forbidden("This device has no scan group")
	case config == nil || config.TapAndGo == nil || !config.TapAndGo.Enabled:
		return domain.Forbidden("Tap and go is off in this device's scan group")
	// Absent is no narrowing, an empty list leaves none.
	case config.TapAndGo.EventIDs != nil && !slices.Contains(config.TapAndGo.EventIDs, eventID):
		return domain.Forbidden("This event is not among the tap-and-go events of this device's scan group")
	case !gate.Device.MayUse(eventID):
		return domain.Forbidden("This device has no access to the event")
	}
	return nil
}

// Question is a code shown at an event of a seller.
type Question struct {
	SellerID     ids.Seller
	ExternalCode string
	EventID      string
	// ListID narrows the search to one list; empty is all of the seller's.
	ListID string
	// ZoneID and MultiCheckin say what counts as checked in, as for a scan: see scan.Config. A nil zone is any.
	ZoneID       *string
	MultiCheckin bool
	// At is the time of the lookup: an expired ticket comes after the others.
	At moment.DateTime
}

// check says what is wrong with a question before anybody is asked.
func (q Question) check() error {
	var problems domain.Problems
	problems.Text("externalCode", q.ExternalCode)
	if q.EventID == "" {
		problems.Add("eventId", "is required")
	} else {
		problems.Reference("eventId", q.EventID)
	}
	return problems.Err()
}

// possible tells whether any list could have the code at all (decisions 1.6).
func (q Question) possible() bool {
	length := utf8.RuneCountInString(q.ExternalCode)
	return length > 0 && length <= MaxCodeLength
}

// Found is what a search for a ticket has found. Known says that some list has the code; Ticket is nil when its holder
// has no ticket for the event.
type Found struct {
	Known  bool
	Ticket *GateTicket
}

func (f Found) isValidAt(at moment.DateTime) bool {
	return f.Ticket != nil && f.Ticket.Ticket.Status == ticket.Valid && !f.Ticket.Ticket.ExpiredAt(at)
}

// or is what two lists have found together, neither of them a VALID ticket: the older one, if any.
func (f Found) or(other Found) Found {
	age := func(t *GateTicket) time.Time { return t.Ticket.CreatedAt.Time }
	if f.Ticket == nil || (other.Ticket != nil && age(other.Ticket).Before(age(f.Ticket))) {
		f.Ticket = other.Ticket
	}
	f.Known = true
	return f
}

// GateTicket is a ticket as a device gets it, with how its code is shown to the holder (decisions 5.6).
type GateTicket struct {
	Ticket            ticket.Record
	CodeDisplay       catalog.CodeDisplay
	BarcodeRevealDate *moment.DateTime
	BarcodeRevealed   bool
}

// MarshalJSON writes the ticket's members and, behind them, the three that the lookup adds.
func (t GateTicket) MarshalJSON() ([]byte, error) {
	added, err := json.Marshal(struct {
		CodeDisplay       catalog.CodeDisplay `json:"codeDisplay"`
		BarcodeRevealed   bool                `json:"barcodeRevealed"`
		BarcodeRevealDate *moment.DateTime    `json:"barcodeRevealDate,omitempty"`
	}{t.CodeDisplay, t.BarcodeRevealed, t.BarcodeRevealDate})
	if err != nil {
		return nil, err
	}
	// Two objects that have members become one: the document is compact and ends in its brace.
	document := t.Ticket.Document
	joined := make([]byte, 0, len(document)+len(added))
	joined = append(joined, document[:len(document)-1]...)
	joined = append(joined, ',')
	return append(joined, added[1:]...), nil
}

// shownAt completes a ticket for a device at an instant.
func (t GateTicket) shownAt(now time.Time, restricted bool) (GateTicket, error) {
	t.BarcodeRevealed = t.BarcodeRevealDate == nil || !now.Before(t.BarcodeRevealDate.Time)
	if !restricted {
		return t, nil
	}
	record, err := scan.WithoutContact(t.Ticket)
	t.Ticket = record
	return t, err
}

// LookUp returns the ticket that a code stands for at an event: devices only. It uses nothing up, however often it is
// asked. UNKNOWN_CODE when no list knows the code, NO_TICKET_FOR_EVENT when its holder has no ticket for the event, and
// LIST_UNAVAILABLE when a remote list that could know it can't be asked (decisions 5.3, 5.5).
func (s Lookups) LookUp(ctx context.Context, externalCode, eventID string) (GateTicket, error) {
	device, err := domain.Authorize(ctx, domain.LookUpTicket)
	if err != nil {
		return GateTicket{}, err
	}
	question := Question{SellerID: device.SellerID, ExternalCode: externalCode, EventID: eventID, At: moment.New(s.Now())}
	if err := question.check(); err != nil {
		return GateTicket{}, err
	}
	gate, err := s.Gates.Gate(ctx, device.SellerID, device.ID)
	if err != nil {
		return GateTicket{}, err
	}
	if err := admits(gate, eventID); err != nil {
		return GateTicket{}, err
	}
	zone := gate.ZoneID()
	question.ZoneID, question.MultiCheckin = &zone, gate.Config().MultiCheckin()
	found, err := s.find(ctx, question)
	if domain.HasCode(err, domain.CodeUnknownCode) && externalCode != "" {
		if failure := s.noteUnknown(ctx, device, question); failure != nil {
			return GateTicket{}, failure
		}
	}
	if err != nil {
		return GateTicket{}, err
	}
	return found.shownAt(s.Now(), gate.Device.Restricted())
}

// find asks the static lists in one statement, and the remote ones only when none of those knows the code.
func (s Lookups) find(ctx context.Context, q Question) (GateTicket, error) {
	if !q.possible() {
		return GateTicket{}, unknownCode()
	}
	found, err := s.Store.StaticTicket(ctx, q)
	if err != nil || found.Known {
		return found.ticket(err)
	}
	lists, err := s.Store.RemoteLists(ctx, q.SellerID, q.ListID)
	if err != nil {
		return GateTicket{}, err
	}
	return s.askAll(ctx, lists, q)
}

// ticket is the one that was found, or the error that says why there is none.
func (f Found) ticket(err error) (GateTicket, error) {
	switch {
	case err != nil:
		return GateTicket{}, err
	case !f.Known:
		return GateTicket{}, unknownCode()
	case f.Ticket == nil:
		return GateTicket{}, domain.NewError(domain.CodeNoTicketForEvent, "The code is known, but there is no ticket for this event")
	}
	return *f.Ticket, nil
}

func unknownCode() error {
	return domain.NewError(domain.CodeUnknownCode, "No access list knows this code")
}
