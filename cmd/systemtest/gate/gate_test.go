package gate

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/domain"
	"ticketgate/domain/catalog"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
	"ticketgate/domain/scan"
	"ticketgate/rest/resttest"
)

// refusedAlike fails the test unless both APIs refuse with the code and name the paths.
func refusedAlike(t *testing.T, rest resttest.Error, graph apitest.Outcome, code domain.Code, paths ...string) {
	t.Helper()
	for api, refusal := range map[string]resttest.Error{"REST": rest, "GraphQL": graph.Refusal} {
		if refusal.Code != string(code) || apitest.PathsOf(refusal) != strings.Join(paths, " ") {
			t.Errorf("%s: got %+v, want %s at %v", api, refusal, code, paths)
		}
	}
	if rest.Message != graph.Refusal.Message {
		t.Errorf("REST says %q, GraphQL %q", rest.Message, graph.Refusal.Message)
	}
}

// Faulty scans from devices get the same response from both APIs, and don't keep other scans from being counted.
func TestFaultyScansAtAGate(t *testing.T) {
	t.Parallel()
	g := apitest.OpenGate(t)
	ticketID := g.Knows(t, "A")
	key, device := g.REST.In(t).As(g.Seller.APIKey), g.REST.In(t).With("token", g.Device.Token)
	asKey, asDevice := apitest.Bearer(g.Seller.APIKey), apitest.Caller{"Token": g.Device.Token}
	eventOf(t, g, "e1")

	t.Run("logs a code of any length as unknown", func(t *testing.T) {
		long := strings.Repeat("x", 300)
		batch := []object{
			{"id": "long", "barcode": long, "scanned_at": "2026-01-01T10:00:00Z", "type": "FAIL"},
			{"id": "known", "ticketId": ticketID, "barcode": "changed", "scanned_at": "2026-01-01T10:00:01Z", "type": "FAIL"},
		}
		device.Post("/api/accessusers/scans/e1", batch).Want(http.StatusOK)
		again := g.Execute(t, asDevice, `mutation($scans: [UploadedScanInput!]!) { uploadScans(eventId: "e1", scans: $scans) {
			scans { id duplicate } } }`, object{"scans": batch})
		if !strings.Contains(string(again.Body), `[{"id":"long","duplicate":true},{"id":"known","duplicate":true}]`) {
			t.Errorf("uploaded through the other API: %v", again)
		}
		answer := device.Post("/api/accessusers/tickets/"+long+"/scan", nil).Want(http.StatusOK)
		scanned := g.Execute(t, asDevice, `mutation($code: String!) { scanTicket(input: {barcode: $code}) { reason } }`, object{"code": long})
		if answer.Text("reason") != "UNKNOWN_CODE" || !strings.Contains(string(scanned.Body), `"UNKNOWN_CODE"`) {
			t.Errorf("got %s and %v", answer.Body, scanned)
		}
		log := g.Execute(t, asKey, `{ scans(filter: {reason: UNKNOWN_CODE}) { nodes { barcode offline deviceName } } }`, nil)
		kept := `{"barcode":"` + long[:254] + `…","offline":false,"deviceName":"Gate 1"}`
		if strings.Count(string(log.Body), long[:254]+`…"`) != 3 || !strings.Contains(string(log.Body), kept) {
			t.Errorf("the log has %v", log)
		}
	})
	t.Run("stores the scans next to an invalid one", func(t *testing.T) {
		batch := []object{
			{"id": "fine", "barcode": "A", "scanned_at": "2026-01-01T10:00:00Z", "type": "OK"},
			{"id": "bad", "barcode": "", "scanned_at": "2026-01-01T10:00:00Z", "type": "OK", "ticketId": strings.Repeat("t", 65)},
		}
		var answer struct{ Scans []json.RawMessage }
		device.Post("/api/accessusers/scans/e1", batch).Want(http.StatusOK).Into(&answer)
		want := `{"id":"bad","duplicate":false,"conflict":false,"error":{"code":"VALIDATION_FAILED",` +
			`"message":"barcode must not be empty; ticketId must be at most 64 characters, not 65","details":[` +
			`{"path":"barcode","message":"must not be empty"},{"path":"ticketId","message":"must be at most 64 characters, not 65"}]}}`
		if len(answer.Scans) != 2 || string(answer.Scans[1]) != want {
			t.Errorf("got %s", answer.Scans)
		}
		graph := g.Execute(t, asDevice, `mutation($scans: [UploadedScanInput!]!) { uploadScans(eventId: "e1", scans: $scans) {
			scans { id duplicate error { code details { path message } } } } }`, object{"scans": batch})
		if !strings.Contains(string(graph.Body), `[{"id":"fine","duplicate":true,"error":null},{"id":"bad","duplicate":false,"error":{"code":"VALIDATION_FAILED"`) {
			t.Errorf("GraphQL answers %v", graph)
		}
	})
	t.Run("names all faults of a scan, and does not store it", func(t *testing.T) {
		for body, wrong := range map[string]string{
			`[{"barcode":"","scanned_at":"zz","type":"X"},{"barcode":""}]`:                                             "scanned_at barcode type, scanned_at type barcode",
			`[null,5,{"barcode":"","scanned_at":"2026-01-01T10:00:00Z","type":"OK"}]`:                                  ", , barcode",
			`[{"barcode":"A","Scanned_At":"2026-01-01T10:00:00Z","scanned_at":"2026-01-01T10:00:00Z","type":"OK"},[]]`: "Scanned_At, ",
			`[{"barcode":5,"scanned_at":"zz","type":"OK","battery":5}]`:                                                "barcode scanned_at",
			`[{"id":7,"barcode":"A","scanned_at":"2026-01-01T10:00:00Z","type":true,"direction":"UP"}]`:                "id type direction",
		} {
			before := g.Count(t, "SELECT (SELECT count(*) FROM scans) + (SELECT count(*) FROM scan_claims)")
			var answer struct {
				Scans []struct{ Error *resttest.Error }
			}
			device.Post("/api/accessusers/scans/e1", json.RawMessage(body)).Want(http.StatusOK).Into(&answer)
			paths := make([]string, len(answer.Scans))
			for i, receipt := range answer.Scans {
				if receipt.Error == nil {
					t.Fatalf("%s: scan %d has no error", body, i)
				}
				paths[i] = apitest.PathsOf(*receipt.Error)
			}
			if got := strings.Join(paths, ", "); got != wrong {
				t.Errorf("%s: got %s, want %s", body, got, wrong)
			}
			if g.Count(t, "SELECT (SELECT count(*) FROM scans) + (SELECT count(*) FROM scan_claims)") != before {
				t.Errorf("%s: something was stored", body)
			}
		}
		stored := g.Count(t, "SELECT count(*) FROM scan_claims")
		graph := g.Execute(t, asDevice, `mutation { uploadScans(eventId: "e1", scans: [{barcode: "A", scanned_at: "zz", type: OK},
			{barcode: "fine", scanned_at: "2026-01-01T10:00:00Z", type: OK}, {barcode: "B", scanned_at: 5, type: OK}]) { status } }`, nil)
		if got := apitest.PathsOf(graph.Refusal); got != "[0].scanned_at [2].scanned_at" {
			t.Errorf("GraphQL names %s", got)
		}
		if g.Count(t, "SELECT count(*) FROM scan_claims") != stored {
			t.Error("GraphQL stored a part of a refused upload")
		}
		for _, body := range []string{`{}`, `"x"`, `[]`, `null`} {
			device.Post("/api/accessusers/scans/e1", json.RawMessage(body)).Want(http.StatusBadRequest)
		}
	})
	t.Run("names unreadable and invalid fields together, and creates nothing", func(t *testing.T) {
		devices, lists := g.Count(t, "SELECT count(*) FROM devices"), "/api/access-lists/"
		for _, row := range []struct{ path, body, wrong string }{
			{"/api/accessusers", `{"name":"","expires":"zz","events":["zz"]}`, "expires name events[0]"},
			{"/api/accessusers", `{"name":"D","activ":true}`, "activ"},
			{lists + g.List.ID + "/entries", `{"externalCode":"q","email":"x","foo":1}`, "foo email"},
			{lists + g.List.ID + "/entries", `{"externalCode":5,"email":"x"}`, "externalCode email"},
		} {
			if got := apitest.PathsOf(key.Post(row.path, json.RawMessage(row.body)).Refused(http.StatusBadRequest, "VALIDATION_FAILED")); got != row.wrong {
				t.Errorf("%s: got %s, want %s", row.body, got, row.wrong)
			}
		}
		if g.Count(t, "SELECT count(*) FROM devices") != devices {
			t.Error("a device was created")
		}
	})
	t.Run("returns zero counts for an unknown event", func(t *testing.T) {
		if got := g.Execute(t, asKey, `{ occupancy(eventId: "nowhere") { inside } }`, nil); got.Refusal.Code != string(domain.CodeNotFound) {
			t.Errorf("got %v", got)
		}
	})
	t.Run("does not find an unknown event", func(t *testing.T) {
		batch := []object{{"barcode": "A", "scanned_at": "2026-01-01T10:00:00Z", "type": "OK"}}
		for _, event := range []string{"nowhere", strings.Repeat("e", 65)} {
			refused := device.Post("/api/accessusers/scans/"+event, batch).Refused(http.StatusNotFound, "NOT_FOUND")
			graph := g.Execute(t, asDevice, `mutation($event: ID!, $scans: [UploadedScanInput!]!) {
				uploadScans(eventId: $event, scans: $scans) { status } }`, object{"event": event, "scans": batch})
			refusedAlike(t, refused, graph, domain.CodeNotFound)
			refused = device.Get("/api/accessusers/tickets/v2/"+event).Refused(http.StatusNotFound, "NOT_FOUND")
			graph = g.Execute(t, asDevice, `query($event: ID!) { accessUserTickets(filter: {eventId: $event}) { totalCount } }`,
				object{"event": event})
			refusedAlike(t, refused, graph, domain.CodeNotFound)
		}
		answer := device.Post("/api/accessusers/tickets/A/scan?eventId=nowhere", nil).Want(http.StatusOK)
		if answer.Text("reason") != "EVENT_NOT_ASSIGNED" {
			t.Errorf("scan at an unknown event: %s", answer.Body)
		}
	})
	t.Run("ignores the body of a scan", func(t *testing.T) {
		device.Post("/api/accessusers/tickets/A/scan?eventId=e1", json.RawMessage(`{"lane":7}`)).Want(http.StatusOK)
	})
	t.Run("refuses null for the name of a device", func(t *testing.T) {
		refused := key.Put("/api/accessusers/"+g.Device.ID, object{"name": nil}).Refused(http.StatusBadRequest, "VALIDATION_FAILED")
		graph := g.Execute(t, asKey, `mutation($id: ID!) { updateAccessUser(id: $id, input: {name: null}) { name } }`, object{"id": g.Device.ID})
		refusedAlike(t, refused, graph, domain.CodeValidationFailed, "name")
		kept := key.Put("/api/accessusers/"+g.Device.ID, object{"active": nil}).Want(http.StatusOK)
		if kept.Text("name") != "Gate 1" {
			t.Errorf("omitted, it becomes %s", kept.Body)
		}
	})
	t.Run("tells a device that missed changes to start over", func(t *testing.T) {
		_, err := g.SQL.ExecContext(t.Context(), "UPDATE device_feed SET at = $1", time.Now().Add(-time.Hour))
		systemtest.Must(t, err)
		systemtest.Must(t, g.Program.Store().PurgeChanges(t.Context(), time.Now().Add(-time.Minute)))
		refused := device.Get("/api/accessusers/feed?after=0").Refused(http.StatusGone, "FEED_EXPIRED")
		graph := g.Execute(t, asDevice, `{ accessUserFeed(after: 0) { next } }`, nil)
		refusedAlike(t, refused, graph, domain.CodeFeedExpired, "after")
		var page struct{ Next int }
		device.Get("/api/accessusers/feed").Want(http.StatusOK).Into(&page)
		if page.Next == 0 || !strings.Contains(refused.Details[0].Message, "must be at least ") {
			t.Errorf("next is %d, %+v", page.Next, refused)
		}
	})
}

