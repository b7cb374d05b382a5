package main

import (
	"fmt"
	"strings"
	"testing"
)

func TestScansTakeTurnsOfSellersAndRepeatATicket(t *testing.T) {
	t.Parallel()
	g := &gates{p: &process{url: "http://127.0.0.1:1"}}
	request := g.attempts([]seller{{DeviceToken: "one"}, {DeviceToken: "other"}}, 100)
	for number, want := range map[int]string{1: "one NUMBER-00000100", 2: "other NUMBER-00000101", 19: "one NUMBER-00000118", 20: "one NUMBER-00000118", 21: "one NUMBER-00000120"} {
		token, barcode, _ := strings.Cut(want, " ")
		got := string(request(number))
		if !strings.HasPrefix(got, "POST /api/accessusers/tickets/"+barcode+"/scan ") || !strings.Contains(got, "Token: "+token+"\r\n") {
			t.Errorf("scan %d: got %q, want the ticket and token %s", number, got, want)
		}
	}
}

func TestATicketAdmittedTwiceIsAnError(t *testing.T) {
	t.Parallel()
	g := &gates{rig: newMigratedRig(t)}
	scanned := func(id, ticket int, result string) {
		t.Helper()
		err := g.cluster.execute(t.Context(), g.name, fmt.Sprintf(`INSERT INTO scans (id, seller_id, ticket_id, event_id, barcode, type,
			result, time, offline, late, conflict, clock_ahead, created_at, updated_at) VALUES ('%024d', 's', '%d', 'e', 'NUMBER-%08d',
			'checkin', '%s', now(), false, false, false, false, now(), now())`, id, ticket, ticket, result))
		if err != nil {
			t.Fatal(err)
		}
	}
	scanned(1, 7, "approved")
	scanned(2, 8, "approved")
	scanned(3, 8, "declined")
	scanned(4, 99, "approved") // of an earlier measurement
	if err := g.approvedOnce(t.Context(), 7, 2, 2); err != nil {
		t.Errorf("refused one approval each: %v", err)
	}
	if err := g.approvedOnce(t.Context(), 7, 2, 1); err == nil {
		t.Error("accepted an approval that no response reported")
	}
	scanned(5, 8, "approved")
	if err := g.approvedOnce(t.Context(), 7, 2, 2); err == nil {
		t.Error("accepted two approvals of one ticket")
	}
}
