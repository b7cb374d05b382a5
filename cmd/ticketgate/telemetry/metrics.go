package telemetry

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"ticketgate/domain/webhook"
)

// Metrics are the numbers of this process. docs/operations.md says what each means; a test compares the two.
type Metrics struct {
	registry *prometheus.Registry
	log      *slog.Logger
	now      func() time.Time

	requests   *prometheus.HistogramVec
	active     prometheus.Gauge
	operations *prometheus.CounterVec
	fields     *prometheus.HistogramVec
	statements *prometheus.HistogramVec
	jobs       *prometheus.HistogramVec
	attempts   *prometheus.HistogramVec
	ended      *prometheus.CounterVec
	scans      *prometheus.CounterVec
	importRows *prometheus.CounterVec
}

// The bounds of durations, in seconds: what a database and a request take, and what a listener may take.
var (
	brief = []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}
	calls = []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 7.5, 10}
)

// NewMetrics makes metrics that all stand at zero. Log gets what keeps one of them from being read.
func NewMetrics(version string, log *slog.Logger, now func() time.Time) *Metrics {
	m := &Metrics{registry: prometheus.NewRegistry(), log: log, now: now}
	m.requests = m.histogram("http_server_request_duration_seconds", brief,
		"How long requests took.", "http_request_method", "http_route", "http_response_status_code")
	m.active = prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "http_server_active_requests", Help: "Requests that are being answered.",
	})
	m.operations = m.counter("ticketgate_operations_total",
		"Operations that were asked for, by how they ended: OK or the code of the error.", "door", "operation", "code")
	m.fields = m.histogram("ticketgate_graphql_field_duration_seconds", brief,
		"How long root fields of GraphQL took.", "field")
	m.statements = m.histogram("db_client_operation_duration_seconds", brief,
		"How long SQL statements took, until the last row was read.", "pool", "db_operation_name", "error_type")
	m.jobs = m.histogram("ticketgate_job_duration_seconds", calls, "How long jobs ran.", "kind", "queue", "outcome")
	m.attempts = m.histogram("ticketgate_delivery_attempt_duration_seconds", calls,
		"How long calls of listeners took.", "of", "outcome")
	m.ended = m.counter("ticketgate_deliveries_ended_total",
		"Deliveries that came to an end; failed ones were given up.", "of", "state")
	m.scans = m.counter("ticketgate_scans_total", "Scans that were stored.", "result", "reason", "offline")
	m.importRows = m.counter("ticketgate_import_rows_total", "Entries that imports changed in access lists.", "change")
	m.registry.MustRegister(m.active, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "ticketgate_build_info", Help: "1, with the version of the program.",
			ConstLabels: prometheus.Labels{"version": version},
		}, func() float64 { return 1 }))
	// An alert on an increase sees the first one only if there was a zero before.
	for _, of := range []string{ofWebhook, ofInvoice} {
		for _, state := range []webhook.State{webhook.Delivered, webhook.Failed, webhook.Canceled} {
			m.ended.WithLabelValues(of, string(state))
		}
	}
	return m
}

func (m *Metrics) histogram(name string, buckets []float64, help string, labels ...string) *prometheus.HistogramVec {
	made := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets}, labels)
	m.registry.MustRegister(made)
	return made
}

func (m *Metrics) counter(name, help string, labels ...string) *prometheus.CounterVec {
	made := prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	m.registry.MustRegister(made)
	return made
}

// scrapeBound is how long a scrape may take; what it reads of the database has less.
const scrapeBound = 10 * time.Second

// Handler answers scrapes. What can't be read is left out and logged: the rest is wanted most when something is wrong.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{
		ErrorLog: complaints{m.log}, ErrorHandling: promhttp.ContinueOnError, Timeout: scrapeBound, MaxRequestsInFlight: 4,
	})
}

// complaints is the program's log as Prometheus writes to it.
type complaints struct{ log *slog.Logger }

// Println logs what a scrape has met.
func (c complaints) Println(values ...any) {
	c.log.WarnContext(context.Background(), "metrics can't be read", "errors", values)
}