// eventOf creates an event and assigns it to the gate's scan group, which scans in both directions.
func eventOf(t *testing.T, g *apitest.Gate, id string) {
	t.Helper()
	ctx := g.ActingOn(t, g.Seller)
	_, err := g.Do.CatalogEvents.Create(ctx, catalog.NewEvent{ID: &id, Name: "Match", Start: moment.New(time.Now())})
	systemtest.Must(t, err)
	yes := true
	_, err = g.Do.ScanGroups.Update(ctx, *g.Device.DeviceSettings.ScanGroupID, scan.GroupChange{
		Name: "Gates", ScanConfig: optional.Some(scan.Config{
			Mode: "default", Events: []scan.EventSettings{{EventID: id, AllowAllTicketTypes: &yes}},
			ScanTypes: &scan.Types{Checkin: true, Checkout: true}, TapAndGo: &scan.TapAndGo{Enabled: true},
		}),
	})
	systemtest.Must(t, err)
}

// A required field of a resource must not be null. A PUT names every required field that is null.
func TestNoPutAcceptsNullForARequiredField(t *testing.T) {
	t.Parallel()
	g := apitest.OpenGate(t)
	key := g.REST.In(t).As(g.Seller.APIKey)
	answer := key.Post("/api/access-lists/"+g.List.ID+"/entries", object{"externalCode": "A"}).Want(http.StatusCreated)
	hook := key.Post("/api/webhooks", object{"name": "w", "url": "https://listener.example.com/"}).Want(http.StatusCreated)
	group := "/api/scan-groups/" + *g.Device.DeviceSettings.ScanGroupID
	config := func(members string) string { return `{"name":"G","scanConfig":{` + members + `}}` }
	for _, row := range []struct{ path, body, wrong string }{
		{"/api/access-lists/" + g.List.ID, `{"name":null}`, "name"},
		{"/api/access-lists/" + g.List.ID, `{"name":"L","http":{"url":null}}`, "http.url"},
		{"/api/access-lists/" + g.List.ID + "/entries/" + answer.Text("_id"), `{"externalCode":null}`, "externalCode"},
		{"/api/webhook/" + hook.Text("_id"), `{"name":null,"url":null}`, "name url"},
		{"/api/accessusers/" + g.Device.ID, `{"name":null}`, "name"},
		{"/api/accessusers/" + g.Device.ID, `{"events":[null]}`, "events[0]"},
		{group, `{"name":null}`, "name"},
		{group, config(`"mode":null`), "scanConfig.mode"},
		{group, config(`"mode":"lock","events":[null]`), "scanConfig.events[0]"},
		{group, config(`"mode":"lock","events":[{"eventId":null}]`), "scanConfig.events[0].eventId"},
		{group, config(`"mode":"lock","events":[{"eventId":"e","eventTimeSettings":{"active":null}}]`), "scanConfig.events[0].eventTimeSettings.active scanConfig.events[0].eventId"},
		{group, config(`"mode":"lock","scanTypes":{"checkin":null,"checkout":null}`), "scanConfig.scanTypes.checkin scanConfig.scanTypes.checkout"},
		{group, config(`"mode":"lock","tapAndGo":{"enabled":null}`), "scanConfig.tapAndGo.enabled"},
	} {
		refused := key.Put(row.path, json.RawMessage(row.body)).Refused(http.StatusBadRequest, "VALIDATION_FAILED")
		if got := apitest.PathsOf(refused); got != row.wrong {
			t.Errorf("%s: got %s, want %s", row.body, got, row.wrong)
		}
	}
	// The name of a key is optional: null is ignored there.
	session := g.Session(t, g.Seller.AdminEmail, g.Seller.AdminPassword)
	admin := g.REST.In(t).With("Authorization", session["Authorization"])
	answer = admin.Post("/api/keys", object{"name": "Kept"}).Want(http.StatusCreated)
	if kept := admin.Put("/api/keys/"+answer.Text("_id"), object{"name": nil}).Want(http.StatusOK); kept.Text("name") != "Kept" {
		t.Errorf("got %s", kept.Body)
	}
}

