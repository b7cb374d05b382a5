package jobs

import (
	"strconv"
	"testing"
	"time"

	"ticketgate/domain/webhook"
)

// clock is a time that the test moves.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

// together enqueues the given number of jobs at once and returns how many went to the bulk queue.
func together(d *bulkDetector, job webhook.Job, number int) (bulk int) {
	for range number {
		if d.queueFor(job) == bulkQueue {
			bulk++
		}
	}
	return bulk
}

func TestBulkDeliveriesHaveASeparateQueue(t *testing.T) {
	t.Parallel()
	clock := &clock{time.Unix(0, 0)}
	d := newBulkDetector(clock.now)
	first := webhook.Job{WebhookID: "w", Queue: webhook.FirstQueue}
	if got := together(d, first, bulkThreshold+7); got != 7 {
		t.Errorf("%d of the first ones are in the bulk queue", got)
	}
	for name, other := range map[string]webhook.Job{
		"another webhook": {WebhookID: "v", Queue: webhook.FirstQueue},
		"a retry":         {WebhookID: "w", Queue: webhook.RetryQueue},
		"a manual retry":  {WebhookID: "w", Queue: webhook.ManualQueue},
		"an invoice":      {WebhookID: "w", Queue: webhook.FirstQueue, HandOver: true},
	} {
		if got := d.queueFor(other); got != riverQueues[other.Queue] {
			t.Errorf("%s is in queue %s", name, got)
		}
	}
	clock.at = clock.at.Add(time.Second)
	if got := together(d, first, bulkDecay); got != 7 {
		t.Errorf("after a second %d are in the bulk queue", got)
	}
	clock.at = clock.at.Add(time.Minute)
	if got := together(d, first, bulkThreshold); got != 0 {
		t.Errorf("after a minute %d are in the bulk queue", got)
	}
}

// The number of counted webhooks is bounded.
func TestTheBulkDetectorIsBounded(t *testing.T) {
	t.Parallel()
	clock := &clock{time.Unix(0, 0)}
	d := newBulkDetector(clock.now)
	for i := range maxTracked {
		d.isBulk(strconv.Itoa(i))
	}
	clock.at = clock.at.Add(time.Second)
	together(d, webhook.Job{WebhookID: "big"}, 2*bulkThreshold)
	if len(d.byWebhook) != 1 || !d.isBulk("big") {
		t.Errorf("%d webhooks are counted", len(d.byWebhook))
	}
	for i := range maxTracked { // all at the same time
		d.isBulk(strconv.Itoa(i))
	}
	if len(d.byWebhook) > maxTracked {
		t.Errorf("%d webhooks are counted", len(d.byWebhook))
	}
}
