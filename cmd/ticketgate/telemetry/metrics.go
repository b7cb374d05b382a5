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

// Metrics has the metrics of this process. docs/operations.md describes each of them. A test compares the two.
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

// The bounds of histogram buckets in seconds: brief for statements and requests, calls for calls to listeners.
var (
	brief = []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}
	calls = []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 7.5, 10}
)

// NewMetrics returns metrics that start at zero. Failed database queries are logged to log.
func NewMetrics(version string, log *slog.Logger, now func() time.Time) *Metrics {
	m := &Metrics{registry: prometheus.NewRegistry(), log: log, now: now}
	m.requests = m.histogram("http_server_request_duration_seconds", brief,
		"Duration of requests.", "http_request_method", "http_route", "http_response_status_code")
	m.active = prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "http_server_active_requests", Help: "Requests in progress.",
	})
	m.operations = m.counter("ticketgate_operations_total",
		"Operations called, by outcome: OK or the error code.", "door", "operation", "code")
	m.fields = m.histogram("ticketgate_graphql_field_duration_seconds", brief,
		"Duration of GraphQL root fields.", "field")
	m.statements = m.histogram("db_client_operation_duration_seconds", brief,
		"Duration of SQL statements until the last row was read.", "pool", "db_operation_name", "error_type")
	m.jobs = m.histogram("ticketgate_job_duration_seconds", calls, "Duration of jobs.", "kind", "queue", "outcome")
	m.attempts = m.histogram("ticketgate_delivery_attempt_duration_seconds", calls,
		"Duration of calls to listeners.", "of", "outcome")
	m.ended = m.counter("ticketgate_deliveries_ended_total",
		"Deliveries that were delivered, failed or canceled, by state.", "of", "state")
	m.scans = m.counter("ticketgate_scans_total", "Stored scans.", "result", "reason", "offline")
	m.importRows = m.counter("ticketgate_import_rows_total", "Access list entries changed by imports.", "change")
	m.registry.MustRegister(m.active, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "ticketgate_build_info", Help: "Always 1, labeled with the version of the program.",
			ConstLabels: prometheus.Labels{"version": version},
		}, func() float64 { return 1 }))
	// An alert on an increase notices the first event only if the series existed before, with zero.
	for _, of := range []string{ofWebhook, ofInvoice} {
		for _, state := range []webhook.State{webhook.Delivered, webhook.Failed, webhook.Canceled} {
			m.ended.WithLabelValues(of, string(state))
		}
	}
	return m
}

func (m *Metrics) histogram(name string, buckets []float64, help string, labels ...string) *prometheus.HistogramVec {
	histogramVec := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets}, labels)
	m.registry.MustRegister(histogramVec)
	return histogramVec
}

func (m *Metrics) counter(name, help string, labels ...string) *prometheus.CounterVec {
	counterVec := prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	m.registry.MustRegister(counterVec)
	return counterVec
}

// scrapeBound is the time limit of a scrape. Its database queries have a shorter one.
const scrapeBound = 10 * time.Second

// Handler returns the handler of scrapes. Metrics that can't be read are left out and logged: during an incident, the
// others matter most.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{
		ErrorLog: complaints{m.log}, ErrorHandling: promhttp.ContinueOnError, Timeout: scrapeBound, MaxRequestsInFlight: 4,
	})
}

// complaints adapts the log to Prometheus.
type complaints struct{ log *slog.Logger }

// Println logs the errors of a scrape.
func (c complaints) Println(values ...any) {
	c.log.WarnContext(context.Background(), "failed to read metrics", "errors", values)
}
