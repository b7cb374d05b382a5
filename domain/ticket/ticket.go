package ticket

import (
	"encoding/json"

	"ticketgate/domain"
	"ticketgate/domain/document"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/money"
)

// Ticket is the ticket resource. Its fields have the documented order: first the required ones, then the optional ones.
// Fields that are searched have a maximum length. A barcode's is the same as that of an access list entry's code.
type Ticket struct {
	ID           string          `json:"_id" document:"id"`
	SellerID     ids.Seller      `json:"sellerId" document:"id"`
	EventID      string          `json:"eventId" document:"id"`
	TicketTypeID string          `json:"ticketTypeId" document:"id"`
	TicketName   string          `json:"ticketName"`
	CreatedAt    moment.DateTime `json:"createdAt" document:"made"`
	UpdatedAt    moment.DateTime `json:"updatedAt" document:"made"`
	Status       Status          `json:"status"`
	Secret       string          `json:"secret"`
	Barcode      string          `json:"barcode" document:"filled longest=255"`

	Company   *string `json:"company,omitempty"`
	Email     *string `json:"email,omitempty" document:"longest=320"`
	Name      *string `json:"name,omitempty"`
	Firstname *string `json:"firstname,omitempty"`
	Lastname  *string `json:"lastname,omitempty"`
	Street    *string `json:"street,omitempty"`
	Line2     *string `json:"line2,omitempty"`
	City      *string `json:"city,omitempty"`
	Postal    *string `json:"postal,omitempty"`
	State     *string `json:"state,omitempty"`
	Country   *string `json:"country,omitempty" document:"countrytext"`

	RootEventID       *string `json:"rootEventId,omitempty" document:"id"`
	TransactionID     *string `json:"transactionId,omitempty" document:"id"`
	PosID             *string `json:"posId,omitempty" document:"id"`
	UnderShopID       *string `json:"underShopId,omitempty" document:"id"`
	CategoryRef       *string `json:"categoryRef,omitempty"`
	CategoryName      *string `json:"categoryName,omitempty"`
	SlotID            *string `json:"slotId,omitempty" document:"id"`
	SlotStartTime     *string `json:"slotStartTime,omitempty" document:"slottime"`
	CartItemID        *string `json:"cartItemId,omitempty" document:"id"`
	CustomMessage     *string `json:"customMessage,omitempty"`
	PriceCategoryID   *string `json:"priceCategoryId,omitempty" document:"id"`
	CustomerID        *string `json:"customerId,omitempty" document:"id"`
	OriginTicketID    *string `json:"originTicketId,omitempty" document:"id"`
	FulfillmentTypeID *string `json:"fulfillmentTypeId,omitempty" document:"id"`
	Batch             *string `json:"batch,omitempty" document:"uuid"`
	Seat              *string `json:"seat,omitempty"`

	TriggeredBy      []string         `json:"triggeredBy,omitempty" document:"id"`
	Currency         *money.Currency  `json:"currency,omitempty"`
	RegularPrice     *document.Number `json:"regularPrice,omitempty"`
	RealPrice        *document.Number `json:"realPrice,omitempty"`
	BatchCounter     *document.Number `json:"batchCounter,omitempty"`
	Completed        *bool            `json:"completed,omitempty"`
	ReadyForDelivery *bool            `json:"readyForDelivery,omitempty"`
	Personalized     *bool            `json:"personalized,omitempty"`
	ExpiresAt        *moment.DateTime `json:"expiresAt,omitempty"`

	SeatingInfo      *Seating         `json:"seatingInfo,omitempty"`
	Type             *Type            `json:"type,omitempty"`
	Origin           *Origin          `json:"origin,omitempty"`
	ExtraFields      *ecmajson.Value  `json:"extraFields,omitempty" document:"object"`
	DeliveryType     *DeliveryType    `json:"deliveryType,omitempty"`
	EntryPermissions []ecmajson.Value `json:"entryPermissions,omitempty"`
	History          []ecmajson.Value `json:"history,omitempty"`
	Personalizations []ecmajson.Value `json:"personalizations,omitempty"`
	ExcludedEventIDs []string         `json:"excludedEventIds,omitempty" document:"id"`
	PackageInfo      *Package         `json:"packageInfo,omitempty"`
	Version          *int             `json:"__v,omitempty"`
	Locks            []Lock           `json:"_locks,omitempty"`
	AddOns           []AddOn          `json:"addOns,omitempty"`
	Capabilities     []Capability     `json:"capabilities,omitempty"`
}

// ExpiredAt reports whether the ticket has expired at the given time. It has expired at ExpiresAt itself.
func (t *Ticket) ExpiredAt(at moment.DateTime) bool {
	return t.ExpiresAt != nil && !at.Before(t.ExpiresAt.Time)
}

// Definition is the field table of the resource.
var Definition = document.Read[Ticket]()

// Record is a stored ticket: the parsed fields and the validated canonical document, which responses and events use
// verbatim.
type Record struct {
	Ticket
	Document []byte
}

// ReadRecord parses a stored document.
func ReadRecord(text []byte) (Record, error) {
	record := Record{Document: text}
	err := json.Unmarshal(text, &record.Ticket)
	return record, err
}

// MarshalJSON returns the stored document.
func (r Record) MarshalJSON() ([]byte, error) { return r.Document, nil }

// Append appends the document to dst.
func (r Record) Append(dst []byte) []byte { return append(dst, r.Document...) }

// With returns the ticket with fields set and a later updatedAt. It returns false if nothing changes.
func (r Record) With(now moment.DateTime, fields ...ecmajson.Field) (Record, bool, error) {
	before, err := ecmajson.Parse(r.Document, ecmajson.Limits{})
	if err != nil {
		return r, false, err
	}
	after := before
	for _, field := range fields {
		after = Definition.With(after, field.Name, field.Value)
	}
	if after.Equal(before) {
		return r, false, nil
	}
	next := domain.NextUpdate(now.Time, r.UpdatedAt)
	after = Definition.With(after, updatedAt, ecmajson.NewString(next.String()))
	changed, err := ReadRecord(after.Print())
	return changed, true, err
}
