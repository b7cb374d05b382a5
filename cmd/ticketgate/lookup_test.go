package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/access"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/scan"
	"ticketgate/domain/ticket"
	"ticketgate/rest/resttest"
)

// gate is a house with a static list, a ticket for every code, and a device that may look all of them up.
type gate struct {
	*house
	seller seededSeller
	list   access.List
	device scan.Device
}

func openGate(t *testing.T) *gate {
	t.Helper()
	h := openHouse(t, deliversToTests)
	g := &gate{house: h, seller: h.world.Sellers[0]}
	ctx := h.actingOn(t, g.seller)
	var err error
	g.list, err = h.do.AccessLists.Create(ctx, access.NewList{Name: "Cards"})
	must(t, err)
	group, err := h.do.ScanGroups.Create(ctx, scan.NewGroup{
		Name: "Gates", ScanConfig: scan.Config{Mode: "default", TapAndGo: &scan.TapAndGo{Enabled: true}},
	})
	must(t, err)
	g.device, err = h.do.Devices.Create(ctx, scan.NewDevice{
		Name: "Gate 1", AccessAllEvents: domain.Some(true),
		DeviceSettings: domain.Some(scan.AccessSettings{ScanGroupID: &group.ID}),
	})
	must(t, err)
	return g
}

// knows makes an entry for a code and a ticket of its holder.
func (g *gate) knows(t *testing.T, code string) (ticketID string) {
	t.Helper()
	ctx, holder := g.actingOn(t, g.seller), serial("holder")
	_, err := g.do.AccessEntries.Create(ctx, g.list.ID, access.NewEntry{ExternalCode: code, CustomerID: domain.Some(holder)})
	must(t, err)
	ticketID = "ticket of " + holder
	value, err := ecmajson.Parse(fmt.Appendf(nil, `{"_id":%q,"sellerId":%q,"eventId":"e1","ticketTypeId":"tt","ticketName":"Day",
		"status":"VALID","secret":"s","barcode":%q,"customerId":%q,"email":"anna@example.org"}`,
		ticketID, g.seller.SellerID, "b "+holder, holder), ecmajson.Limits{})
	must(t, err)
	_, err = g.do.Tickets.Import(ctx, ticket.Import{Tickets: []ecmajson.Value{value}})
	must(t, err)
	return ticketID
}

// asks looks a code up, whose path is sent as it is written.
func (g *gate) asks(t *testing.T, written, query string) resttest.Answer {
	t.Helper()
	return g.rest.In(t).With("token", g.device.Token).Get("/api/access-lists/entries/" + written + "/ticket" + query)
}

