package domain_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ticketgate/domain"
)

// Operations that may read from a replica are listed here again. An operation that reads a credential, decides about a
// ticket or sells must never be one of them.
func TestOperationsThatMayReadFromAReplica(t *testing.T) {
	t.Parallel()
	var lag []domain.Operation
	for op := range domain.Operations() {
		if domain.MayLag(op) {
			lag = append(lag, op)
		}
	}
	want := []domain.Operation{
		domain.ListDeliveries, domain.ListWebhookFigures, domain.GetWebhookStatistics, domain.ListAuditLog, domain.Search,
		domain.ListEvents, domain.ListTicketTypes, domain.ListScanZones, domain.ListCustomers, domain.ListTickets,
		domain.ListTransactions, domain.ListCheckouts, domain.ListRefusals, domain.ListInvoices, domain.ListPurchaseIntents,
		domain.ListAccessLists, domain.GetListSizes, domain.ListEntries, domain.ListEntryImports, domain.ListUnknownCodes,
		domain.ListScanGroups, domain.ListScans, domain.GetOccupancy, domain.CountScans, domain.CountDeviceScans,
		domain.ListWebhooks, domain.WatchDeliveries, domain.WatchScans,
	}
	slices.Sort(lag)
	slices.Sort(want)
	if difference := cmp.Diff(want, lag); difference != "" {
		t.Errorf("(-want +got):\n%s", difference)
	}
}
