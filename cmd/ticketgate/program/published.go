package program

import (
	"ticketgate/domain"
	"ticketgate/domain/document"
	"ticketgate/domain/identification"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/sale"
	"ticketgate/domain/ticket"
	"ticketgate/domain/webhook"
)

// PublishedResources returns the types that validate the data of published events. Transactions and tickets are
// validated completely. All others are validated only by the fields that integrators rely on.
func PublishedResources() webhook.Resources {
	bought, other := document.ReadOpen[boughtRecord](), document.ReadOpen[record]()
	resources := webhook.Resources{}
	for _, kind := range domain.EventKinds() {
		for _, name := range kind.Data {
			resources[name] = other
		}
	}
	resources["transaction"], resources["ticket"] = sale.TransactionDefinition, ticket.Definition
	resources["checkout"], resources["purchaseIntent"] = bought, bought
	resources["scan"] = document.ReadOpen[scanRecord]()
	return resources
}

// record has the fields that published records have in common.
type record struct {
	ID        *string          `json:"_id,omitempty" document:"id"`
	SellerID  *ids.Seller      `json:"sellerId,omitempty" document:"id"`
	CreatedAt *moment.DateTime `json:"createdAt,omitempty"`
	UpdatedAt *moment.DateTime `json:"updatedAt,omitempty"`
	CreatedBy *domain.Creator  `json:"createdBy,omitempty"`
}

// boughtRecord has the validated fields of a checkout or a purchase intent.
type boughtRecord struct {
	record
	Identification []identification.Document `json:"identification,omitempty"`
}

// scanRecord has the validated fields of a scan. Required fields are those that every scan has, even one of an unknown
// code.
type scanRecord struct {
	ID            string          `json:"_id" document:"id"`
	TicketID      *string         `json:"ticketId,omitempty" document:"id"`
	Time          moment.DateTime `json:"time"`
	EventID       *string         `json:"eventId,omitempty" document:"id"`
	ParentEventID *string         `json:"parentEventId,omitempty" document:"id"`
	Barcode       string          `json:"barcode"`
	Name          *string         `json:"name,omitempty"`
	TicketTypeID  *string         `json:"ticketTypeId,omitempty" document:"id"`
	TicketName    *string         `json:"ticketName,omitempty"`
	DeviceID      *string         `json:"deviceId,omitempty" document:"id"`
	Type          scanType        `json:"type"`
	ScanResult    scanResult      `json:"scanResult"`
	SellerID      ids.Seller      `json:"sellerId" document:"id"`
	CreatedAt     moment.DateTime `json:"createdAt"`
	UpdatedAt     moment.DateTime `json:"updatedAt"`
}

type scanType string

// Names returns the valid types of scans.
func (scanType) Names() []string { return []string{"checkin", "checkout"} }

type scanResult string

// Names returns the valid results of scans.
func (scanResult) Names() []string { return []string{"approved", "declined"} }
