package jobs

import (
	"sync"
	"time"

	"ticketgate/domain/webhook"
)

const (
	// crowdFrom is the number of recent first attempts at which a webhook moves to crowdQueue.
	crowdFrom = 500
	// crowdLeaves is the number by which a webhook's count decreases per second.
	crowdLeaves = 100
	// crowdsKnown is the number of counted webhooks at which those with a count of zero are removed.
	crowdsKnown = 10_000
)

// crowds counts the first attempts that this process enqueued for each webhook. A webhook with very many gets a
// separate queue, so that publishing a million events delays only the publisher's own deliveries.
type crowds struct {
	now func() time.Time

	mu        sync.Mutex
	byWebhook map[string]crowd
}

// crowd is the count of one webhook, as of a time.
type crowd struct {
	size float64
	at   time.Time
}

func newCrowds(now func() time.Time) *crowds {
	return &crowds{now: now, byWebhook: map[string]crowd{}}
}

// queueOf counts a delivery that becomes due and returns the queue for its job.
func (c *crowds) queueOf(wakeUp webhook.WakeUp) string {
	queue := laneQueues[wakeUp.Lane]
	if wakeUp.Lane == webhook.FirstLane && !wakeUp.HandOver && c.join(wakeUp.WebhookID) {
		queue = crowdQueue
	}
	return queue
}

// join counts a first attempt of a webhook and reports whether it belongs in crowdQueue.
func (c *crowds) join(webhookID string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	if len(c.byWebhook) >= crowdsKnown {
		c.forget(now)
	}
	joined := crowd{c.byWebhook[webhookID].left(now) + 1, now}
	c.byWebhook[webhookID] = joined
	return joined.size > crowdFrom
}

// left returns the count as of now.
func (c crowd) left(now time.Time) float64 {
	return max(0, c.size-now.Sub(c.at).Seconds()*crowdLeaves)
}

// forget removes webhooks whose count is zero. If none is, it removes all webhooks, to bound memory.
func (c *crowds) forget(now time.Time) {
	for id, known := range c.byWebhook {
		if known.left(now) == 0 {
			delete(c.byWebhook, id)
		}
	}
	if len(c.byWebhook) >= crowdsKnown {
		clear(c.byWebhook)
	}
}
