package telemetry

import (
	"context"
	"fmt"
	"time"

	"ticketgate/domain/moment"
	"ticketgate/domain/webhook"
	"ticketgate/jobs"
)

// Kinds of deliveries, as values of a label.
const (
	ofWebhook = "webhook"
	ofInvoice = "invoice"
)

// Attempts wraps the store of the webhook workers, so that attempts are counted when they are recorded.
func (m *Metrics) Attempts(store jobs.Store) jobs.Store {
	if m == nil {
		return store
	}
	return countedAttempts{store, m}
}

// Webhooks wraps the store of webhooks, so that deliveries that it cancels are counted.
func (m *Metrics) Webhooks(store webhook.Store) webhook.Store {
	if m == nil {
		return store
	}
	return countedWebhooks{store, m}
}

type countedWebhooks struct {
	webhook.Store
	metrics *Metrics
}

// CancelDeliveries cancels deliveries and counts them.
func (c countedWebhooks) CancelDeliveries(
	ctx context.Context, deleted webhook.Deleted, at moment.DateTime,
) ([]webhook.Recorded, error) {
	canceled, err := c.Store.CancelDeliveries(ctx, deleted, at)
	for _, recorded := range canceled {
		c.metrics.end(ofWebhook, recorded)
	}
	return canceled, err
}

// HandOvers is like Attempts, for invoice hand-overs.
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

// Record records attempts and counts those that were stored.
func (c countedAttempts) Record(ctx context.Context, endedAttempts []webhook.EndedAttempt) ([]webhook.Recorded, error) {
	recorded, err := c.Store.Record(ctx, endedAttempts)
	for i := range recorded {
		if recorded[i].OK {
			c.metrics.attempt(ofWebhook, endedAttempts[i].Attempt, recorded[i])
		}
	}
	return recorded, err
}

// Cancel cancels a delivery and counts it.
func (c countedAttempts) Cancel(ctx context.Context, of webhook.Delivery, at time.Time) (webhook.Recorded, error) {
	called, err := c.Store.Cancel(ctx, of, at)
	c.metrics.end(ofWebhook, called)
	return called, err
}

type countedHandOvers struct {
	jobs.HandOvers
	metrics *Metrics
}

// Record records an attempt and counts it if it was stored.
func (c countedHandOvers) Record(
	ctx context.Context, of webhook.Delivery, attempt webhook.Attempt, judge func(webhook.Delivery) webhook.Verdict,
) (webhook.Recorded, error) {
	recorded, err := c.HandOvers.Record(ctx, of, attempt, judge)
	if recorded.OK {
		c.metrics.attempt(ofInvoice, attempt, recorded)
	}
	return recorded, err
}

// Cancel cancels a hand-over and counts it.
func (c countedHandOvers) Cancel(ctx context.Context, of webhook.Delivery, at time.Time) (webhook.Recorded, error) {
	called, err := c.HandOvers.Cancel(ctx, of, at)
	c.metrics.end(ofInvoice, called)
	return called, err
}

// attempt counts an attempt and, if it ended its delivery, the end of the delivery.
func (m *Metrics) attempt(of string, attempt webhook.Attempt, recorded webhook.Recorded) {
	duration := time.Duration(attempt.DurationMS) * time.Millisecond
	m.attempts.WithLabelValues(of, attemptOutcome(attempt)).Observe(duration.Seconds())
	m.end(of, recorded)
}

// end counts the end of a delivery, if it has ended.
func (m *Metrics) end(of string, recorded webhook.Recorded) {
	if recorded.Ended != "" {
		m.ended.WithLabelValues(of, string(recorded.Ended)).Inc()
	}
}

// attemptOutcome returns "delivered", the kind of failure, or the class of an unsuccessful status.
func attemptOutcome(attempt webhook.Attempt) string {
	switch {
	case attempt.Success():
		return string(webhook.Delivered)
	case attempt.Failure != nil:
		return string(*attempt.Failure)
	case attempt.Status != nil:
		return fmt.Sprintf("status_%dxx", *attempt.Status/100)
	}
	return none
}
