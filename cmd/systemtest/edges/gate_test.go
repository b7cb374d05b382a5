package edges

import (
	"os"
	"strings"
	"testing"
	"time"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/domain/catalog"
	"ticketgate/domain/moment"
	"ticketgate/domain/money"
	"ticketgate/domain/scan"
)

// Common questions at the gate and in the back office take one query, with one statement for each edge.
func TestQuestionsAtTheGateTakeOneQuery(t *testing.T) {
	t.Parallel()
	c := apitest.OpenCounting(t)
	seller := c.Demo.Sellers[0]
	for range 2 { // the second is declined
		_, err := c.Do.Scans.Scan(c.ActingOn(t, seller), scan.Attempt{Barcode: seller.Barcode, DeviceID: seller.DeviceID})
		systemtest.Must(t, err)
	}
	ids := linked(t, c.Server, seller, sells(t, c.Server, seller))
	for name, row := range map[string]struct {
		statements int
		found      []string
	}{
		"declined-scan": {6, []string{
			`"reason":"ALREADY_CHECKED_IN","device":{"name":"Gate 1"`, `"scanGroup":{"name":"Main entrance"},"event":{"name":"Opening night"`,
			`"ticket":{"status":"VALID","ticketName":"Stalls","firstname":"Ada"`, `"customer":{"firstname":"Ada","lastname":"Lovelace"`,
		}},
		"devices-today": {5, []string{
			`"scanGroup":{"name":"Main entrance","events":{"nodes":[{"name":"Opening night"}]}},"scanCount":<scans>,"scans":{"nodes":[{`,
		}},
		"transaction": {8, []string{
			`"event":{"name":"Opening night"`, `"customer":{"firstname":`, `"issuedTickets":{"nodes":[{"barcode":`, `"scans":{"nodes":[`,
			`"invoices":{"nodes":[{"number":1,"kind":"invoice"`, `"canceledBy":{"nodes":[{"number":2,`,
			`"kind":"cancellation"`, `"canceledInvoice":{"number":1}`,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			document, err := os.ReadFile(examplesFolder + name + ".graphql")
			systemtest.Must(t, err)
			asking := object{"query": string(document), "variables": exampleVariables(t, name, strings.NewReplacer())}
			statements, body := answered(t, c, seller.APIKey, asking)
			if len(statements) != row.statements {
				t.Errorf("executed %q, want %d", statements, row.statements)
			}
			for _, part := range row.found {
				if part = replaced(ids, part); !strings.Contains(body, part) {
					t.Errorf("%s lacks %s", body, part)
				}
			}
			t.Log(body[strings.LastIndex(body, "extensions"):])
		})
	}
}

// A scan group leads to what it scans, but not to what it only names for tap and go.
func TestEdgesOfAScanGroup(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t)
	seller := h.Demo.Sellers[0]
	ctx := h.ActingOn(t, seller)
	ids := map[string]string{}
	for _, event := range []string{"all", "some", "tap"} {
		created, err := h.Do.CatalogEvents.Create(ctx, catalog.NewEvent{Name: event, Type: catalog.Single, Start: moment.New(time.Now())})
		systemtest.Must(t, err)
		ids[event] = created.ID
		for _, kind := range []string{"1", "2"} {
			ticketType, err := h.Do.TicketTypes.Create(ctx, catalog.NewTicketType{
				EventID: ids[event], Name: event + kind, Price: "1", Currency: money.DefaultCurrency,
			})
			systemtest.Must(t, err)
			ids[event+kind] = ticketType.ID
		}
	}
	group, err := h.Do.ScanGroups.Create(ctx, scan.NewGroup{Name: "Back door", ScanConfig: scan.Config{
		Mode: "default", TapAndGo: &scan.TapAndGo{Enabled: true, EventIDs: []string{ids["tap"]}}, Events: []scan.EventSettings{
			{EventID: ids["all"], AllowAllTicketTypes: new(true), AllowedTicketTypeIDs: []string{ids["tap1"]}},
			{EventID: ids["some"], AllowedTicketTypeIDs: []string{ids["some2"]}},
		},
	}})
	systemtest.Must(t, err)
	ids["group"] = group.ID
	o := h.Execute(t, apitest.Bearer(seller.APIKey), replaced(ids, `{ scanGroup(id: "<group>") {
		events { totalCount nodes { name scanGroups { nodes { name } } } } ticketTypes { totalCount nodes { name } }
		newest: events(first: 1, order: NEWEST_FIRST) { nodes { name } } none: events(filter: { name: "tap" }) { nodes { name } }
	} tap: event(id: "<tap>") { scanGroups { totalCount nodes { name } } } }`), nil)
	const want = `{"scanGroup":{"events":{"nodes":[{"name":"all","scanGroups":{"nodes":[{"name":"Back door"}]}},` +
		`{"name":"some","scanGroups":{"nodes":[{"name":"Back door"}]}}],"totalCount":2},"newest":{"nodes":[{"name":"some"}]},` +
		`"none":{"nodes":[]},"ticketTypes":{"nodes":[{"name":"all1"},{"name":"all2"},{"name":"some2"}],"totalCount":3}},` +
		`"tap":{"scanGroups":{"nodes":[],"totalCount":0}}}`
	if got := textOf(t, o.Result); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
