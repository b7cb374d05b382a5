package catalog

import (
	"regexp"
	"time"
	_ "time/tzdata" // so that time zones do not depend on the machine

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
)

// EventType is the type of an event.
type EventType string

// The event types.
const (
	Single     EventType = "SINGLE"
	Group      EventType = "GROUP"      // contains events
	Recurrence EventType = "RECURRENCE" // a date of a series
	Root       EventType = "ROOT"       // a series
)

// Valid reports whether t is one of the event types.
func (t EventType) Valid() bool { return t == Single || t.Gathers() || t == Recurrence }

// Gathers reports whether events of this type contain others. Such events have no tickets to scan, so they can't be
// assigned to scan groups.
func (t EventType) Gathers() bool { return t == Group || t == Root }

// CodeDisplay is how a ticket's code is shown to its holder.
type CodeDisplay string

// The code displays.
const (
	QR      CodeDisplay = "QR"
	Barcode CodeDisplay = "BARCODE"
	NoCode  CodeDisplay = "NONE"
)

// Valid reports whether d is one of the code displays.
func (d CodeDisplay) Valid() bool { return d == QR || d == Barcode || d == NoCode }

// Event is an event that tickets are sold for.
type Event struct {
	ID            string          `json:"_id"`
	SellerID      ids.Seller      `json:"sellerId"`
	Name          string          `json:"name"`
	Type          EventType       `json:"type"`
	RootEventID   *string         `json:"rootEventId,omitempty"`
	ParentEventID *string         `json:"parentEventId,omitempty"`
	Start         moment.DateTime `json:"start"`
	// End is nil if the event ends at its start.
	End *moment.DateTime `json:"end,omitempty"`
	// TimeZone is the IANA name of the venue's time zone. The event's times are absolute.
	TimeZone string `json:"timeZone"`
	// SkipAddressInfo lets a checkout omit the address, unless the identification rule requires it (IDENT-9).
	SkipAddressInfo bool        `json:"skipAddressInfo"`
	CodeDisplay     CodeDisplay `json:"codeDisplay"`
	// BarcodeRevealDate is the time from which holders can see their code. If nil, they always can.
	BarcodeRevealDate *moment.DateTime `json:"barcodeRevealDate,omitempty"`
	Meta              ecmajson.Value   `json:"meta,omitzero"`
	CreatedAt         moment.DateTime  `json:"createdAt"`
	UpdatedAt         moment.DateTime  `json:"updatedAt"`

	Sales //nolint:embeddedstructfieldcheck // the order of fields in JSON
}

// Ends returns the time when the event is over.
func (e *Event) Ends() moment.DateTime {
	if e.End != nil {
		return *e.End
	}
	return e.Start
}

// NewEvent is the input of createEvent. Defaults: type SINGLE, time zone UTC, code display QR.
type NewEvent struct {
	// SellerID is optional if the call already acts for a seller.
	SellerID          ids.Seller       `json:"sellerId"`
	ID                *string          `json:"_id"`
	Name              string           `json:"name"`
	Type              EventType        `json:"type"`
	RootEventID       *string          `json:"rootEventId"`
	ParentEventID     *string          `json:"parentEventId"`
	Start             moment.DateTime  `json:"start"`
	End               *moment.DateTime `json:"end"`
	TimeZone          *string          `json:"timeZone"`
	SkipAddressInfo   bool             `json:"skipAddressInfo"`
	CodeDisplay       CodeDisplay      `json:"codeDisplay"`
	BarcodeRevealDate *moment.DateTime `json:"barcodeRevealDate"`
	Meta              ecmajson.Value   `json:"meta"`

	Sales //nolint:embeddedstructfieldcheck // in the order of the record
}

// EventChange is the input of updateEvent. Null restores a field's default, except for name and start, which can't be
// cleared.
type EventChange struct {
	SellerID          ids.Seller                      `json:"sellerId"`
	Name              optional.Value[string]          `json:"name"`
	RootEventID       optional.Value[string]          `json:"rootEventId"`
	ParentEventID     optional.Value[string]          `json:"parentEventId"`
	Start             optional.Value[moment.DateTime] `json:"start"`
	End               optional.Value[moment.DateTime] `json:"end"`
	TimeZone          optional.Value[string]          `json:"timeZone"`
	SkipAddressInfo   optional.Value[bool]            `json:"skipAddressInfo"`
	CodeDisplay       optional.Value[CodeDisplay]     `json:"codeDisplay"`
	BarcodeRevealDate optional.Value[moment.DateTime] `json:"barcodeRevealDate"`
	Meta              optional.Value[ecmajson.Value]  `json:"meta"`
	// ExpectedUpdatedAt is the updatedAt that the caller last saw. If the stored one differs, the update fails with
	// CONFLICT (BODY-2). REST uses If-Match instead.
	ExpectedUpdatedAt *moment.DateTime `json:"-" graphql:"expectedUpdatedAt"`

	SalesChange //nolint:embeddedstructfieldcheck // in the order of the record
}

