package jobs

import (
	"sync"
	"time"

	"ticketgate/domain/webhook"
)

const (
	// bulkThreshold is the number of recent first attempts at which a webhook moves to bulkQueue.
	bulkThreshold = 500
	// bulkDecay is the number by which a webhook's count decreases per second.
	bulkDecay = 100
	// maxTracked is the number of counted webhooks at which those with a count of zero are removed.
	maxTracked = 10_000
)

// bulkDetector counts the first attempts that this process enqueued for each webhook. A webhook with very many gets a
// separate queue, so that publishing a million events delays only the publisher's own deliveries.
type bulkDetector struct {
	now func() time.Time

	mu        sync.Mutex
	byWebhook map[string]publishRate
}

// publishRate is the count of one webhook, as of a time.
type publishRate struct {
	size float64
	at   time.Time
}

func newBulkDetector(now func() time.Time) *bulkDetector {
	return &bulkDetector{now: now, byWebhook: map[string]publishRate{}}
}

// queueFor counts a delivery that becomes due and returns the queue for its job.
func (d *bulkDetector) queueFor(job webhook.Job) string {
	queue := riverQueues[job.Queue]
	if job.Queue == webhook.FirstQueue && !job.HandOver && d.isBulk(job.WebhookID) {
		queue = bulkQueue
	}
	return queue
}

// isBulk counts a first attempt of a webhook and reports whether it belongs in bulkQueue.
func (d *bulkDetector) isBulk(webhookID string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.now()
	if len(d.byWebhook) >= maxTracked {
		d.evict(now)
	}
	rate := publishRate{d.byWebhook[webhookID].decayed(now) + 1, now}
	d.byWebhook[webhookID] = rate
	return rate.size > bulkThreshold
}

// decayed returns the count as of now.
func (r publishRate) decayed(now time.Time) float64 {
	return max(0, r.size-now.Sub(r.at).Seconds()*bulkDecay)
}

// evict removes webhooks whose count is zero. If none is, it removes all webhooks, to bound memory.
func (d *bulkDetector) evict(now time.Time) {
	for id, rate := range d.byWebhook {
		if rate.decayed(now) == 0 {
			delete(d.byWebhook, id)
		}
	}
	if len(d.byWebhook) >= maxTracked {
		clear(d.byWebhook)
	}
}
