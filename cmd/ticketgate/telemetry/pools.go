package telemetry

import (
	"database/sql"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
)

// poolState is the state of a connection pool at one time.
type poolState struct {
	used, idle, most int
	waits            int64
	waited           time.Duration
}

// Pool registers the metrics of a database/sql pool.
func (m *Metrics) Pool(name string, stats func() sql.DBStats) {
	if m == nil {
		return
	}
	m.pool(name, func() poolState {
		now := stats()
		return poolState{now.InUse, now.Idle, now.MaxOpenConnections, now.WaitCount, now.WaitDuration}
	})
}

// RiverPool registers the metrics of River's pgx pool.
func (m *Metrics) RiverPool(name string, pool *pgxpool.Pool) {
	if m == nil {
		return
	}
	m.pool(name, func() poolState {
		now := pool.Stat()
		return poolState{
			int(now.AcquiredConns()), int(now.IdleConns()), int(now.MaxConns()), now.EmptyAcquireCount(), now.EmptyAcquireWaitTime(),
		}
	})
}

// pool registers the metrics of a connection pool. Each metric calls now when it is read.
func (m *Metrics) pool(name string, now func() poolState) {
	gauge := func(metric, help string, labels prometheus.Labels, value func(poolState) int) {
		labels["pool"] = name
		m.registry.MustRegister(prometheus.NewGaugeFunc(
			prometheus.GaugeOpts{Name: metric, Help: help, ConstLabels: labels},
			func() float64 { return float64(value(now())) }))
	}
	const count = "Database connections by state."
	gauge("db_client_connection_count", count, prometheus.Labels{"state": "used"}, func(s poolState) int { return s.used })
	gauge("db_client_connection_count", count, prometheus.Labels{"state": "idle"}, func(s poolState) int { return s.idle })
	gauge("db_client_connection_max", "Maximum number of connections.", prometheus.Labels{}, func(s poolState) int { return s.most })
	counter := func(metric, help string, value func(poolState) float64) {
		m.registry.MustRegister(prometheus.NewCounterFunc(
			prometheus.CounterOpts{Name: metric, Help: help, ConstLabels: prometheus.Labels{"pool": name}},
			func() float64 { return value(now()) }))
	}
	counter("db_client_connection_waits_total", "How often a connection was waited for.",
		func(s poolState) float64 { return float64(s.waits) })
	counter("db_client_connection_wait_seconds_total", "Total time spent waiting for connections.",
		func(s poolState) float64 { return s.waited.Seconds() })
}
