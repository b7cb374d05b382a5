package webhooks

import (
	_ "embed"
	"fmt"
	"strings"

	"ticketgate/domain"
)

// eventsIntroduction is the text of the page of events above the samples.
//
//go:embed testdata/events_head.md
var eventsIntroduction string

const sampleTicket = `{"_id": "6570c1b09d3e4f0012ab34e%d", "sellerId": "6570c0ff9d3e4f0012ab0001", "eventId": "6570c1009d3e4f0012ab0100",
	"ticketTypeId": "6570c1229d3e4f0012ab0300", "ticketName": "Parterre", "status": "VALID", "secret": "secret-of-ticket-%d",
	"barcode": "TG000000004%d", "transactionId": "6570c1a29d3e4f0012ab34cd", "cartItemId": "6570c1a29d3e4f0012ab34c%d",
	"customerId": "6570c1119d3e4f0012ab0200", "email": "zoe@example.org", "currency": "EUR", "realPrice": 48.5, "type": "SINGLE"}`

const sampleTransaction = `{"_id": "6570c1a29d3e4f0012ab34cd", "sellerId": "6570c0ff9d3e4f0012ab0001", "eventId": "6570c1009d3e4f0012ab0100",
	"realPrice": 98.5, "status": "COMPLETE", "secret": "secret-of-the-transaction", "tid": "T-2026-000042", "coupons": ["EARLY-BIRD"],
	"customerId": "6570c1119d3e4f0012ab0200", "company": "Martin & Fils", "prename": "Zoë", "lastname": "Martin",
	"email": "zoe@example.org", "street": "12, rue de l'Exemple", "postal": "75001", "city": "Paris", "country": "FR",
	"identification": [{"type": "france_siren", "identifier": "732829320"}],
	"tickets": [
		{"_id": "6570c1a29d3e4f0012ab34c0", "type": "ticket", "amount": 1, "price": 48.5, "ticketTypeId": "6570c1229d3e4f0012ab0300", "name": "Parterre"},
		{"_id": "6570c1a29d3e4f0012ab34c1", "type": "ticket", "amount": 1, "price": 48.5, "ticketTypeId": "6570c1229d3e4f0012ab0300", "name": "Parterre"}
	],
	"currency": "EUR", "regularPrice": 98.5, "taxRate": 5.5,
	"outerFeeComponents": {"_id": "6570c1a29d3e4f0012ab34d0", "fix": [{"_id": "6570c1a29d3e4f0012ab34d1", "amount": 1, "value": 1.5, "type": "onCart", "name": "Service", "exposed": true}]},
	"cancellationInfo": {"cancellableItems": [
		{"cartItemId": "6570c1a29d3e4f0012ab34c0", "type": "ticket", "price": 48.5, "cancelledAt": null},
		{"cartItemId": "6570c1a29d3e4f0012ab34c1", "type": "ticket", "price": 48.5, "cancelledAt": null}
	]},
	"createdAt": "2026-11-27T20:37:00.120Z", "updatedAt": "2026-11-27T20:38:11.000Z", "paymentMethod": "stripe",
	"paymentStatus": "RECEIVED", "origin": "yourticket", "preferredLanguage": "fr"}`

// publishedMembers holds the additional fields of resources of other services, by type.
var publishedMembers = map[string]func(domain.EventType) string{
	"job": func(kind domain.EventType) string {
		return fmt.Sprintf(`"name": "Export of tickets", "status": %q`, status(kind))
	},
	"support": always(`"subject": "Refund of a ticket", "status": "OPEN"`),
	"ticketTransfer": func(kind domain.EventType) string {
		return fmt.Sprintf(`"ticketId": "6570c1b09d3e4f0012ab34e0", "email": "ada@example.org", "status": %q,
			"ticketIds": ["6570c1b09d3e4f0012ab34e0"], "eventId": "6570c1009d3e4f0012ab0100", "origin": "customer",
			"secret": "secret-of-the-transfer"`, status(kind))
	},
	"subscription": always(`"customerId": "6570c1119d3e4f0012ab0200", "name": "Season 2027", "status": "ACTIVE"`),
	"bundle":       always(`"name": "Ticket and programme", "status": "ACTIVE"`),
	"product":      always(`"name": "Programme", "price": 10.5, "status": "ACTIVE"`),
	"fund":         always(`"name": "Young musicians"`),
	"campaign":     always(`"name": "A new piano"`),
	"donation":     always(`"amount": 25, "currency": "EUR"`),
	"pledge":       always(`"amount": 100, "currency": "EUR"`),
}

func always(members string) func(domain.EventType) string {
	return func(domain.EventType) string { return members }
}

// status returns the state in a type's name, as in ticketTransfer.expired.
func status(kind domain.EventType) string {
	return strings.ToUpper(string(kind[strings.LastIndexByte(string(kind), '.')+1:]))
}
