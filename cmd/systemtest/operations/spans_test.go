package operations

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"testing"

	spans "go.opentelemetry.io/proto/otlp/trace/v1"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
)

// linksTo reports whether a span has exactly one link, to another span.
func linksTo(span, other *spans.Span) bool {
	links := span.GetLinks()
	return len(links) == 1 && bytes.Equal(links[0].GetSpanId(), other.GetSpanId()) &&
		bytes.Equal(links[0].GetTraceId(), other.GetTraceId())
}

func TestDeliveryTraceLinksToPublish(t *testing.T) {
	t.Parallel()
	c := apitest.NewCollector(t)
	h := apitest.Open(t, "TICKETGATE_OTLP_ENDPOINT="+c.URL, watchedFromHere, apitest.DeliversToTests, "TICKETGATE_RETRY_SCHEDULE=0s")
	url, _ := systemtest.NewListener(t, func(call int) int {
		if call == 1 {
			return http.StatusBadGateway
		}
		return http.StatusOK
	})
	body := fmt.Sprintf(`{"name": "W", "url": %q, "events": {"transaction.complete": true}}`, url+"?token="+canary)
	systemtest.Request(t, http.MethodPost, h.URL+"/api/webhooks", body, "Authorization: Bearer "+h.Demo.Sellers[0].APIKey)
	systemtest.Publish(t, h.URL, h.Demo.Sellers[0])
	systemtest.Eventually(t, "both attempts have been traced", func() bool { return len(c.Find("job deliver_webhook")) == 2 })

	request := c.Find("POST /graphql")[0]
	field := c.Under(t, request, "graphql publishEvent")
	c.Under(t, field, "WITH events") // one of the statements that are sent together
	lookUp := c.Under(t, field, "SELECT webhooks")
	if len(request.GetParentSpanId()) > 0 || apitest.AttributeOf(request, "http.response.status_code") != "200" ||
		len(apitest.AttributeOf(request, "ticketgate.request_id")) != 16 || apitest.AttributeOf(lookUp, "db.system.name") != "postgresql" {
		t.Errorf("got %v\n%v", request, lookUp)
	}
	jobs := c.Find("job deliver_webhook")
	first, retry := jobs[0], jobs[1]
	if !linksTo(first, field) || bytes.Equal(first.GetTraceId(), field.GetTraceId()) {
		t.Errorf("the first attempt is not linked to the publish: %v", first)
	}
	if !linksTo(retry, first) {
		t.Errorf("the retry is not linked to the previous attempt: %v", retry)
	}
	for job, status := range map[*spans.Span]string{first: "502", retry: "200"} {
		call := c.Under(t, job, "POST")
		if apitest.AttributeOf(call, "http.response.status_code") != status || len(apitest.AttributeOf(call, "ticketgate.delivery.id")) != 36 ||
			apitest.AttributeOf(call, "server.address") != "127.0.0.1" {
			t.Errorf("got %v", call)
		}
	}
	if strings.Contains(string(c.Received()), canary) {
		t.Error("a span contains a listener's query string")
	}
}

func TestRequestsAreTracedByTheirTemplate(t *testing.T) {
	t.Parallel()
	c := apitest.NewCollector(t)
	h := apitest.Open(t, "TICKETGATE_OTLP_ENDPOINT="+c.URL+"/")
	const theirs, theirSpan = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
	systemtest.Request(t, http.MethodGet, h.URL+"/api/scan-groups/"+canary+"?"+canary+"=1", "", "Authorization: Bearer "+h.Demo.Sellers[0].APIKey,
		"traceparent: 00-"+theirs+"-"+theirSpan+"-01", "User-Agent: "+canary)
	systemtest.Eventually(t, "the request has been traced", func() bool { return len(c.Find("GET /api/scan-groups/{id}")) == 1 })
	span := c.Find("GET /api/scan-groups/{id}")[0]
	if apitest.AttributeOf(span, "http.response.status_code") != "404" || apitest.AttributeOf(span, "error.type") != "NOT_FOUND" ||
		apitest.AttributeOf(span, "ticketgate.operation") != "scanGroup" {
		t.Errorf("got %v", span)
	}
	if hex.EncodeToString(span.GetTraceId()) == theirs || len(span.GetLinks()) != 1 ||
		hex.EncodeToString(span.GetLinks()[0].GetSpanId()) != theirSpan {
		t.Errorf("a caller's trace is not linked: %v", span)
	}
	c.Under(t, span, "SELECT scan_groups")
	if strings.Contains(string(c.Received()), canary) {
		t.Errorf("a span contains a caller's text: %v", span)
	}
}

func TestAnUnreachableCollectorDelaysNothing(t *testing.T) {
	t.Parallel()
	c := apitest.NewCollector(t)
	c.Close()
	h := apitest.Open(t, "TICKETGATE_OTLP_ENDPOINT="+c.URL)
	if status, body := systemtest.Request(t, http.MethodGet, h.URL+"/readyz", ""); status != http.StatusOK {
		t.Errorf("%d %s", status, body)
	}
}
