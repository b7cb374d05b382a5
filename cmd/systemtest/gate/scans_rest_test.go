package gate

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/cmd/ticketgate/demo"
	"ticketgate/domain/catalog"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/moment"
	"ticketgate/domain/ticket"
	"ticketgate/rest/resttest"
)

// TestGateOverREST tests all operations of a gate over REST.
func TestGateOverREST(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t)
	d := &gateOverREST{Server: h, seller: h.Demo.Sellers[0], key: h.As(t, apitest.Bearer(h.Demo.Sellers[0].APIKey)), anybody: h.REST}
	d.fill(t)
	apitest.Run(t, apitest.Steps{
		{"stores a scan group as it was sent", d.groups},
		{"names the faults of a scan group", d.wrongGroups},
		{"shows a device's token once and pairs the device by a code", d.devices},
		{"returns a device's settings", d.self},
		{"scans", d.scans},
		{"accepts offline scans once", d.uploads},
		{"repeats the response for an idempotency key", d.questions},
		{"returns changes", d.feed},
		{"requires the right credential", d.credentials},
	})
}

type gateOverREST struct {
	*apitest.Server
	seller       demo.Seller
	key, anybody *resttest.Client
	group, user  string
	device       *resttest.Client
}

func (d *gateOverREST) fill(t *testing.T) {
	t.Helper()
	ctx := d.ActingOn(t, d.seller)
	for _, id := range []string{"sc-e1", "sc-e2"} {
		_, err := d.Do.CatalogEvents.Create(ctx, catalog.NewEvent{ID: &id, Name: "Match " + id, Start: moment.New(time.Now())})
		systemtest.Must(t, err)
	}
	for _, id := range []string{"1", "2", "a/b %"} {
		value, err := ecmajson.Parse(fmt.Appendf(nil, `{"_id":%q,"sellerId":%q,"eventId":"sc-e1","ticketTypeId":"tt","ticketName":"Day",
			"status":"VALID","secret":"s","barcode":%q,"email":"anna@example.org","name":"Anna"}`,
			"sc ticket "+id, d.seller.SellerID, "sc "+id), ecmajson.Limits{})
		systemtest.Must(t, err)
		_, err = d.Do.Tickets.Import(ctx, ticket.Import{Tickets: []ecmajson.Value{value}})
		systemtest.Must(t, err)
	}
}

func (d *gateOverREST) groups(t *testing.T) {
	key := d.key.In(t)
	answer := key.Post("/api/scan-groups", json.RawMessage(`{"name":" Gate ","scanConfig":{"mode":"default","events":[{"eventId":"sc-e1",`+
		`"allowAllTicketTypes":true,"timeslotSettings":{"beforeMinutes":10.50}}],"scanZoneId":null,"enableMultiCheckin":true,`+
		`"scanTypes":{"checkin":true,"checkout":true},"tapAndGo":{"enabled":false,"eventIds":[]}},"deviceSettings":{"ticketSyncInterval":60}}`)).
		Want(http.StatusCreated).Golden("scan_group_created")
	d.group = answer.Text("_id")
	var whole map[string]any
	key.Get("/api/scan-groups/" + d.group).Want(http.StatusOK).Into(&whole)
	whole["name"] = "Gates"
	key.Put("/api/scan-groups/"+d.group, whole).Want(http.StatusOK).Golden("scan_group_updated")
	key.Get("/api/scan-groups?name=gATES&top=1").Want(http.StatusOK).Golden("scan_groups")
	key.Get("/api/scan-groups?top=0").Refused(http.StatusBadRequest, "VALIDATION_FAILED")
	key.Get("/api/scan-groups/unknown").Refused(http.StatusNotFound, "NOT_FOUND")
}

