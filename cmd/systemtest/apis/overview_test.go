package apis

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"testing"
	"time"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/cmd/ticketgate/demo"
	"ticketgate/domain"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
	"ticketgate/domain/scan"
)

// overviewFigures returns the figures of the dashboard's overview by their names in its queries, each with the list that its
// tile links to and the list's filter.
func overviewFigures(since string) map[string]map[string]apitest.Call {
	return map[string]map[string]apitest.Call{
		"OverviewScans": {
			"approved": apitest.To(domain.ListScans, object{"filter": object{"scanResult": "approved", "timeFrom": since}}),
			"declined": apitest.To(domain.ListScans, object{"filter": object{"scanResult": "declined", "timeFrom": since}}),
			"silent":   apitest.To(domain.ListDevices, object{"filter": object{"active": true, "unusedSince": since}}),
		},
		"OverviewDeliveries": {
			"failed":          apitest.To(domain.ListDeliveries, object{"filter": object{"state": "failed"}}),
			"failedLately":    apitest.To(domain.ListDeliveries, object{"filter": object{"state": "failed", "createdFrom": since}}),
			"deliveredLately": apitest.To(domain.ListDeliveries, object{"filter": object{"state": "delivered", "createdFrom": since}}),
		},
		"OverviewGate": {
			"accessLists": apitest.To(domain.ListAccessLists, nil),
			"accessUsers": apitest.To(domain.ListDevices, nil),
		},
		"OverviewWebhooks": {"webhooks": apitest.To(domain.ListWebhooks, nil)},
	}
}

// Each figure of the overview equals the number of rows of the list that it links to. The queries are the page's own.
func TestTheOverviewCountsTheRowsOfItsLists(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t)
	seller := h.Demo.Sellers[0]
	admin := h.Session(t, seller.AdminEmail, seller.AdminPassword)
	since := moment.New(time.Now().Add(-24 * time.Hour).Truncate(time.Minute))
	created := aDay(t, h, seller, since.Time)

	queries, err := os.ReadFile(systemtest.PagesFolder + "src/pages/overview/overview.graphql")
	systemtest.Must(t, err)
	for name, figures := range overviewFigures(since.String()) {
		body, err := json.Marshal(object{"query": string(queries), "operationName": name, "variables": object{"since": since}})
		systemtest.Must(t, err)
		o := h.ExecuteBody(t, admin, body)
		if o.Refusal.Code != "" {
			t.Fatalf("%s: %v", name, o)
		}
		for figure, list := range figures {
			shown := fmt.Sprint(o.Result.(object)[figure].(object)["totalCount"])
			if rows := rows(t, h, admin, list); shown != fmt.Sprint(rows) {
				t.Errorf("%s %s shows %s, and its list has %d rows", name, figure, shown, rows)
			}
			if want, known := created[figure]; known && shown != fmt.Sprint(want) {
				t.Errorf("%s %s shows %s, want %d", name, figure, shown, want)
			}
		}
	}
}

// aDay creates records that each figure counts, and records that it must not count: older, inactive, or in another state. It
// returns the expected figures.
func aDay(t *testing.T, h *apitest.Server, seller demo.Seller, since time.Time) map[string]int {
	t.Helper()
	var scans []object
	for n, item := range []struct {
		at      time.Time
		verdict string
	}{
		{since, "OK"},
		{since.Add(time.Hour), "OK"},
		{since.Add(2 * time.Hour), "OK"},
		{since.Add(time.Minute), "FAIL"},
		{since.Add(time.Hour), "FAIL"},
		{since.Add(-time.Millisecond), "OK"},
		{since.Add(-time.Hour), "FAIL"},
	} {
		scans = append(scans, object{
			"id": fmt.Sprint("s", n), "barcode": fmt.Sprint("nobody's ", n), "type": item.verdict, "direction": "IN",
			"scanned_at": moment.New(item.at),
		})
	}
	h.REST.In(t).With("Token", seller.DeviceToken).Post("/api/accessusers/scans/"+seller.EventID, scans).Want(http.StatusOK)
	systemtest.Eventually(t, "the use of the device is recorded", func() bool { return h.Count(t, "SELECT count(*) FROM device_uses") > 0 })

	ctx := h.ActingOn(t, seller)
	for name, active := range map[string]bool{"Silent 1": true, "Silent 2": true, "Off": false} {
		_, err := h.Do.Devices.Create(ctx, scan.NewDevice{Name: name, Active: optional.Some(active)})
		systemtest.Must(t, err)
	}
	h.REST.In(t).As(seller.APIKey).Post("/api/webhooks", object{
		"name": "W", "url": "https://listener.example.com/", "events": object{"transaction.complete": true},
	}).Want(http.StatusCreated)
	for range 5 {
		systemtest.Publish(t, h.URL, seller)
	}
	for state, count := range map[string]int{"failed": 3, "delivered": 1} {
		_, err := h.SQL.ExecContext(t.Context(), `UPDATE deliveries SET state = $1, next_attempt_at = NULL WHERE id IN (
			SELECT id FROM deliveries WHERE seller_id = $2 AND state = 'pending' LIMIT $3)`, state, seller.SellerID, count)
		systemtest.Must(t, err)
	}
	return map[string]int{"approved": 3, "declined": 2, "failed": 3, "failedLately": 3, "deliveredLately": 1}
}

// rows returns the number of rows of a list by reading all pages.
func rows(t *testing.T, h *apitest.Server, who apitest.Caller, list apitest.Call) int {
	t.Helper()
	rows, after := 0, any(nil)
	for {
		args := apitest.With(apitest.With(list.Args, "first", 2), "after", after)
		document, variables := h.Document(t, apitest.To(list.Operation, args))
		o := h.Execute(t, who, document, variables)
		if o.Refusal.Code != "" {
			t.Fatalf("%s: %v", list.Operation, o)
		}
		connection := o.Result.(object)[string(list.Operation)].(object)
		rows += len(connection["nodes"].([]any))
		info := connection["pageInfo"].(object)
		if info["hasNextPage"] != true {
			return rows
		}
		after = info["endCursor"]
	}
}