// An object that was read can be sent back whole. Read-only fields are ignored. Unknown fields are refused, with a
// suggestion.
func TestAReadObjectCanBeSentBack(t *testing.T) {
	t.Parallel()
	g := apitest.OpenGate(t)
	key := g.REST.In(t).As(g.Seller.APIKey)
	made := func(path string, body object) string {
		return key.Post(path, body).Want(http.StatusCreated).Text("_id")
	}
	lists := "/api/access-lists/"
	remote := made("/api/access-lists", object{"name": "R", "http": object{"url": apitest.ListenerURL, "hmacKey": "k"}})
	entry := made(lists+g.List.ID+"/entries", object{"externalCode": " A/1 ", "email": "ada@example.org", "meta": object{"b": 1, "a": []int{2}}})
	for path, misspelt := range map[string][2]string{
		lists + g.List.ID:                       {"names", "name"},
		lists + remote:                          {"htpp", "http"},
		lists + g.List.ID + "/entries/" + entry: {"externalcodes", "externalCode"},
		"/api/scan-groups/" + *g.Device.DeviceSettings.ScanGroupID: {"scanConfg", "scanConfig"},
		"/api/accessusers/" + g.Device.ID:                          {"deviceSetting", "deviceSettings"},
		"/api/access-lists/" + g.Seller.AccessListID:               {"nam", "name"},
	} {
		var whole, again object
		read := key.Get(path).Want(http.StatusOK)
		read.Into(&whole)
		key.Put(path, json.RawMessage(read.Body)).Want(http.StatusOK).Into(&again)
		if systemtest.Printed(t, whole) != systemtest.Printed(t, again) {
			t.Errorf("%s: got %v, want %v", path, again, whole)
		}
		whole[misspelt[0]] = "x"
		refused := key.Put(path, whole).Refused(http.StatusBadRequest, "VALIDATION_FAILED")
		if len(refused.Details) != 1 || refused.Details[0].Path != misspelt[0] || !strings.Contains(refused.Details[0].Hint, `"`+misspelt[1]+`"`) {
			t.Errorf("%s: %+v", path, refused.Details)
		}
	}
}