// wrongGroups tests faulty scan groups that JSON can express.
func (d *gateOverREST) wrongGroups(t *testing.T) {
	for body, path := range map[string]string{
		`{"mode":"default","events":[{"eventId":"sc-e1","timeslotSettings":{"beforeMinutes":-5}}]}`:   "scanConfig.events[0].timeslotSettings.beforeMinutes",
		`{"mode":"default","events":[{"eventId":"sc-e1","timeslotSettings":{"beforeMinutes":"10"}}]}`: "scanConfig.events[0].timeslotSettings.beforeMinutes",
		`{"mode":"default","events":[{"eventId":"sc-e1","timeslotSettings":{"beforeMinutes":1e9}}]}`:  "scanConfig.events[0].timeslotSettings.beforeMinutes",
		`{"mode":"default","scanTypes":{"checkin":false,"checkout":false}}`:                           "scanConfig.scanTypes",
		`{"mode":"default","scanTypes":{"checkin":true}}`:                                             "scanConfig.scanTypes.checkout",
		`{"events":[]}`:                                    "scanConfig.mode",
		`{"mode":"default","event":[]}`:                    "scanConfig.event",
		`{"mode":"default","events":[{}]}`:                 "scanConfig.events[0].eventId",
		`{"mode":"default","events":[{"eventId":"none"}]}`: "scanConfig.events[0].eventId",
	} {
		refused := d.key.In(t).Post("/api/scan-groups", json.RawMessage(`{"name":"x","scanConfig":`+body+`}`)).
			Refused(http.StatusBadRequest, "VALIDATION_FAILED")
		if len(refused.Details) != 1 || refused.Details[0].Path != path {
			t.Errorf("%s: %+v, want %s", body, refused.Details, path)
		}
	}
}

func (d *gateOverREST) devices(t *testing.T) {
	key := d.key.In(t)
	answer := key.Post("/api/accessusers", object{
		"name": "Door", "accessAllEvents": true, "deviceSettings": object{"accessMode": "restricted", "scanGroupId": d.group},
	}).Want(http.StatusCreated).Golden("access_user_created")
	d.user = answer.Text("_id")
	token := answer.Text("token")
	list := key.Get("/api/accessusers").Want(http.StatusOK)
	if list.Body[0] != '[' || strings.Contains(string(list.Body), token) {
		t.Errorf("the list is %s", list.Body)
	}
	key.Put("/api/accessusers/"+d.user, json.RawMessage(key.Get("/api/accessusers/"+d.user).Want(http.StatusOK).Body)).Want(http.StatusOK)
	code := key.Post("/api/accessusers/"+d.user+"/pairing-code", nil).Want(http.StatusOK)
	d.anybody.In(t).With("token", token).Get("/api/accessusers/me").Refused(http.StatusUnauthorized, "UNAUTHENTICATED")
	paired := d.anybody.In(t).Post("/api/accessusers/pair", object{"code": code.Text("code")}).Want(http.StatusOK)
	d.anybody.In(t).Post("/api/accessusers/pair", object{"code": code.Text("code")}).Refused(http.StatusBadRequest, "VALIDATION_FAILED")
	renewed := key.Post("/api/accessusers/"+d.user+"/token", nil).Want(http.StatusOK)
	if paired.Text("_id") != d.user || renewed.Text("_id") != d.user {
		t.Errorf("paired %s, renewed %s", paired.Text("_id"), renewed.Text("_id"))
	}
	d.device = d.anybody.With("token", renewed.Text("token")).With("Authorization", "Bearer ignored")
}

func (d *gateOverREST) self(t *testing.T) {
	device := d.device.In(t)
	device.Get("/api/accessusers/me").Want(http.StatusOK).Golden("access_user_me")
	if events := string(device.Get("/api/accessusers/events").Want(http.StatusOK).Body); !strings.Contains(events, `{"_id":"sc-e1","name":"Match sc-e1"}`) {
		t.Errorf("events %s", events)
	}
	tickets := device.Get("/api/accessusers/tickets/v2/sc-e1?from=2026-01-01T00:00:00Z&top=2").Want(http.StatusOK)
	if text := string(tickets.Body); !strings.Contains(text, `"total":3`) || strings.Contains(text, "anna@example.org") {
		t.Errorf("tickets %s", text)
	}
	device.Get("/api/accessusers/tickets/v2/sc-e1?from=yesterday").Refused(http.StatusBadRequest, "VALIDATION_FAILED")
}

