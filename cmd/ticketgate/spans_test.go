package main

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	collecting "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	spans "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// collector receives spans by OTLP over HTTP.
type collector struct {
	*httptest.Server
	mutex sync.Mutex
	raw   []byte
	spans []*spans.Span
}

func newCollector(t *testing.T) *collector {
	t.Helper()
	c := &collector{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var sent collecting.ExportTraceServiceRequest
		if err != nil || r.URL.Path != "/v1/traces" || proto.Unmarshal(body, &sent) != nil {
			t.Errorf("%s was sent what is no trace: %v", r.URL, err)
			return
		}
		c.mutex.Lock()
		defer c.mutex.Unlock()
		c.raw = append(c.raw, body...)
		for _, from := range sent.GetResourceSpans() {
			if !strings.Contains(from.GetResource().String(), `"ticketgate"`) {
				t.Errorf("spans of %s", from.GetResource())
			}
			for _, scope := range from.GetScopeSpans() {
				c.spans = append(c.spans, scope.GetSpans()...)
			}
		}
		w.Header().Set("Content-Type", "application/x-protobuf")
	}))
	t.Cleanup(c.Close)
	return c
}

// received are all bytes so far.
func (c *collector) received() []byte {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.raw
}

// find returns the spans of a name so far.
func (c *collector) find(name string) (found []*spans.Span) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for _, span := range c.spans {
		if span.GetName() == name {
			found = append(found, span)
		}
	}
	return found
}

// under returns the one span of a name below another one.
func (c *collector) under(t *testing.T, parent *spans.Span, name string) *spans.Span {
	t.Helper()
	for _, span := range c.find(name) {
		if bytes.Equal(span.GetParentSpanId(), parent.GetSpanId()) && bytes.Equal(span.GetTraceId(), parent.GetTraceId()) {
			return span
		}
	}
	t.Fatalf("no span %q below %q", name, parent.GetName())
	return nil
}

// attributeOf is an attribute as text; empty when there is none.
func attributeOf(span *spans.Span, key string) string {
	for _, attribute := range span.GetAttributes() {
		if attribute.GetKey() == key {
			if value := attribute.GetValue(); value.GetStringValue() != "" {
				return value.GetStringValue()
			}
			return fmt.Sprint(attribute.GetValue().GetIntValue())
		}
	}
	return ""
}

// linksTo tells whether a span has one link, and to another one.
func linksTo(span, other *spans.Span) bool {
	links := span.GetLinks()
	return len(links) == 1 && bytes.Equal(links[0].GetSpanId(), other.GetSpanId()) &&
		bytes.Equal(links[0].GetTraceId(), other.GetTraceId())
}

func TestADeliveryIsTracedToItsPublish(t *testing.T) {
	t.Parallel()
	c := newCollector(t)
	h := openHouse(t, "TICKETGATE_OTLP_ENDPOINT="+c.URL, watchedFromHere, deliversToTests, "TICKETGATE_RETRY_SCHEDULE=0s")
	url, _ := newListener(t, func(call int) int {
		if call == 1 {
			return http.StatusBadGateway
		}
		return http.StatusOK
	})
	body := fmt.Sprintf(`{"name": "W", "url": %q, "events": {"transaction.complete": true}}`, url+"?token="+canary)
	request(t, http.MethodPost, h.url+"/api/webhooks", body, "Authorization: Bearer "+h.world.Sellers[0].APIKey)
	publish(t, h.url, h.world.Sellers[0])
	eventually(t, "both attempts have been traced", func() bool { return len(c.find("job deliver_webhook")) == 2 })

	request := c.find("POST /graphql")[0]
	field := c.under(t, request, "graphql publishEvent")
	c.under(t, field, "BEGIN")
	lookUp := c.under(t, field, "SELECT webhooks")
	if len(request.GetParentSpanId()) > 0 || attributeOf(request, "http.response.status_code") != "200" ||
		len(attributeOf(request, "ticketgate.request_id")) != 16 || attributeOf(lookUp, "db.system.name") != "postgresql" {
		t.Errorf("got %v\n%v", request, lookUp)
	}
	jobs := c.find("job deliver_webhook")
	first, retry := jobs[0], jobs[1]
	if !linksTo(first, field) || bytes.Equal(first.GetTraceId(), field.GetTraceId()) {
		t.Errorf("the first attempt is not linked to the publish: %v", first)
	}
	if !linksTo(retry, first) {
		t.Errorf("the retry is not linked to the attempt before: %v", retry)
	}
	for job, status := range map[*spans.Span]string{first: "502", retry: "200"} {
		call := c.under(t, job, "POST")
		if attributeOf(call, "http.response.status_code") != status || len(attributeOf(call, "ticketgate.delivery.id")) != 36 ||
			attributeOf(call, "server.address") != "127.0.0.1" {
			t.Errorf("got %v", call)
		}
	}
	if strings.Contains(string(c.received()), canary) {
		t.Error("a span holds the query string of a listener")
	}
}

func TestRequestsAreTracedByTheirTemplate(t *testing.T) {
	t.Parallel()
	c := newCollector(t)
	h := openHouse(t, "TICKETGATE_OTLP_ENDPOINT="+c.URL+"/")
	const theirs, theirSpan = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
	request(t, http.MethodGet, h.url+"/api/scan-groups/"+canary+"?"+canary+"=1", "", "Authorization: Bearer "+h.world.Sellers[0].APIKey,
		"traceparent: 00-"+theirs+"-"+theirSpan+"-01", "User-Agent: "+canary)
	eventually(t, "the request has been traced", func() bool { return len(c.find("GET /api/scan-groups/{id}")) == 1 })
	span := c.find("GET /api/scan-groups/{id}")[0]
	if attributeOf(span, "http.response.status_code") != "404" || attributeOf(span, "error.type") != "NOT_FOUND" ||
		attributeOf(span, "ticketgate.operation") != "scanGroup" {
		t.Errorf("got %v", span)
	}
	if hex.EncodeToString(span.GetTraceId()) == theirs || len(span.GetLinks()) != 1 ||
		hex.EncodeToString(span.GetLinks()[0].GetSpanId()) != theirSpan {
		t.Errorf("a caller's trace is not linked: %v", span)
	}
	c.under(t, span, "SELECT scan_groups")
	if strings.Contains(string(c.received()), canary) {
		t.Errorf("a span holds what a caller has sent: %v", span)
	}
}

func TestACollectorThatIsAwayHoldsNothingUp(t *testing.T) {
	t.Parallel()
	c := newCollector(t)
	c.Close()
	h := openHouse(t, "TICKETGATE_OTLP_ENDPOINT="+c.URL)
	if status, body := request(t, http.MethodGet, h.url+"/readyz", ""); status != http.StatusOK {
		t.Errorf("%d %s", status, body)
	}
}
