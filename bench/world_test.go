package main

import (
	"fmt"
	"strings"
	"testing"
)

func TestWorldIsLoadedOnce(t *testing.T) {
	t.Parallel()
	r := newMigratedRig(t)
	const customers, days = 600, 50
	for _, run := range []string{"the first run", "a second run"} {
		if err := r.loadWorld(t.Context(), customers, days); err != nil {
			t.Fatalf("%s: %v", run, err)
		}
		got := counts(t, r, "customers", "transactions", "tickets", "scans", "access_entries", "deliveries", "audit_entries",
			// Every reference leads to a row of the same seller.
			"tickets t JOIN customers c ON c.id = t.customer_id AND c.seller_id = t.seller_id"+
				" JOIN transactions o ON o.id = t.transaction_id AND o.seller_id = t.seller_id"+
				" JOIN ticket_types k ON k.id = t.ticket_type_id AND k.event_id = t.event_id AND k.seller_id = t.seller_id",
			"scans s JOIN tickets t ON t.id = s.ticket_id AND t.barcode = s.barcode AND t.ticket_type_id = s.ticket_type_id"+
				" JOIN devices d ON d.id = s.device_id AND d.scan_group_id = s.scan_group_id AND d.seller_id = t.seller_id",
			"deliveries d JOIN events e ON e.id = d.event_id JOIN tickets t ON t.id = e.object_id AND t.seller_id = d.seller_id"+
				" JOIN webhooks w ON w.id = d.webhook_id AND w.seller_id = d.seller_id",
			"pg_index WHERE NOT indisvalid")
		if want := "600 1200 2400 4800 4800 4800 600 2400 4800 4800 0"; got != want {
			t.Errorf("after %s: got %s, want %s", run, got, want)
		}
		if got := counts(t, r, "(SELECT sum(n) FROM list_count_deltas WHERE list = 'tickets') s WHERE sum = 2400"); got != "1" {
			t.Errorf("after %s: the stored counts differ from the tickets", run)
		}
	}
}

// The subjects of questions exist: the largest seller's customers, by their names.
func TestQuestionsAreAboutTheLargestSeller(t *testing.T) {
	t.Parallel()
	r := newMigratedRig(t)
	if err := r.loadWorld(t.Context(), smallWorldCustomers, 50); err != nil {
		t.Fatal(err)
	}
	for number := range timesBefore + timesAsked {
		c := largestsCustomer(number)
		found := fmt.Sprintf("customers WHERE seller_id = '%s' AND email = 'guest%d@example.org' AND firstname || ' ' || lastname = '%s'",
			worldSeller.ID, c, customerName(c))
		if got := counts(t, r, found); got != "1" {
			t.Errorf("found %s %s", got, found)
		}
	}
}

func TestQuestionsDeclareWhatTheyUse(t *testing.T) {
	t.Chdir("..")
	for _, q := range worldQuestions {
		document, err := q.document()
		if err != nil {
			t.Fatal(err)
		}
		if q.variables == nil {
			continue
		}
		for name := range q.variables(1) {
			if strings.Count(document, "$"+name) < 2 {
				t.Errorf("%s declares no $%s, or does not use it:\n%s", q.example, name, document)
			}
		}
	}
}
