package access

import (
	"context"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"ticketgate/domain"
	"ticketgate/domain/catalog"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/scan"
	"ticketgate/domain/ticket"
)

// Lookups finds the ticket of a code when a card is held to a device.
type Lookups struct {
	Store LookupStore
	// Gates returns the calling device with its scan group, from a cache.
	Gates scan.Gates
	// Listeners calls the listeners of remote lists.
	Listeners Listeners
	Now       func() time.Time
}

// admits returns an error if the device may not look up tickets of the event.
func admits(gate scan.Gate, eventID string) error {
	config := gate.Config()
	switch {
	case gate.Group == nil:
		return domain.Forbidden("This device has no scan group")
	case config == nil || config.TapAndGo == nil || !config.TapAndGo.Enabled:
		return domain.Forbidden("Tap and go is off in this device's scan group")
	// A nil list allows all events, an empty one none.
	case config.TapAndGo.EventIDs != nil && !slices.Contains(config.TapAndGo.EventIDs, eventID):
		return domain.Forbidden("This event is not one of the tap-and-go events of this device's scan group")
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
	// ListID restricts the search to one list. If it is empty, all of the seller's lists are searched.
	ListID string
	// ZoneID and MultiCheckin decide whether a ticket counts as checked in, as for a scan: see scan.Config. A nil zone
	// means any zone.
	ZoneID       *string
	MultiCheckin bool
	// At is the time of the lookup. Expired tickets come last.
	At moment.DateTime
}

// check returns all errors of the question.
func (q Question) check() error {
	var errs domain.FieldErrors
	errs.Text("externalCode", q.ExternalCode)
	if q.EventID == "" {
		errs.Add("eventId", "is required")
	} else {
		errs.Reference("eventId", q.EventID)
	}
	return errs.Err()
}

// possible reports whether a list can contain the code, by its length.
func (q Question) possible() bool {
	length := utf8.RuneCountInString(q.ExternalCode)
	return length > 0 && length <= MaxCodeLength
}

// Found is the result of a search. Known reports whether a list has the code. Ticket is nil if the holder has no ticket
// for the event.
type Found struct {
	Known  bool
	Ticket *GateTicket
}

// GateTicket is a ticket for a device, with the settings for displaying its code to the holder.
type GateTicket struct {
	// Document is the ticket as JSON. REST passes it on unparsed.
	Document          []byte
	CodeDisplay       catalog.CodeDisplay
	BarcodeRevealDate *moment.DateTime
	BarcodeRevealed   bool
}

// Ticket parses the document.
func (t GateTicket) Ticket() (ticket.Record, error) { return ticket.ReadRecord(t.Document) }

// MarshalJSON implements json.Marshaler with Append.
func (t GateTicket) MarshalJSON() ([]byte, error) { return t.Append(nil), nil }

// Append appends the ticket as JSON, followed by the three fields of the lookup.
func (t GateTicket) Append(dst []byte) []byte {
	dst = append(dst, t.Document[:len(t.Document)-1]...) // the document is compact and not empty
	dst = append(dst, `,"codeDisplay":"`...)
	dst = append(dst, t.CodeDisplay...) // an enum value
	dst = append(dst, `","barcodeRevealed":`...)
	dst = strconv.AppendBool(dst, t.BarcodeRevealed)
	if t.BarcodeRevealDate != nil {
		dst = t.BarcodeRevealDate.Append(append(dst, `,"barcodeRevealDate":`...))
	}
	return append(dst, '}')
}

// shownAt returns the ticket for a device at this time.
func (t GateTicket) shownAt(now time.Time, restricted bool) (GateTicket, error) {
	t.BarcodeRevealed = t.BarcodeRevealDate == nil || !now.Before(t.BarcodeRevealDate.Time)
	if !restricted {
		return t, nil
	}
	record, err := scan.WithoutContact(ticket.Record{Document: t.Document})
	t.Document = record.Document
	return t, err
}

// LookUp returns the ticket for a code at an event, without changing it. Only devices may call it. The error is
// UNKNOWN_CODE if no list has the code, and NO_TICKET_FOR_EVENT if the holder has no ticket for the event. It is
// LIST_UNAVAILABLE if a remote list that might have the code does not respond (ACCESS-4, ACCESS-5).
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

// find searches the static lists in one statement, and asks the remote lists only if no static list has the code.
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

// ticket returns the ticket, or the error that says why there is none.
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
	return domain.NewError(domain.CodeUnknownCode, "No access list contains this code")
}
