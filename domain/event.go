package domain

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"ticketgate/domain/moment"
)

// EventType is the type of an event, such as "ticket.created".
type EventType string

// The event types that Ticketgate's own operations publish.
const (
	TransactionComplete EventType = "transaction.complete"
)

// EventKind is a row of the table of event types.
type EventKind struct {
	Type EventType
	// Trigger says when the event is published.
	Trigger string
	// Data names the fields of the event's data object. Each holds a resource.
	Data []string
}

// TriggerClause returns the trigger with its article, such as "an event is created".
func (k EventKind) TriggerClause() string {
	if strings.ContainsRune("aeiou", rune(k.Trigger[0])) {
		return "an " + k.Trigger
	}
	return "a " + k.Trigger
}

// eventKinds is the table of event types, in the order of the API reference.
var eventKinds = [...]EventKind{
	{TransactionComplete, "transaction moves to COMPLETE", []string{"transaction", "tickets"}},
	{"transaction.reservedBySystem", "transaction is created as RESERVED-BY-SYSTEM", []string{"transaction", "tickets"}},
	{"transaction.canceled", "transaction moves to CANCELED", []string{"transaction", "tickets"}},
	{"transaction.partiallyCanceled", "part of a transaction is canceled", []string{"transaction", "tickets"}},
	{"checkout.completed", "checkout moves to COMPLETE", []string{"checkout"}},
	{"checkout.aborted", "checkout moves to ABORTED", []string{"checkout"}},
	{"checkout.detailsSubmitted", "checkout receives the buyer's details", []string{"checkout"}},
	{"ticket.created", "ticket is created", []string{"ticket"}},
	{"ticket.updated", "ticket is updated", []string{"ticket"}},
	{"purchaseIntent.created", "purchase intent is created", []string{"purchaseIntent"}},
	{"purchaseIntent.updated", "purchase intent is updated", []string{"purchaseIntent"}},
	{"purchaseIntent.completed", "purchase intent is completed", []string{"purchaseIntent"}},
	{"purchaseIntent.approved", "purchase intent is approved", []string{"purchaseIntent"}},
	{"purchaseIntent.rejected", "purchase intent is rejected", []string{"purchaseIntent"}},
	{"purchaseIntent.expired", "purchase intent expires", []string{"purchaseIntent"}},
	{"purchaseIntent.cancelled", "purchase intent is canceled", []string{"purchaseIntent"}},
	{"customer.created", "customer is created", []string{"customer"}},
	{"customer.updated", "customer is updated", []string{"customer"}},
	{"event.created", "event is created", []string{"event"}},
	{"event.updated", "event is updated", []string{"event"}},
	{"event.deleted", "event is deleted", []string{"event"}},
	{"job.started", "job starts", []string{"job"}},
	{"job.failed", "job fails", []string{"job"}},
	{"job.completed", "job completes", []string{"job"}},
	{"support.assignedToSeller", "support ticket is assigned to the seller", []string{"support"}},
	{"ticketTransfer.created", "ticket transfer is created", []string{"ticketTransfer"}},
	{"ticketTransfer.rejected", "ticket transfer is rejected", []string{"ticketTransfer"}},
	{"ticketTransfer.transferred", "ticket is transferred", []string{"ticketTransfer"}},
	{"ticketTransfer.expired", "ticket transfer expires", []string{"ticketTransfer"}},
	{"scan.created", "scan is stored", []string{"scan"}},
	{"subscription.created", "subscription is created", []string{"subscription"}},
	{"subscription.updated", "subscription is updated", []string{"subscription"}},
	{"subscription.payment.succeeded", "payment of a subscription succeeds", []string{"subscription"}},
	{"subscription.payment.failed", "payment of a subscription fails", []string{"subscription"}},
	{"bundle.created", "bundle is created", []string{"bundle"}},
	{"bundle.updated", "bundle is updated", []string{"bundle"}},
	{"product.created", "product is created", []string{"product"}},
	{"product.updated", "product is updated", []string{"product"}},
	{"product.deleted", "product is deleted", []string{"product"}},
	{"fund.created", "fund is created", []string{"fund"}},
	{"fund.updated", "fund is updated", []string{"fund"}},
	{"campaign.created", "campaign is created", []string{"campaign"}},
	{"campaign.updated", "campaign is updated", []string{"campaign"}},
	{"donation.created", "donation is made", []string{"donation"}},
	{"pledge.created", "pledge is made", []string{"pledge"}},
}

