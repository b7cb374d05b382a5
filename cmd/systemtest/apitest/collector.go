package apitest

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"

	collecting "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	spans "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// Collector receives spans over OTLP/HTTP.
type Collector struct {
	*httptest.Server
	mutex sync.Mutex
	raw   []byte
	spans []*spans.Span
}

// NewCollector starts a collector that is stopped at the end of the test.
func NewCollector(t *testing.T) *Collector {
	t.Helper()
	_ = os.Setenv("OTEL_BSP_SCHEDULE_DELAY", "50") //nolint:usetesting // parallel tests; short, because tests wait for spans
	c := &Collector{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var sent collecting.ExportTraceServiceRequest
		if err != nil || r.URL.Path != "/v1/traces" || proto.Unmarshal(body, &sent) != nil {
			t.Errorf("%s received an invalid trace: %v", r.URL, err)
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

// Received returns all bytes received so far.
func (c *Collector) Received() []byte {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.raw
}

// Find returns the received spans with a name.
func (c *Collector) Find(name string) (found []*spans.Span) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for _, span := range c.spans {
		if span.GetName() == name {
			found = append(found, span)
		}
	}
	return found
}

// Under returns the span with a name that is a child of parent. It fails the test if there is none.
func (c *Collector) Under(t *testing.T, parent *spans.Span, name string) *spans.Span {
	t.Helper()
	for _, span := range c.Find(name) {
		if bytes.Equal(span.GetParentSpanId(), parent.GetSpanId()) && bytes.Equal(span.GetTraceId(), parent.GetTraceId()) {
			return span
		}
	}
	t.Fatalf("no span %q below %q", name, parent.GetName())
	return nil
}

// AttributeOf returns an attribute as text, or an empty string if it is not set.
func AttributeOf(span *spans.Span, key string) string {
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

// Requests returns the received spans of requests to a route, in the order in which the requests ended.
func (c *Collector) Requests(route string) (found []*spans.Span) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for _, span := range c.spans {
		if span.GetKind() == spans.Span_SPAN_KIND_SERVER && AttributeOf(span, "http.route") == route {
			found = append(found, span)
		}
	}
	return found
}

// StatementsOf returns the names of all SQL statements of a request.
func (c *Collector) StatementsOf(root *spans.Span) (names []string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for _, span := range c.spans {
		if bytes.Equal(span.GetTraceId(), root.GetTraceId()) && AttributeOf(span, "db.system.name") == "postgresql" {
			names = append(names, span.GetName())
		}
	}
	return names
}

// StatementsOfFields returns the names of the SQL statements that the root fields of a request executed. It excludes
// the statements that authenticate the caller, because a process caches their results.
func (c *Collector) StatementsOfFields(root *spans.Span) (names []string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	ofTrace := map[string]*spans.Span{}
	for _, span := range c.spans {
		if bytes.Equal(span.GetTraceId(), root.GetTraceId()) {
			ofTrace[string(span.GetSpanId())] = span
		}
	}
	for _, span := range c.spans {
		if !bytes.Equal(span.GetTraceId(), root.GetTraceId()) || AttributeOf(span, "db.system.name") != "postgresql" {
			continue
		}
		for above := ofTrace[string(span.GetParentSpanId())]; above != nil; above = ofTrace[string(above.GetParentSpanId())] {
			if AttributeOf(above, "graphql.field.name") != "" {
				names = append(names, span.GetName())
				break
			}
		}
	}
	return names
}
