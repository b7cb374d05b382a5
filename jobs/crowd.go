package jobs

import (
	"sync"
	"time"

	"ticketgate/domain/webhook"
)

const (
	// crowdFrom is how many first attempts a webhook may be given at once before it has a crowd.
	crowdFrom = 500
	// crowdLeaves is how many of a crowd are forgotten in a second.
	crowdLeaves = 100
	// crowdsKnown is from how many webhooks on those without a crowd are forgotten.
	crowdsKnown = 10_000
)

// crowds know which webhooks this process has given very many first attempts. These have a queue of their own: whoever
// publishes a million events at once waits for them, and nobody else does.
type crowds struct {
	now func() time.Time

	mu        sync.Mutex
	byWebhook map[string]crowd
}

// crowd is how many there were at a time.
type crowd struct {
	size float64
	at   time.Time
}

func newCrowds(now func() time.Time) *crowds {
	return &crowds{now: now, byWebhook: map[string]crowd{}}
}

// queueOf counts a wake-up, and tells in which queue its job stands.
func (c *crowds) queueOf(wakeUp webhook.WakeUp) string {
	queue := laneQueues[wakeUp.Lane]
	if wakeUp.Lane == webhook.FirstLane && !wakeUp.HandOver && c.join(wakeUp.WebhookID) {
		queue = crowdQueue
	}
	return queue
}

// join adds one to a webhook's crowd, and tells whether it is one.
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

// left is what is left of a crowd.
func (c crowd) left(now time.Time) float64 {
	return max(0, c.size-now.Sub(c.at).Seconds()*crowdLeaves)
}

// forget keeps the webhooks that have any crowd left; should all of them, they begin anew.
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