// change returns the input as a change to an empty event, so that one function validates both.
func (n NewEvent) change() EventChange {
	change := EventChange{
		Name: optional.Some(n.Name), RootEventID: optional.FromPointer(n.RootEventID),
		ParentEventID: optional.FromPointer(n.ParentEventID), Start: optional.Some(n.Start), End: optional.FromPointer(n.End),
		TimeZone: optional.FromPointer(n.TimeZone), SkipAddressInfo: optional.Some(n.SkipAddressInfo),
		CodeDisplay: optional.Null[CodeDisplay](), BarcodeRevealDate: optional.FromPointer(n.BarcodeRevealDate),
		Meta: sentMeta(n.Meta), SalesChange: n.salesChange(),
	}
	if n.CodeDisplay != "" {
		change.CodeDisplay = optional.Some(n.CodeDisplay)
	}
	return change
}

// defaultTimeZone is the time zone of an event without one.
const defaultTimeZone = "UTC"

// apply applies change to the event and adds all validation errors to errs, except those that depend on other events.
func (e *Event) apply(change EventChange, errs *domain.FieldErrors) {
	errs.NotNull("name", change.Name.IsNull())
	errs.NotNull("start", change.Start.IsNull())
	if change.Name.Value != nil {
		e.Name = errs.Name("name", *change.Name.Value)
	}
	e.RootEventID = applyReference(errs, "rootEventId", change.RootEventID, e.RootEventID)
	e.ParentEventID = applyReference(errs, "parentEventId", change.ParentEventID, e.ParentEventID)
	e.checkPlace(errs)
	e.Start = change.Start.Or(e.Start)
	if e.End = change.End.ApplyPointer(e.End); e.End != nil && e.End.Before(e.Start.Time) {
		errs.Add("end", "must not be before start")
	}
	if change.TimeZone.Set {
		e.TimeZone = change.TimeZone.Or(defaultTimeZone)
	}
	if !isTimeZone(e.TimeZone) {
		errs.Add("timeZone", "must be an IANA time zone such as Europe/Berlin")
	}
	e.SkipAddressInfo = change.SkipAddressInfo.Apply(e.SkipAddressInfo)
	if change.CodeDisplay.Set {
		e.CodeDisplay = change.CodeDisplay.Or(QR)
	}
	if !e.CodeDisplay.Valid() {
		errs.Add("codeDisplay", "must be one of QR, BARCODE, NONE")
	}
	e.BarcodeRevealDate = change.BarcodeRevealDate.ApplyPointer(e.BarcodeRevealDate)
	e.Meta = applyMeta(errs, change.Meta, e.Meta)
	e.applySales(change.SalesChange, errs)
}

var timeZonePattern = regexp.MustCompile(`^[A-Z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+){0,2}$`)

// isTimeZone reports whether Go knows the time zone. It excludes Local, the machine's own time zone, and Factory, which
// means that none is set.
func isTimeZone(name string) bool {
	const longest = 64
	if len(name) > longest || !timeZonePattern.MatchString(name) || name == "Local" || name == "Factory" {
		return false
	}
	_, err := time.LoadLocation(name)
	return err == nil
}

// EventFilter narrows a list of events. A zero field does not filter.
type EventFilter struct {
	// Name matches a part of the name, ignoring case.
	Name          string           `graphql:"name"`
	Type          EventType        `graphql:"type"`
	TypeIn        []EventType      `graphql:"typeIn"`
	RootEventID   string           `graphql:"rootEventId"`
	ParentEventID string           `graphql:"parentEventId"`
	StartFrom     *moment.DateTime `graphql:"startFrom"`  // inclusive
	StartUntil    *moment.DateTime `graphql:"startUntil"` // exclusive
}

// Check returns all validation errors of the filter's fields.
func (f EventFilter) Check() error {
	var errs domain.FieldErrors
	if f.Type != "" && !f.Type.Valid() {
		errs.Add("type", "must be one of SINGLE, GROUP, RECURRENCE, ROOT")
	}
	errs.Values("typeIn", len(f.TypeIn))
	errs.Text("name", f.Name)
	errs.Text("rootEventId", f.RootEventID)
	errs.Text("parentEventId", f.ParentEventID)
	return errs.Err()
}
