package telemetry

import (
	"context"
	"fmt"
	"time"

	"ticketgate/domain/webhook"
	"ticketgate/jobs"
)

// What is delivered.
const (
	ofWebhook = "webhook"
	ofInvoice = "invoice"
)

// Attempts watches the database of the worker that makes webhook calls: what is recorded is what was made.
func (m *Metrics) Attempts(store jobs.Store) jobs.Store {
	if m == nil {
		return store
	}
	return countedAttempts{store, m}
}

// HandOvers is Attempts for invoices.
func (m *Metrics) HandOvers(store jobs.HandOvers) jobs.HandOvers {
	if m == nil {
		return store
	}
	return countedHandOvers{store, m}
}

type countedAttempts struct {
	jobs.Store
	metrics *Metrics
}

// Record counts the attempts that were stored.
func (c countedAttempts) Record(ctx context.Context, made []webhook.Made) ([]webhook.Recorded, error) {
	recorded, err := c.Store.Record(ctx, made)
	for i := range recorded {
		if recorded[i].OK {
			c.metrics.attempt(ofWebhook, made[i].Attempt, recorded[i].After)
		}
	}
	return recorded, err
}

// Cancel counts a delivery that nobody wants.
func (c countedAttempts) Cancel(ctx context.Context, of webhook.Delivery, at time.Time) (bool, error) {
	canceled, err := c.Store.Cancel(ctx, of, at)
	if canceled {
		c.metrics.ended.WithLabelValues(ofWebhook, string(of.Cancel(at).State)).Inc()
	}
	return canceled, err
}

type countedHandOvers struct {
	jobs.HandOvers
	metrics *Metrics
}

// Record counts an attempt that was stored.
func (c countedHandOvers) Record(
	ctx context.Context, of webhook.Delivery, attempt webhook.Attempt, judge func(webhook.Delivery) webhook.Verdict,
) (webhook.Delivery, bool, error) {
	after, recorded, err := c.HandOvers.Record(ctx, of, attempt, judge)
	if recorded {
		c.metrics.attempt(ofInvoice, attempt, after)
	}
	return after, recorded, err
}

// Cancel counts a hand-over that nobody wants.
func (c countedHandOvers) Cancel(ctx context.Context, of webhook.Delivery, at time.Time) (bool, error) {
	canceled, err := c.HandOvers.Cancel(ctx, of, at)
	if canceled {
		c.metrics.ended.WithLabelValues(ofInvoice, string(of.Cancel(at).State)).Inc()
	}
	return canceled, err
}

// attempt counts one call and, when it was the last, the end of its delivery.
func (m *Metrics) attempt(of string, made webhook.Attempt, after webhook.Delivery) {
	duration := time.Duration(made.DurationMS) * time.Millisecond
	m.attempts.WithLabelValues(of, attemptOutcome(made)).Observe(duration.Seconds())
	if after.State != webhook.Pending {
		m.ended.WithLabelValues(of, string(after.State)).Inc()
	}
}

// attemptOutcome is delivered, the kind of failure, or the class of the status that was no success.
func attemptOutcome(made webhook.Attempt) string {
	switch {
	case made.Success():
		return string(webhook.Delivered)
	case made.Failure != nil:
		return string(*made.Failure)
	case made.Status != nil:
		return fmt.Sprintf("status_%dxx", *made.Status/100)
	}
	return none
}
