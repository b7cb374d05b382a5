package webhooks

import (
	"maps"
	"slices"
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/webhook"
)

// publishers are the operations that publish each type of event with their change, in the order of the fixture of samples.
// Other services of the platform publish all other types, with publishEvent.
var publishers = map[domain.EventType][]domain.Operation{
	"transaction.complete":          {domain.ImportTransactions, domain.CompleteCheckout},
	"transaction.reservedBySystem":  {domain.ImportTransactions},
	"transaction.canceled":          {domain.ImportTransactions},
	"transaction.partiallyCanceled": {domain.ImportTransactions},
	"checkout.completed":            {domain.CompleteCheckout},
	"checkout.aborted":              {domain.AbortCheckout},
	"checkout.detailsSubmitted":     {domain.SubmitDetails},
	"ticket.created":                {domain.ImportTickets, domain.CompleteCheckout},
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
	"event.updated":                 {domain.CreateTicketType, domain.UpdateTicketType, domain.DeleteTicketType, domain.UpdateEvent},
	"event.deleted":                 {domain.DeleteEvent},
	"scan.created":                  {domain.ScanTicket, domain.UploadScans},
}

// TestEveryEventTypeHasAPublisher runs through the table of event types. Each is published by a change here, or by
// publishEvent, which accepts its sample and refuses a broken one with the path of the fault.
func TestEveryEventTypeHasAPublisher(t *testing.T) {
	t.Parallel()
	w := newSampleFixture(t)
	w.changeEverything()
	if !maps.EqualFunc(w.publishers, publishers, slices.Equal) {
		t.Errorf("got publishers %v, want %v", w.publishers, publishers)
	}
	for _, kind := range domain.EventKinds() {
		sample := webhook.Sample(kind.Type)
		if _, err := w.events().Publish(w.platform(), webhook.NewEvent{Type: kind.Type, Data: sample}); err != nil {
			t.Errorf("%s: its sample was refused: %v", kind.Type, err)
		}
		path := "data." + kind.Data[0] + "._id"
		_, err := w.events().Publish(w.platform(), webhook.NewEvent{Type: kind.Type, Data: withBrokenID(sample, kind.Data[0])})
		if !domain.HasCode(err, domain.CodeValidationFailed) || domain.AsError(err).Fields[0].Path != path {
			t.Errorf("%s: with a number for _id: %v, want %s to be named", kind.Type, err, path)
		}
	}
}

// withBrokenID returns the data with a number for the _id of one resource.
func withBrokenID(data ecmajson.Value, resource string) ecmajson.Value {
	members := slices.Clone(data.Fields())
	for i, member := range members {
		if member.Name != resource {
			continue
		}
		broken := slices.Clone(member.Value.Fields())
		for j := range broken {
			if broken[j].Name == "_id" {
				broken[j].Value = domaintest.JSON("5")
			}
		}
		members[i].Value = ecmajson.NewObject(broken)
	}
	return ecmajson.NewObject(members)
}
