package sale_test

import (
	"strings"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/moment"
	"ticketgate/domain/sale"
)

// intentTable is the table in docs/purchase-intents.md. Rows are the current status, columns the requested one. + changes, =
// has no effect, - is an error.
const intentTable = `
          CREATED APPROVED REJECTED EXPIRED CANCELLED COMPLETED
CREATED   =       +        +        +       +         +
APPROVED  -       =        -        +       +         +
REJECTED  -       -        =        -       -         -
EXPIRED   -       -        -        =       -         -
CANCELLED -       -        -        -       =         -
COMPLETED -       -        -        -       -         =`

func TestStatusChangesOfPurchaseIntentsFollowTheTable(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	lines := strings.Split(strings.TrimPrefix(intentTable, "\n"), "\n")
	columns := strings.Fields(lines[0])
	if len(columns) != len(sale.PurchaseIntentStatus("").Names()) || len(lines) != len(columns)+1 {
		t.Fatal("the table lacks a status")
	}
	for _, line := range lines[1:] {
		cells := strings.Fields(line)
		before := sale.PurchaseIntent{Status: sale.PurchaseIntentStatus(cells[0])}
		for i, column := range columns {
			after, changed, err := before.Moved(sale.PurchaseIntentStatus(column), now)
			var got string
			switch {
			case domain.HasCode(err, domain.CodeInvalidState) && after.Status == before.Status:
				got = "-"
			case err == nil && !changed && after.Status == before.Status && after.UpdatedAt.IsZero():
				got = "="
			case err == nil && changed && string(after.Status) == column && after.UpdatedAt.Equal(now):
				got = "+"
			}
			if got != cells[i+1] {
				t.Errorf("%s to %s: got %q (%v), want %q", cells[0], column, got, err, cells[i+1])
			}
		}
	}
}

func TestExpiredIntentOnlyExpires(t *testing.T) {
	t.Parallel()
	at := moment.New(time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC))
	intent := sale.PurchaseIntent{Status: sale.IntentCreated, ExpiresAt: &at}
	if _, changed, err := intent.Moved(sale.IntentApproved, at.Add(-time.Millisecond)); err != nil || !changed {
		t.Errorf("a millisecond before: %v", err)
	}
	for _, to := range []sale.PurchaseIntentStatus{sale.IntentApproved, sale.IntentRejected, sale.IntentCancelled, sale.IntentCompleted} {
		_, _, err := intent.Moved(to, at.Time)
		stopped(t, err, domain.CodeInvalidState, "has expired")
	}
	if after, changed, err := intent.Moved(sale.IntentExpired, at.Time); err != nil || !changed || after.Status != sale.IntentExpired {
		t.Errorf("expiring: %v, %v", after.Status, err)
	}
	approved := sale.PurchaseIntent{Status: sale.IntentApproved, ExpiresAt: &at}
	if _, changed, err := approved.Moved(sale.IntentApproved, at.Add(time.Hour)); err != nil || changed {
		t.Errorf("repeating an approval later: %v, %v", changed, err)
	}
}
