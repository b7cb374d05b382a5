package catalog

import (
	"regexp"
	"time"
	_ "time/tzdata" // the names are known on every machine

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
)

// EventType says how an event stands to others.
type EventType string

// The types of events.
const (
	Single     EventType = "SINGLE"
	Group      EventType = "GROUP"      // gathers events
	Recurrence EventType = "RECURRENCE" // one date of a series
	Root       EventType = "ROOT"       // a series
)

// Valid tells whether it is one of the types.
func (t EventType) Valid() bool { return t == Single || t.Gathers() || t == Recurrence }

// Gathers tells whether other events can stand below one of this type. Such events have no ticket of their own that
// could be scanned: none of them is assigned to a scan group (spec 2.4).
func (t EventType) Gathers() bool { return t == Group || t == Root }

// CodeDisplay is how a ticket's code is shown to its holder (decisions 5.6).
type CodeDisplay string

// The ways to show a code.
const (
	QR      CodeDisplay = "QR"
	Barcode CodeDisplay = "BARCODE"
	NoCode  CodeDisplay = "NONE"
)

// Valid tells whether it is one of the ways.
func (d CodeDisplay) Valid() bool { return d == QR || d == Barcode || d == NoCode }

// Event is what tickets are sold for.
type Event struct {
	ID            string          `json:"_id"`
	SellerID      ids.Seller      `json:"sellerId"`
	Name          string          `json:"name"`
	Type          EventType       `json:"type"`
	RootEventID   *string         `json:"rootEventId,omitempty"`
	ParentEventID *string         `json:"parentEventId,omitempty"`
	Start         moment.DateTime `json:"start"`
	// End is absent for an event that ends at its start (decisions 6.1).
	End *moment.DateTime `json:"end,omitempty"`
	// TimeZone is the IANA name of the place's; times themselves are instants.
	TimeZone string `json:"timeZone"`
	// SkipAddressInfo lets a checkout do without an address, unless a rule asks for it (spec 4.5).
	SkipAddressInfo bool        `json:"skipAddressInfo"`
	CodeDisplay     CodeDisplay `json:"codeDisplay"`
	// BarcodeRevealDate is when holders may see their code; absent: at any time.
	BarcodeRevealDate *moment.DateTime `json:"barcodeRevealDate,omitempty"`
	Meta              ecmajson.Value   `json:"meta,omitzero"`
	CreatedAt         moment.DateTime  `json:"createdAt"`
	UpdatedAt         moment.DateTime  `json:"updatedAt"`

	Sales //nolint:embeddedstructfieldcheck // printed after what stands before it
}

// Ends is when the event is over.
func (e *Event) Ends() moment.DateTime {
	if e.End != nil {
		return *e.End
	}
	return e.Start
}

// NewEvent is the input of createEvent. Absent: the type is SINGLE, the time zone UTC, and codes are shown as QR.
type NewEvent struct {
	// SellerID may be left out where the call already acts on a seller.
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

// EventChange is the input of updateEvent. Null puts a member back to that of a new event, but for name and start, which
// can't be cleared.
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
	// ExpectedUpdatedAt is the updatedAt that the caller last saw: another one is CONFLICT. REST has If-Match for it.
	ExpectedUpdatedAt *moment.DateTime `json:"-" graphql:"expectedUpdatedAt"`

	SalesChange //nolint:embeddedstructfieldcheck // in the order of the record
}

// change is a new event as a change of nothing, so that one function checks both.
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

// defaultTimeZone is that of an event which says nothing of its own.
const defaultTimeZone = "UTC"

// apply puts the change into the event and notes everything that is wrong with it, but for what only other events
// can tell.
func (e *Event) apply(change EventChange, problems *domain.Problems) {
	problems.NotNull("name", change.Name.IsNull())
	problems.NotNull("start", change.Start.IsNull())
	if change.Name.Value != nil {
		e.Name = problems.Name("name", *change.Name.Value)
	}
	e.RootEventID = applyReference(problems, "rootEventId", change.RootEventID, e.RootEventID)
	e.ParentEventID = applyReference(problems, "parentEventId", change.ParentEventID, e.ParentEventID)
	e.checkPlace(problems)
	e.Start = change.Start.Or(e.Start)
	if e.End = change.End.ApplyPointer(e.End); e.End != nil && e.End.Before(e.Start.Time) {
		problems.Add("end", "must not be before start")
	}
	if change.TimeZone.Set {
		e.TimeZone = change.TimeZone.Or(defaultTimeZone)
	}
	if !isTimeZone(e.TimeZone) {
		problems.Add("timeZone", "must be the IANA name of a time zone such as Europe/Berlin")
	}
	e.SkipAddressInfo = change.SkipAddressInfo.Apply(e.SkipAddressInfo)
	if change.CodeDisplay.Set {
		e.CodeDisplay = change.CodeDisplay.Or(QR)
	}
	if !e.CodeDisplay.Valid() {
		problems.Add("codeDisplay", "must be one of QR, BARCODE, NONE")
	}
	e.BarcodeRevealDate = change.BarcodeRevealDate.ApplyPointer(e.BarcodeRevealDate)
	e.Meta = applyMeta(problems, change.Meta, e.Meta)
	e.applySales(change.SalesChange, problems)
}

var timeZonePattern = regexp.MustCompile(`^[A-Z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+){0,2}$`)

// isTimeZone asks Go's time zones, but not for the names that mean this machine's own or none.
func isTimeZone(name string) bool {
	const longest = 64
	if len(name) > longest || !timeZonePattern.MatchString(name) || name == "Local" || name == "Factory" {
		return false
	}
	_, err := time.LoadLocation(name)
	return err == nil
}

// EventFilter narrows a list of events; a zero member is no filter.
type EventFilter struct {
	// Name is part of the name, whatever its case.
	Name          string           `graphql:"name"`
	Type          EventType        `graphql:"type"`
	TypeIn        []EventType      `graphql:"typeIn"` // one of these
	RootEventID   string           `graphql:"rootEventId"`
	ParentEventID string           `graphql:"parentEventId"`
	StartFrom     *moment.DateTime `graphql:"startFrom"`  // inclusive
	StartUntil    *moment.DateTime `graphql:"startUntil"` // exclusive
}

// Check tells everything that is wrong with the filter, by its own members.
func (f EventFilter) Check() error {
	var problems domain.Problems
	if f.Type != "" && !f.Type.Valid() {
		problems.Add("type", "must be one of SINGLE, GROUP, RECURRENCE, ROOT")
	}
	problems.Values("typeIn", len(f.TypeIn))
	problems.Text("name", f.Name)
	problems.Text("rootEventId", f.RootEventID)
	problems.Text("parentEventId", f.ParentEventID)
	return problems.Err()
}
