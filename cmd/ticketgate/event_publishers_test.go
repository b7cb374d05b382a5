package main

import (
	"maps"
	"slices"
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/webhook"
)

// publishers are the operations that publish event types by the change they make. All other types happen elsewhere in the
// platform, whose services publish them with publishEvent (decisions 8.3).
var publishers = map[domain.EventType][]domain.Operation{
	"transaction.complete":          {domain.ImportTransactions},
	"transaction.reservedBySystem":  {domain.ImportTransactions},
	"transaction.canceled":          {domain.ImportTransactions},
	"transaction.partiallyCanceled": {domain.ImportTransactions},
	"ticket.created":                {domain.ImportTickets},
	"ticket.updated":                {domain.ImportTickets, domain.ImportTransactions},
	"purchaseIntent.created":        {domain.CreatePurchaseIntent},
	"purchaseIntent.updated":        {domain.UpdatePurchaseIntent},
	"purchaseIntent.completed":      {domain.CompletePurchaseIntent},
	"purchaseIntent.approved":       {domain.ApprovePurchaseIntent},
	"purchaseIntent.rejected":       {domain.RejectPurchaseIntent},
	"purchaseIntent.expired":        {domain.ExpirePurchaseIntent},
	"purchaseIntent.cancelled":      {domain.CancelPurchaseIntent},
	"customer.created":              {domain.CreateCustomer},
	"customer.updated":              {domain.UpdateCustomer},
	"event.created":                 {domain.CreateEvent},
	"event.updated":                 {domain.UpdateEvent},
	"event.deleted":                 {domain.DeleteEvent},
}

// TestEveryEventTypeHasAPublisher walks the table of event types: each is published by a change here, or comes in through
// publishEvent, which takes its sample and refuses a broken one with the path of what is wrong.
func TestEveryEventTypeHasAPublisher(t *testing.T) {
	t.Parallel()
	ctx, store, plain := sampleWorld(t)
	here := firstOfEach(t, plain)
	if got, want := slices.Sorted(maps.Keys(here)), slices.Sorted(maps.Keys(publishers)); !slices.Equal(got, want) {
		t.Errorf("changes publish %q, want %q", got, want)
	}
	for kind, operations := range publishers {
		for _, operation := range operations {
			if _, known := domain.Operations()[operation]; !known {
				t.Errorf("%s is published by %s, which is no operation", kind, operation)
			}
		}
	}
	events := webhook.Events{Store: store.Webhooks(), Resources: publishedResources(), Seller: sampleSellerOnly}
	for _, kind := range domain.EventKinds() {
		sample := webhook.Sample(kind.Type)
		if _, err := events.Publish(ctx, webhook.NewEvent{Type: kind.Type, Data: sample}); err != nil {
			t.Errorf("%s: its sample is refused: %v", kind.Type, err)
		}
		path := "data." + kind.Data[0] + "._id"
		_, err := events.Publish(ctx, webhook.NewEvent{Type: kind.Type, Data: withBrokenID(sample, kind.Data[0])})
		if !domain.HasCode(err, domain.CodeValidationFailed) || domain.AsError(err).Fields[0].Path != path {
			t.Errorf("%s: with a number for _id: %v, want %s to be named", kind.Type, err, path)
		}
	}
}

// withBrokenID is the data with a number for the _id of one resource.
func withBrokenID(data ecmajson.Value, resource string) ecmajson.Value {
	members := slices.Clone(data.Members())
	for i, member := range members {
		if member.Name != resource {
			continue
		}
		broken := slices.Clone(member.Value.Members())
		for j := range broken {
			if broken[j].Name == "_id" {
				broken[j].Value = domaintest.JSON("5")
			}
		}
		members[i].Value = ecmajson.NewObject(broken)
	}
	return ecmajson.NewObject(members)
}
