package main

import (
	"bytes"
	"net/http"
	"slices"
	"testing"

	spans "go.opentelemetry.io/proto/otlp/trace/v1"

	"ticketgate/domain"
)

// counting is a house whose requests are traced: each statement of a request is a span of its trace.
type counting struct {
	*house
	collector *collector
	seen      int
}

func openCounting(t *testing.T) *counting {
	t.Helper()
	c := newCollector(t)
	return &counting{house: openHouse(t, "TICKETGATE_OTLP_ENDPOINT="+c.URL), collector: c}
}

// statements makes a number of equal requests, one after the other, and returns what each executed, in order. A request's
// own span ends, and is sent, after those of its statements.
func (c *counting) statements(t *testing.T, times, status int, route, path string, headers ...string) [][]string {
	t.Helper()
	for range times {
		if got, body := request(t, http.MethodGet, c.url+path, "", headers...); got != status {
			t.Fatalf("%s: %d %s", path, got, body)
		}
	}
	c.seen += times
	eventually(t, "all requests have been traced", func() bool { return len(c.collector.requests(route)) == c.seen })
	executed := make([][]string, 0, times)
	for _, root := range c.collector.requests(route)[c.seen-times:] {
		executed = append(executed, c.collector.statementsOf(root))
	}
	return executed
}

// requests are the spans of a path's requests so far, in the order of their ends.
func (c *collector) requests(route string) (found []*spans.Span) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for _, span := range c.spans {
		if span.GetKind() == spans.Span_SPAN_KIND_SERVER && attributeOf(span, "http.route") == route {
			found = append(found, span)
		}
	}
	return found
}

// statementsOf are the names of the statements of a request, whatever spans stand between.
func (c *collector) statementsOf(root *spans.Span) (names []string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for _, span := range c.spans {
		if bytes.Equal(span.GetTraceId(), root.GetTraceId()) && attributeOf(span, "db.system.name") == "postgresql" {
			names = append(names, span.GetName())
		}
	}
	return names
}

// wants holds each request to the same statements. A process that is held up for a second has lost its lease and asks for the
// credential anew, by one statement: that may precede them, but not every time.
func wants(t *testing.T, what string, executed [][]string, check string, want ...string) {
	t.Helper()
	remembered := 0
	for _, names := range executed {
		if slices.Equal(names, want) {
			remembered++
		} else if check == "" || !slices.Equal(names, append([]string{check}, want...)) {
			t.Errorf("%s: executed %q, want %q", what, names, want)
		}
	}
	if remembered == 0 {
		t.Errorf("%s: each of %d requests asked the database who calls", what, len(executed))
	}
}

const (
	deviceCheck = "SELECT devices"
	keyCheck    = "SELECT api_key_secrets"
	lookupRoute = "/api/access-lists/entries/{externalCode}/ticket"
	groupRoute  = "/api/scan-groups/{id}"
)

// The lookup at a gate is one statement, and who calls is known without any (docs/credentials.md).
func TestALookupIsOneStatement(t *testing.T) {
	t.Parallel()
	c := openCounting(t)
	seller := c.world.Sellers[0]
	device := "Token: " + seller.DeviceToken
	path := "/api/access-lists/entries/" + seller.ExternalCode + "/ticket?eventId=" + seller.EventID
	c.statements(t, 1, http.StatusOK, lookupRoute, path, device)
	wants(t, "a lookup", c.statements(t, 10, http.StatusOK, lookupRoute, path, device), deviceCheck, "SELECT access_entries")
}

// A key that is known is checked without a statement, one that is not by one, and one that was mistyped by none.
func TestAKeyCheckIsAtMostOneStatement(t *testing.T) {
	t.Parallel()
	c := openCounting(t)
	seller := c.world.Sellers[0]
	path := "/api/scan-groups/" + seller.ScanGroupID
	c.statements(t, 1, http.StatusOK, groupRoute, path, "Authorization: Bearer "+seller.APIKey)
	wants(t, "a known key", c.statements(t, 10, http.StatusOK, groupRoute, path, "Authorization: Bearer "+seller.APIKey), keyCheck, "SELECT scan_groups")
	unknown := domain.NewSecret(domain.APIKeySecret)
	wants(t, "an unknown key", c.statements(t, 10, http.StatusUnauthorized, groupRoute, path, "Authorization: Bearer "+unknown), "", keyCheck)
	mistyped := unknown[:len(unknown)-1] + "x"
	wants(t, "a mistyped key", c.statements(t, 10, http.StatusUnauthorized, groupRoute, path, "Authorization: Bearer "+mistyped), "")
}
