package telemetry

import (
	"context"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"ticketgate/domain/webhook"
	"ticketgate/jobs"
)

const (
	// backlogKept is how long the result of a database query is reused, however often metrics are scraped.
	backlogKept  = 10 * time.Second
	backlogBound = 5 * time.Second
)

// Readings are the database queries of a scrape. Jobs is nil in processes without workers.
type Readings struct {
	Backlog func(ctx context.Context) (webhook.Backlog, error)
	Jobs    func(ctx context.Context) ([]jobs.Depth, error)
}

// Backlog registers metrics of pending work in the database. They are the same in every process.
func (m *Metrics) Backlog(read Readings) {
	if m != nil {
		m.registry.MustRegister(&backlog{read: read, now: m.now})
	}
}

// backlog is a collector that queries the database when it is scraped.
type backlog struct {
	read Readings
	now  func() time.Time

	mutex sync.Mutex
	at    time.Time
	last  []prometheus.Metric
}

var (
	dueDesc = prometheus.NewDesc("ticketgate_deliveries_due",
		"Webhook deliveries whose next attempt is due, counted up to 100,000.", nil, nil)
	oldestDesc = prometheus.NewDesc("ticketgate_deliveries_oldest_due_seconds",
		"How long the oldest due attempt has been waiting.", nil, nil)
	overflowDesc = prometheus.NewDesc("ticketgate_deliveries_set_aside",
		"Webhook deliveries waiting for room at their listener, counted up to 100,000.", nil, nil)
	jobsDesc = prometheus.NewDesc("ticketgate_jobs",
		"Uncompleted jobs in the queues, counted up to 100,000.", []string{"queue", "state"}, nil)
)

// Describe sends the descriptions of the metrics.
func (b *backlog) Describe(to chan<- *prometheus.Desc) {
	to <- dueDesc
	to <- oldestDesc
	to <- overflowDesc
	to <- jobsDesc
}

// Collect sends the metrics. They are at most backlogKept old.
func (b *backlog) Collect(to chan<- prometheus.Metric) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if now := b.now(); b.last == nil || now.Sub(b.at) >= backlogKept {
		b.last, b.at = b.ask(), now
	}
	for _, metric := range b.last {
		to <- metric
	}
}

// ask queries the database. If a query fails, the error is sent in place of its metrics.
func (b *backlog) ask() []prometheus.Metric {
	ctx, cancel := context.WithTimeout(context.Background(), backlogBound)
	defer cancel()
	gauge := func(desc *prometheus.Desc, value float64, labels ...string) prometheus.Metric {
		return prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, value, labels...)
	}
	waiting, err := b.read.Backlog(ctx)
	if err != nil {
		return []prometheus.Metric{prometheus.NewInvalidMetric(dueDesc, err)}
	}
	metrics := []prometheus.Metric{
		gauge(dueDesc, float64(waiting.Due)), gauge(oldestDesc, waiting.Oldest.Seconds()), gauge(overflowDesc, float64(waiting.SetAside)),
	}
	if b.read.Jobs == nil {
		return metrics
	}
	depths, err := b.read.Jobs(ctx)
	if err != nil {
		return append(metrics, prometheus.NewInvalidMetric(jobsDesc, err))
	}
	for _, depth := range depths {
		metrics = append(metrics, gauge(jobsDesc, float64(depth.Jobs), depth.Queue, depth.State))
	}
	return metrics
}
