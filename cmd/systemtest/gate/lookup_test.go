package gate

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/domain"
	"ticketgate/domain/access"
	"ticketgate/domain/optional"
	"ticketgate/domain/scan"
	"ticketgate/domain/secrets"
	"ticketgate/rest/resttest"
)

func TestTheLookupAcceptsEveryEncodingOfACode(t *testing.T) {
	t.Parallel()
	g := apitest.OpenGate(t)
	// Codes with the ways in which clients encode them in a path. The first is Go's own.
	for code, other := range map[string][]string{
		"/": {"%2F", "%2f"}, "a/b": {"a%2Fb"}, "../../keys/info": {"..%2F..%2Fkeys%2Finfo"}, "..": {"%2E%2E"}, ".": {"%2e"},
		"%": {"%25"}, "%2F": {"%252F"}, "%252F": {"%25252F"}, "+": {"+", "%2B"}, " ": {"%20"}, "a b": {"a%20b"},
		";": {"%3B", ";"}, "?": {"%3F"}, "#": {"%23"}, "&": {"&", "%26"}, "=": {"=", "%3D"}, "@": {"@"}, ":": {":"},
		"é": {"%C3%A9", "é"}, "e\u0301": {"e%CC%81"}, "日本": {"%E6%97%A5%E6%9C%AC"}, "🎫": {"%F0%9F%8E%AB"},
		"\u202e": nil, "\uFFFE": nil, `"`: {"%22"}, "'": {"'"}, `\`: {"%5C"}, "<b>": {"%3Cb%3E"}, "entries": {"entries"},
		"ticket": {"ticket"}, "007": {"007", "%30%30%37"}, "A": {"A", "%41"}, "a": {"a"}, "*": {"*"}, "(1)": {"(1)"},
		strings.Repeat("x", 255): nil,
	} {
		want := g.Knows(t, code)
		for _, written := range append([]string{url.PathEscape(code)}, other...) {
			if written == "." || written == ".." {
				continue // clients resolve dot segments before they call
			}
			if got := g.Asks(t, written, "?eventId=e1"); got.Status != http.StatusOK || got.Text("_id") != want {
				t.Errorf("%q as %s: got %d %s", code, written, got.Status, got.Body)
			}
		}
		listed := g.REST.In(t).As(g.Seller.APIKey).Get("/api/access-lists/" + g.List.ID + "/entries?externalCode=" + url.QueryEscape(code))
		if !strings.Contains(string(listed.Body), `"total":1}`) {
			t.Errorf("%q is not found by the list's filter: %s", code, listed.Body)
		}
	}
	for _, written := range []string{"%00", "a%00b", "%E9", "%FF"} {
		g.Asks(t, written, "?eventId=e1").Refused(http.StatusBadRequest, "VALIDATION_FAILED")
	}
	for _, written := range []string{"%25252f", "08", "B", "x%20", "%C3%89"} {
		g.Asks(t, written, "?eventId=e1").Refused(http.StatusNotFound, "UNKNOWN_CODE")
	}
}

func TestTheLookupExplainsAMissingTicket(t *testing.T) {
	t.Parallel()
	g := apitest.OpenGate(t)
	want := g.Knows(t, "A")
	at := func(who *resttest.Client) resttest.Answer {
		return who.Get("/api/access-lists/entries/A/ticket?eventId=e1")
	}
	nobody := g.REST.In(t)

	at(nobody).Refused(401, "UNAUTHENTICATED")
	at(nobody.As(g.Seller.APIKey)).Refused(401, "UNAUTHENTICATED")
	at(nobody.With("token", secrets.New(secrets.Device))).Refused(401, "UNAUTHENTICATED")
	at(nobody.With("token", g.Seller.APIKey)).Refused(401, "UNAUTHENTICATED")
	for _, beside := range []string{g.Seller.APIKey, "nonsense", g.Demo.Sellers[1].APIKey} {
		if got := at(nobody.With("token", g.Device.Token).As(beside)).Want(200).Text("_id"); got != want {
			t.Errorf("with a Bearer header in addition to the token: %s", got)
		}
	}
	if details := g.Asks(t, "A", "").Refused(400, "VALIDATION_FAILED").Details; len(details) != 1 || details[0].Path != "eventId" {
		t.Errorf("without eventId: %v", details)
	}
	g.Asks(t, "A", "?eventId=").Refused(400, "VALIDATION_FAILED")
	g.Asks(t, "A", "?eventId=e1&eventId=e2").Refused(400, "VALIDATION_FAILED")
	g.Asks(t, "A", "?eventId=e2").Refused(404, "NO_TICKET_FOR_EVENT")
	g.Asks(t, "B", "?eventId=e1").Refused(404, "UNKNOWN_CODE")

	ctx := g.ActingOn(t, g.Seller)
	_, err := g.Do.Devices.Update(ctx, g.Device.ID, scan.DeviceChange{DeviceSettings: optional.Null[scan.AccessSettings]()})
	systemtest.Must(t, err)
	g.Asks(t, "A", "?eventId=e1").Refused(403, "FORBIDDEN")
	_, err = g.Do.Devices.Update(ctx, g.Device.ID, scan.DeviceChange{Active: optional.Some(false)})
	systemtest.Must(t, err)
	g.Asks(t, "A", "?eventId=e1").Refused(401, "UNAUTHENTICATED")
}

func TestTheLookupIsTheSameInBothAPIs(t *testing.T) {
	t.Parallel()
	g := apitest.OpenGate(t)
	g.Knows(t, "A")
	byREST := map[string]any{}
	g.Asks(t, "A", "?eventId=e1").Want(200).Into(&byREST)
	device := apitest.Caller{"token": g.Device.Token}
	lookup := func(code, event string) apitest.Outcome {
		return g.ThroughGraphQL(t, device, apitest.Call{Operation: domain.LookUpTicket, Args: map[string]any{
			"externalCode": code, "eventId": event,
		}})
	}
	byGraphQL := lookup("A", "e1").Result
	for _, beside := range []string{"Bearer " + g.Seller.APIKey, "Bearer nonsense"} { // the header is ignored
		o := g.ThroughGraphQL(t, apitest.Caller{"token": g.Device.Token, "Authorization": beside}, apitest.To(domain.GetSelf, nil))
		if self, ok := o.Result.(map[string]any); !ok || self["_id"] != g.Device.ID {
			t.Errorf("a device with %q: %v", beside, o)
		}
	}
	item, _ := json.Marshal(byREST)
	other, _ := json.Marshal(byGraphQL)
	if !bytes.Equal(item, other) {
		t.Errorf("REST    %s\nGraphQL %s", item, other)
	}
	for _, row := range []struct{ code, event string }{{"A", "e2"}, {"B", "e1"}, {"A", ""}} {
		want := g.Asks(t, row.code, "?eventId="+row.event)
		var refusal resttest.Error
		want.Into(&refusal)
		if got := lookup(row.code, row.event).Refusal; got.Code != refusal.Code || got.Message != refusal.Message {
			t.Errorf("%v: REST %s %q, GraphQL %s %q", row, refusal.Code, refusal.Message, got.Code, got.Message)
		}
	}
	unknown := g.ThroughGraphQL(t, apitest.Bearer(g.Seller.APIKey), apitest.Call{Operation: domain.ListUnknownCodes})
	if text := string(unknown.Body); !strings.Contains(text, `"externalCode":"B"`) || !strings.Contains(text, g.Device.ID) {
		t.Errorf("unknown codes: %s", text)
	}
	tested := g.ThroughGraphQL(t, apitest.Bearer(g.Seller.APIKey), apitest.Call{Operation: domain.TestAccessCode, Args: map[string]any{
		"code": "a", "eventId": "e1",
	}})
	if text := string(tested.Body); !strings.Contains(text, `"verdict":"UNKNOWN_CODE"`) || !strings.Contains(text, "differs only by case") {
		t.Errorf("test of a code: %s", text)
	}
}

func TestTheLookupSetsRetryAfterWhenARemoteListFails(t *testing.T) {
	t.Parallel()
	g := apitest.OpenGate(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }))
	t.Cleanup(server.Close)
	_, err := g.Do.AccessLists.Create(g.ActingOn(t, g.Seller), access.NewList{
		Name: "Partner", HTTP: optional.Some(access.NewListener{URL: server.URL}),
	})
	systemtest.Must(t, err)
	answer := g.Asks(t, "A", "?eventId=e1")
	answer.Refused(http.StatusServiceUnavailable, "LIST_UNAVAILABLE")
	if wait := answer.Header.Get("Retry-After"); wait != "2" {
		t.Errorf("Retry-After %q", wait)
	}
}