func (d *gateOverREST) scans(t *testing.T) {
	device := d.device.In(t)
	device.Post("/api/accessusers/tickets/sc%201/scan?eventId=sc-e1", nil).Want(http.StatusOK).Golden("scan_granted")
	device.Post("/api/accessusers/tickets/sc%201/scan", nil).Want(http.StatusOK).Golden("scan_denied")
	device.Post("/api/accessusers/tickets/sc%20a%2Fb%20%25/scan?direction=OUT", nil).Want(http.StatusOK).Golden("scan_of_any_code")
	device.Post("/api/accessusers/tickets/nobody/scan", nil).Want(http.StatusOK).Golden("scan_of_unknown_code")
	device.Post("/api/accessusers/tickets/sc%201/scan?eventId=sc-e2", nil).Want(http.StatusOK).Golden("scan_elsewhere")
	device.Post("/api/accessusers/tickets/sc%201/scan?direction=UP", nil).Refused(http.StatusBadRequest, "VALIDATION_FAILED")
	out := device.Post("/api/accessusers/tickets/sc%201/scan?direction=OUT", nil).Want(http.StatusOK)
	device.Post("/api/accessusers/scans/"+out.Text("scanId")+"/annul", nil).Want(http.StatusOK).Golden("scan_annulled")
	device.Post("/api/accessusers/scans/"+out.Text("scanId")+"/annul", nil).Refused(http.StatusConflict, "INVALID_STATE")
	granted := d.key.In(t).Post("/api/accessusers/tickets/sc%202/scan?deviceId="+d.user, nil).Want(http.StatusOK)
	if granted.Text("access") != "GRANTED" {
		t.Errorf("a key gets %s", granted.Body)
	}
}

func (d *gateOverREST) uploads(t *testing.T) {
	device := d.device.In(t)
	batch := json.RawMessage(`[{"id":"one","barcode":"nobody","scanned_at":"2026-11-27T10:00:00+01:00","type":"FAIL","direction":"IN","more":1},
		{"barcode":"sc 2","scanned_at":"2026-11-27T10:00:00Z","type":"OK"}]`)
	device.Post("/api/accessusers/scans/sc-e1", batch).Want(http.StatusOK).Golden("scans_uploaded")
	device.Post("/api/accessusers/scans/sc-e1", batch).Want(http.StatusOK).Golden("scans_uploaded_again")
	device.Post("/api/accessusers/scans/sc-e1", json.RawMessage(`[]`)).Refused(http.StatusBadRequest, "VALIDATION_FAILED")
	device.Post("/api/accessusers/scans/sc-e1", json.RawMessage(`{}`)).Refused(http.StatusBadRequest, "INVALID_REQUEST")
	answer := device.Post("/api/accessusers/scans/sc-e1", json.RawMessage(`[{"barcode":1,"type":"OK"}]`)).Want(http.StatusOK)
	for _, path := range []string{`"path":"barcode"`, `"path":"scanned_at"`} { // GATE-5
		if !strings.Contains(string(answer.Body), path) {
			t.Errorf("no %s in %s", path, answer.Body)
		}
	}
	d.uploadWithBrokenValues(t)
}

// GATE-5: a value that can't be read is a fault of its scan, and the next scan is stored.
func (d *gateOverREST) uploadWithBrokenValues(t *testing.T) {
	const scanned = `"scanned_at":"2026-11-27T10:00:00Z","type":"FAIL"`
	device := d.device.In(t)
	for name, broken := range map[string]string{
		"barcode": `"barcode":"a\u0000"`, "ticketId": `"barcode":"a","ticketId":"\ud800"`, "battery": `"barcode":"a","battery":1e400`,
	} {
		batch := `[{"id":"broken",` + broken + `,` + scanned + `},{"id":"after ` + name + `","barcode":"a",` + scanned + `}]`
		body := string(device.Post("/api/accessusers/scans/sc-e1", json.RawMessage(batch)).Want(http.StatusOK).Body)
		if !strings.Contains(body, `"path":"`+name+`"`) || strings.Count(body, `"error"`) != 1 || !strings.Contains(body, `"id":"after `+name+`"`) {
			t.Errorf("%s: %s", name, body)
		}
	}
}

