package jobs

import (
	"sync"
	"time"

	"ticketgate/domain/webhook"
)

const (
	// crowdFrom is the number of first attempts at once from which a webhook is a crowd.
	crowdFrom = 500
	// crowdLeaves is how many first attempts leave a webhook's count per second.
	crowdLeaves = 100
	// crowdsKnown is the number of known webhooks at which those with an empty count are removed.
	crowdsKnown = 10_000
)

// crowds count the first attempts that this process enqueued for each webhook. A webhook with very many uses a queue
// of its own, so that publishing a million events delays only the publisher's own deliveries.
type crowds struct {
	now func() time.Time

	mu        sync.Mutex
	byWebhook map[string]crowd
}

// crowd is a webhook's count at a time.
type crowd struct {
	size float64
	at   time.Time
}

func newCrowds(now func() time.Time) *crowds {
	return &crowds{now: now, byWebhook: map[string]crowd{}}
}

// queueOf counts a wake-up and returns the queue for its job.
func (c *crowds) queueOf(wakeUp webhook.WakeUp) string {
	queue := laneQueues[wakeUp.Lane]
	if wakeUp.Lane == webhook.FirstLane && !wakeUp.HandOver && c.join(wakeUp.WebhookID) {
		queue = crowdQueue
	}
	return queue
}

// join counts a first attempt of a webhook and reports whether the webhook is a crowd.
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

// left returns the count after what has left it by now.
func (c crowd) left(now time.Time) float64 {
	return max(0, c.size-now.Sub(c.at).Seconds()*crowdLeaves)
}

// forget removes webhooks whose count is empty. If there are none, it removes all.
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