// toldStatuses maps a type to the statuses that its resource can have when the event is published. It covers
// transactions, checkouts and purchase intents.
var toldStatuses = map[EventType][]string{
	TransactionComplete:             {"COMPLETE"},
	"transaction.reservedBySystem":  {"RESERVED-BY-SYSTEM"},
	"transaction.canceled":          {"CANCELED"},
	"transaction.partiallyCanceled": {"RESERVED-BY-SYSTEM", "COMPLETE"},
	"checkout.completed":            {"COMPLETE"},
	"checkout.aborted":              {"ABORTED"},
	"checkout.detailsSubmitted":     {"DETAILS"},
	"purchaseIntent.created":        {"CREATED"},
	"purchaseIntent.updated":        {"CREATED", "APPROVED"},
	"purchaseIntent.completed":      {"COMPLETED"},
	"purchaseIntent.approved":       {"APPROVED"},
	"purchaseIntent.rejected":       {"REJECTED"},
	"purchaseIntent.expired":        {"EXPIRED"},
	"purchaseIntent.cancelled":      {"CANCELLED"},
}

// elsewhere lists the resources of other services whose events describe state changes, and whose statuses are not known
// here.
var elsewhere = []string{"job", "ticketTransfer"}

// Statuses returns the statuses that the type's resource can have, or nil if any is allowed.
func (t EventType) Statuses() []string { return toldStatuses[t] }

// Contradicts reports whether status belongs to another event type of the same resource, such as "failed" in
// job.completed. Only these words are known for resources of other services. Any other status passes, in any spelling.
func (t EventType) Contradicts(status string) bool {
	resource, told, _ := strings.Cut(string(t), ".")
	if !slices.Contains(elsewhere, resource) || strings.EqualFold(status, told) {
		return false
	}
	return slices.ContainsFunc(eventKinds[:], func(other EventKind) bool {
		name, word, _ := strings.Cut(string(other.Type), ".")
		return name == resource && strings.EqualFold(status, word)
	})
}

var eventKindOf = func() map[EventType]*EventKind {
	index := make(map[EventType]*EventKind, len(eventKinds))
	for i := range eventKinds {
		index[eventKinds[i].Type] = &eventKinds[i]
	}
	return index
}()

// EventKinds returns the table of event types, in the order of the API reference.
func EventKinds() []EventKind { return append([]EventKind(nil), eventKinds[:]...) }

// Kind returns the row of the type.
func (t EventType) Kind() (EventKind, bool) {
	kind, ok := eventKindOf[t]
	if !ok {
		return EventKind{}, false
	}
	return *kind, true
}

// Valid reports whether the type is in the table.
func (t EventType) Valid() bool {
	_, ok := eventKindOf[t]
	return ok
}

// MarshalGQL writes the type as a JSON string.
func (t EventType) MarshalGQL(w io.Writer) { _, _ = io.WriteString(w, strconv.Quote(string(t))) }

// UnmarshalGQL accepts any string. Null leaves the type empty. The operation checks that the type exists and reports
// its path.
func (t *EventType) UnmarshalGQL(v any) error {
	if v == nil {
		return nil
	}
	text, ok := v.(string)
	if !ok {
		return moment.MisfitError("must be an event type such as " + string(TransactionComplete))
	}
	*t = EventType(text)
	return nil
}