func TestTheLookupTakesEverySpellingOfACode(t *testing.T) {
	t.Parallel()
	g := openGate(t)
	// Codes with the ways in which clients write them in a path (hardening H8); the first is that of Go's own library.
	for code, further := range map[string][]string{
		"/": {"%2F", "%2f"}, "a/b": {"a%2Fb"}, "../../keys/info": {"..%2F..%2Fkeys%2Finfo"}, "..": {"%2E%2E"}, ".": {"%2e"},
		"%": {"%25"}, "%2F": {"%252F"}, "%252F": {"%25252F"}, "+": {"+", "%2B"}, " ": {"%20"}, "a b": {"a%20b"},
		";": {"%3B", ";"}, "?": {"%3F"}, "#": {"%23"}, "&": {"&", "%26"}, "=": {"=", "%3D"}, "@": {"@"}, ":": {":"},
		"é": {"%C3%A9", "é"}, "e\u0301": {"e%CC%81"}, "日本": {"%E6%97%A5%E6%9C%AC"}, "🎫": {"%F0%9F%8E%AB"},
		"\u202e": nil, "\uFFFE": nil, `"`: {"%22"}, "'": {"'"}, `\`: {"%5C"}, "<b>": {"%3Cb%3E"}, "entries": {"entries"},
		"ticket": {"ticket"}, "007": {"007", "%30%30%37"}, "A": {"A", "%41"}, "a": {"a"}, "*": {"*"}, "(1)": {"(1)"},
		strings.Repeat("x", 255): nil,
	} {
		want := g.knows(t, code)
		for _, written := range append([]string{url.PathEscape(code)}, further...) {
			if written == "." || written == ".." {
				continue // a path's own words: clients resolve them before they call
			}
			if got := g.asks(t, written, "?eventId=e1"); got.Status != http.StatusOK || got.Text("_id") != want {
				t.Errorf("%q as %s: got %d %s", code, written, got.Status, got.Body)
			}
		}
		listed := g.rest.In(t).As(g.seller.APIKey).Get("/api/access-lists/" + g.list.ID + "/entries?externalCode=" + url.QueryEscape(code))
		if !strings.Contains(string(listed.Body), `"total":1}`) {
			t.Errorf("%q is not found by the list's filter: %s", code, listed.Body)
		}
	}
	for _, written := range []string{"%00", "a%00b", "%E9", "%FF"} {
		g.asks(t, written, "?eventId=e1").Refused(http.StatusBadRequest, "VALIDATION_FAILED")
	}
	for _, written := range []string{"%25252f", "08", "B", "x%20", "%C3%89"} {
		g.asks(t, written, "?eventId=e1").Refused(http.StatusNotFound, "UNKNOWN_CODE")
	}
}

func TestTheLookupSaysWhyThereIsNoTicket(t *testing.T) {
	t.Parallel()
	g := openGate(t)
	want := g.knows(t, "A")
	at := func(who *resttest.Client) resttest.Answer {
		return who.Get("/api/access-lists/entries/A/ticket?eventId=e1")
	}
	nobody := g.rest.In(t)

	at(nobody).Refused(401, "UNAUTHENTICATED")
	at(nobody.As(g.seller.APIKey)).Refused(401, "UNAUTHENTICATED")
	at(nobody.With("token", domain.NewSecret(domain.DeviceSecret))).Refused(401, "UNAUTHENTICATED")
	at(nobody.With("token", g.seller.APIKey)).Refused(401, "UNAUTHENTICATED")
	for _, beside := range []string{g.seller.APIKey, "nonsense", g.world.Sellers[1].APIKey} {
		if got := at(nobody.With("token", g.device.Token).As(beside)).Want(200).Text("_id"); got != want {
			t.Errorf("with a Bearer header beside the token: %s", got)
		}
	}
	if details := g.asks(t, "A", "").Refused(400, "VALIDATION_FAILED").Details; len(details) != 1 || details[0].Path != "eventId" {
		t.Errorf("without eventId: %v", details)
	}
	g.asks(t, "A", "?eventId=").Refused(400, "VALIDATION_FAILED")
	g.asks(t, "A", "?eventId=e1&eventId=e2").Refused(400, "VALIDATION_FAILED")
	g.asks(t, "A", "?eventId=e2").Refused(404, "NO_TICKET_FOR_EVENT")
	g.asks(t, "B", "?eventId=e1").Refused(404, "UNKNOWN_CODE")

	ctx := g.actingOn(t, g.seller)
	_, err := g.do.Devices.Update(ctx, g.device.ID, scan.DeviceChange{DeviceSettings: domain.Null[scan.AccessSettings]()})
	must(t, err)
	g.asks(t, "A", "?eventId=e1").Refused(403, "FORBIDDEN")
	_, err = g.do.Devices.Update(ctx, g.device.ID, scan.DeviceChange{Active: domain.Some(false)})
	must(t, err)
	g.asks(t, "A", "?eventId=e1").Refused(401, "UNAUTHENTICATED")
}

func TestTheLookupIsTheSameThroughBothDoors(t *testing.T) {
	t.Parallel()
	g := openGate(t)
	g.knows(t, "A")
	byREST := map[string]any{}
	g.asks(t, "A", "?eventId=e1").Want(200).Into(&byREST)
	device := caller{"token": g.device.Token}
	lookup := func(code, event string) outcome {
		return g.throughGraphQL(t, device, call{operation: domain.LookUpTicket, args: map[string]any{
			"externalCode": code, "eventId": event,
		}})
	}
	byGraphQL := lookup("A", "e1").result
	for _, beside := range []string{"Bearer " + g.seller.APIKey, "Bearer nonsense"} { // it does not count (decisions 4.4)
		o := g.throughGraphQL(t, caller{"token": g.device.Token, "Authorization": beside}, call{domain.GetSelf, nil})
		if self, ok := o.result.(map[string]any); !ok || self["_id"] != g.device.ID {
			t.Errorf("a device with %q: %v", beside, o)
		}
	}
	one, _ := json.Marshal(byREST)
	other, _ := json.Marshal(byGraphQL)
	if !bytes.Equal(one, other) {
		t.Errorf("REST    %s\nGraphQL %s", one, other)
	}
	for _, row := range []struct{ code, event string }{{"A", "e2"}, {"B", "e1"}, {"A", ""}} {
		want := g.asks(t, row.code, "?eventId="+row.event)
		var refusal resttest.Error
		want.Into(&refusal)
		if got := lookup(row.code, row.event).refusal; got.Code != refusal.Code || got.Message != refusal.Message {
			t.Errorf("%v: REST %s %q, GraphQL %s %q", row, refusal.Code, refusal.Message, got.Code, got.Message)
		}
	}
	unknown := g.throughGraphQL(t, bearer(g.seller.APIKey), call{operation: domain.ListUnknownCodes})
	if text := string(unknown.body); !strings.Contains(text, `"externalCode":"B"`) || !strings.Contains(text, g.device.ID) {
		t.Errorf("unknown codes: %s", text)
	}
	tested := g.throughGraphQL(t, bearer(g.seller.APIKey), call{operation: domain.TestAccessCode, args: map[string]any{
		"code": "a", "eventId": "e1",
	}})
	if text := string(tested.body); !strings.Contains(text, `"verdict":"UNKNOWN_CODE"`) || !strings.Contains(text, "differs only by case") {
		t.Errorf("test of a code: %s", text)
	}
}

func TestTheLookupAsksToComeBackWhenARemoteListIsAway(t *testing.T) {
	t.Parallel()
	g := openGate(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }))
	t.Cleanup(server.Close)
	_, err := g.do.AccessLists.Create(g.actingOn(t, g.seller), access.NewList{
		Name: "Partner", HTTP: domain.Some(access.NewListener{URL: server.URL}),
	})
	must(t, err)
	answer := g.asks(t, "A", "?eventId=e1")
	answer.Refused(http.StatusServiceUnavailable, "LIST_UNAVAILABLE")
	if wait := answer.Header.Get("Retry-After"); wait != "2" {
		t.Errorf("Retry-After %q", wait)
	}
}
