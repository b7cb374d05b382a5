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

// together enqueues the given number of wake-ups at once and returns how many went to the bulk queue.
func together(c *crowds, wakeUp webhook.WakeUp, number int) (crowded int) {
	for range number {
		if c.queueOf(wakeUp) == crowdQueue {
			crowded++
		}
	}
	return crowded
}

func TestACrowdHasAQueueOfItsOwn(t *testing.T) {
	t.Parallel()
	clock := &clock{time.Unix(0, 0)}
	c := newCrowds(clock.now)
	first := webhook.WakeUp{WebhookID: "w", Lane: webhook.FirstLane}
	if got := together(c, first, crowdFrom+7); got != 7 {
		t.Errorf("%d of the first ones are in the bulk queue", got)
	}
	for name, other := range map[string]webhook.WakeUp{
		"another webhook": {WebhookID: "v", Lane: webhook.FirstLane},
		"a retry":         {WebhookID: "w", Lane: webhook.RetryLane},
		"a wish":          {WebhookID: "w", Lane: webhook.ByHandLane},
		"an invoice":      {WebhookID: "w", Lane: webhook.FirstLane, HandOver: true},
	} {
		if got := c.queueOf(other); got != laneQueues[other.Lane] {
			t.Errorf("%s is in queue %s", name, got)
		}
	}
	clock.at = clock.at.Add(time.Second)
	if got := together(c, first, crowdLeaves); got != 7 {
		t.Errorf("after a second %d are in the bulk queue", got)
	}
	clock.at = clock.at.Add(time.Minute)
	if got := together(c, first, crowdFrom); got != 0 {
		t.Errorf("after a minute %d are in the bulk queue", got)
	}
}

// The number of counted webhooks is bounded.
func TestCrowdsForgetWhatIsNone(t *testing.T) {
	t.Parallel()
	clock := &clock{time.Unix(0, 0)}
	c := newCrowds(clock.now)
	for i := range crowdsKnown {
		c.join(strconv.Itoa(i))
	}
	clock.at = clock.at.Add(time.Second)
	together(c, webhook.WakeUp{WebhookID: "big"}, 2*crowdFrom)
	if len(c.byWebhook) != 1 || !c.join("big") {
		t.Errorf("%d webhooks are counted", len(c.byWebhook))
	}
	for i := range crowdsKnown { // all at the same time
		c.join(strconv.Itoa(i))
	}
	if len(c.byWebhook) > crowdsKnown {
		t.Errorf("%d webhooks are counted", len(c.byWebhook))
	}
}
