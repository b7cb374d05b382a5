package jobs

import (
	"strconv"
	"testing"
	"time"

	"ticketgate/domain/webhook"
)

// clock is a time that a test moves.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

// together counts how many of so many wake-ups that come at once stand in the crowd's queue.
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
		t.Errorf("%d of the first ones are a crowd", got)
	}
	for name, other := range map[string]webhook.WakeUp{
		"another webhook": {WebhookID: "v", Lane: webhook.FirstLane},
		"a retry":         {WebhookID: "w", Lane: webhook.RetryLane},
		"a wish":          {WebhookID: "w", Lane: webhook.ByHandLane},
		"an invoice":      {WebhookID: "w", Lane: webhook.FirstLane, HandOver: true},
	} {
		if got := c.queueOf(other); got != laneQueues[other.Lane] {
			t.Errorf("%s stands in %s", name, got)
		}
	}
	clock.at = clock.at.Add(time.Second)
	if got := together(c, first, crowdLeaves); got != 7 {
		t.Errorf("after a second %d are a crowd", got)
	}
	clock.at = clock.at.Add(time.Minute)
	if got := together(c, first, crowdFrom); got != 0 {
		t.Errorf("after a minute %d are a crowd", got)
	}
}

// However many webhooks there are, few of them are remembered.
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
		t.Errorf("%d are known", len(c.byWebhook))
	}
	for i := range crowdsKnown { // all at the same time
		c.join(strconv.Itoa(i))
	}
	if len(c.byWebhook) > crowdsKnown {
		t.Errorf("%d are known", len(c.byWebhook))
	}
}