// questions tests scans with one Idempotency-Key. The path and the query identify a scan.
func (d *gateOverREST) questions(t *testing.T) {
	const path = "/api/accessusers/tickets/sc%201/scan"
	device := d.device.In(t).With("Idempotency-Key", "question")
	first := string(device.Post(path+"?eventId=sc-e1&direction=OUT", nil).Want(http.StatusOK).Body)
	again := func() string {
		return string(device.Post(path+"?eventId=sc-e1&direction=OUT", nil).Want(http.StatusOK).Body)
	}
	if got := again(); got != first {
		t.Errorf("first %s, then %s", first, got)
	}
	for _, other := range []string{"?eventId=sc-e1&direction=IN", "?eventId=sc-e2&direction=OUT", ""} {
		device.Post(path+other, nil).Refused(http.StatusUnprocessableEntity, "IDEMPOTENCY_KEY_REUSED")
	}
	key := d.key.In(t).With("Idempotency-Key", "question")
	upload := json.RawMessage(`[{"id":"asked","barcode":"nobody","scanned_at":"2026-11-27T10:00:00Z","type":"FAIL"}]`)
	key.Post("/api/accessusers/scans/sc-e1?deviceId="+d.user, upload).Want(http.StatusOK)
	key.Post("/api/accessusers/scans/sc-e1?deviceId=other", upload).Refused(http.StatusUnprocessableEntity, "IDEMPOTENCY_KEY_REUSED")

	d.Count(t, `WITH aged AS (UPDATE idempotent_requests SET created_at = created_at - interval '25 hours' RETURNING 1)
		SELECT count(*) FROM aged`)
	if next := again(); next == first || again() != next {
		t.Errorf("a day later: got %s", next)
	}
}

func (d *gateOverREST) feed(t *testing.T) {
	device := d.device.In(t)
	var page struct{ Next int }
	device.Get("/api/accessusers/feed").Want(http.StatusOK).Into(&page)
	if page.Next < 3 {
		t.Errorf("three tickets were created, but the feed ends at %d", page.Next)
	}
	device.Get(fmt.Sprint("/api/accessusers/feed?limit=1&after=", page.Next)).Want(http.StatusOK)
	device.Get("/api/accessusers/feed?after=-1").Refused(http.StatusBadRequest, "VALIDATION_FAILED")
}

// credentials tests which credentials the endpoints of devices accept.
func (d *gateOverREST) credentials(t *testing.T) {
	anybody, key := d.anybody.In(t), d.key.In(t)
	anybody.Get("/api/accessusers/me").Refused(http.StatusUnauthorized, "UNAUTHENTICATED")
	key.Get("/api/accessusers/me").Refused(http.StatusUnauthorized, "UNAUTHENTICATED") // a Bearer header is ignored
	anybody.Post("/api/accessusers/tickets/x/scan", nil).Refused(http.StatusUnauthorized, "UNAUTHENTICATED")
	d.device.In(t).With("Authorization", "").Get("/api/scan-groups").Refused(http.StatusForbidden, "FORBIDDEN")
	key.Delete("/api/scan-groups/"+d.group).Refused(http.StatusConflict, "INVALID_STATE")
	key.Delete("/api/accessusers/" + d.user).Want(http.StatusOK)
	d.device.In(t).Get("/api/accessusers/me").Refused(http.StatusUnauthorized, "UNAUTHENTICATED")
	key.Delete("/api/scan-groups/" + d.group).Want(http.StatusOK)
}
