package webhooks

import (
	"fmt"
	"strings"

	"ticketgate/domain"
)

// eventsIntroduction begins the page of events.
const eventsIntroduction = `# Events

Every event type with data as it is stored. Those of ` + "`transaction.*`, `checkout.*`, `ticket.*`, `purchaseIntent.*`, `customer.*`, `event.*`" + `
and ` + "`scan.*`" + ` come from records that a test creates, changes and deletes; all others are examples that the test publishes
with ` + "`publishEvent`" + `, so that members beyond the checked ones are only likely. (` + "`go test ./cmd/systemtest/webhooks -run TestEverySample -update`" + `
writes this page.) GraphQL has the same catalogue: ` + "`{ eventTypes { type trigger data sample } }`" + `.

The body of a webhook is ` + "`{\"id\", \"sellerId\", \"webhookId\", \"type\", \"mode\", \"data\"}`" + `; below is what stands in ` +
	"`data`" + `. An event is published in the same database transaction as the change that it tells of, once, and never for a
change that changes nothing.

- A transaction publishes one event for one change. A partial cancellation (a further item of
  ` + "`cancellationInfo.cancellableItems`" + ` has a ` + "`cancelledAt`" + `, or ` + "`historyEntries`" + ` a further ` + "`partial.canceled`" + `)
  publishes ` + "`transaction.partiallyCanceled`" + ` and no other event of the transaction, once it is reserved or complete: of what is
  ` + "`NEW`" + `, nothing was sold. An item that loses its ` + "`cancelledAt`" + ` and gets one again is canceled again.
- Completing a checkout publishes ` + "`checkout.completed`, `transaction.complete`" + ` and one ` + "`ticket.created`" + ` a ticket. A
  checkout whose time is over publishes ` + "`checkout.aborted`" + `.
- Every scan publishes ` + "`scan.created`" + `, declined ones too; one that a device hands in twice does so once.
- The data of an event has its ticket types as ` + "`tickets`" + `. Making, changing or removing one publishes
  ` + "`event.updated`" + ` and gives the event a new ` + "`updatedAt`" + `, later than every one before. ` + "`updatedAt`" + ` in the data of ` + "`event.deleted`" + `
  is the time of the deletion.
- A purchase intent publishes one event for each move, and ` + "`purchaseIntent.updated`" + ` for a change of what it says
  ([the moves](purchase-intents.md)).
- Tickets of what is canceled become ` + "`INVALID`" + `, and each publishes ` + "`ticket.updated`" + `. Tickets that are imported after the
  cancellation, or once more, are ` + "`INVALID`" + ` at once.
- Services of the platform publish the types that have no operation here with ` + "`publishEvent`" + `. The data of
  ` + "`transaction.*`" + ` and ` + "`ticket.*`" + ` is checked whole; of all other resources ` + "`_id`" + `, ` + "`sellerId`" + `,
  ` + "`createdAt`" + `, ` + "`updatedAt`" + ` and ` + "`createdBy`" + `, ` + "`identification`" + ` of checkouts and purchase intents, and the members
  of a scan, which needs those that every scan has. A ` + "`status`" + ` has to be one that the type tells of: of a transaction,
  a checkout or a purchase intent the status that the move leads to; a job or a ticket transfer, whose statuses others
  choose, only may not have the word of another event of its own (` + "`failed`" + ` in ` + "`job.completed`" + `). Further members
  are kept as they come.
- Of ids in data that is published, and of the event, ticket types and other ids of imported transactions and tickets, none
  is looked up: those records may live elsewhere.
`

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

// publishedMembers are the members, beyond those that all have, of the resources that happen elsewhere, by type.
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

// status is what happened, as in ticketTransfer.expired.
func status(kind domain.EventType) string {
	return strings.ToUpper(string(kind[strings.LastIndexByte(string(kind), '.')+1:]))
}
