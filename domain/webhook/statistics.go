package webhook

import (
	"slices"
	"strings"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
)

// Period is how far statistics look back.
type Period string

// The periods: an hour, a day, a week.
const (
	Hour Period = "HOUR"
	Day  Period = "DAY"
	Week Period = "WEEK"
)

// Names lists the periods.
func (Period) Names() []string { return []string{string(Hour), string(Day), string(Week)} }

// step is the length of a step of the period's series, and how many there are.
func (p Period) step() (length time.Duration, steps int) {
	switch p {
	case Hour:
		return Slot, 12
	case Week:
		return 6 * time.Hour, 28
	case Day:
	}
	return time.Hour, 24
}

// window is from when until when the period looks, seen from a moment: whole slots, the running one included.
func (p Period) window(now time.Time) (from, until time.Time) {
	length, steps := p.step()
	until = now.UTC().Truncate(Slot).Add(Slot)
	return until.Add(-length * time.Duration(steps)), until
}

func (p Period) check() error {
	if !slices.Contains(p.Names(), string(p)) {
		return domain.Invalid("period", "must be one of "+strings.Join(p.Names(), ", "))
	}
	return nil
}

// WebhookFigures are a webhook with the figures of a period (spec 6.2.8).
type WebhookFigures struct { //nolint:revive // its name in GraphQL; Figures are those of any calls
	PeriodFigures
	Webhook Webhook
}

// PeriodFigures are the figures of a webhook in a period.
type PeriodFigures struct {
	Figures
	// LastDeliveryAt is when its newest delivery was made, however long ago; absent when there is none.
	LastDeliveryAt *moment.DateTime
}

// ID is the webhook's.
func (w WebhookFigures) ID() string { return w.Webhook.ID }

// Statistics are all figures of a webhook in a period.
type Statistics struct {
	Step
	WebhookID string
	// ByType and ByOutcome part the calls, the most frequent first.
	ByType    []Share
	ByOutcome []Share
	// Series parts the period into steps, the oldest first; those without a call are there as well.
	Series []Step
}

// Share are the calls that have an event type, or an outcome, in common.
type Share struct {
	Figures
	Value string
}

// Step are the calls of a time.
type Step struct {
	Figures
	From  moment.DateTime
	Until moment.DateTime
	Times ResponseTimes
}

// P50MS is the median response time in milliseconds; without a call there is none.
func (s Step) P50MS() *int { return s.Times.Percentile(50) }

// P95MS is what 95 percent of the response times did not exceed; without a call there is none.
func (s Step) P95MS() *int { return s.Times.Percentile(95) }

// StatisticsQuery is what statistics are made of: the slots of a seller's webhooks from a time on, gathered in steps.
type StatisticsQuery struct {
	SellerID   ids.Seller
	WebhookIDs []string
	From       time.Time
	Step       time.Duration
	Steps      int
}

// CountedStep are the figures of a step, of all calls or of a part of them.
type CountedStep struct {
	Counted
	// Step is the number of the step, from 0.
	Step int
}

// newStatistics joins what was counted of a webhook in a period.
func newStatistics(webhookID string, q StatisticsQuery, counted []CountedStep) Statistics {
	all := Statistics{WebhookID: webhookID, Step: newStep(q.From, q.Step*time.Duration(q.Steps))}
	for i := range q.Steps {
		all.Series = append(all.Series, newStep(q.From.Add(q.Step*time.Duration(i)), q.Step))
	}
	types, outcomes := map[string]Figures{}, map[string]Figures{}
	for _, c := range counted {
		switch c.Part {
		case ByType:
			types[c.Value] = types[c.Value].Plus(c.Figures)
		case ByOutcome:
			outcomes[c.Value] = outcomes[c.Value].Plus(c.Figures)
		case AllCalls:
			all.add(c)
			if c.Step >= 0 && c.Step < q.Steps {
				all.Series[c.Step].add(c)
			}
		}
	}
	all.ByType, all.ByOutcome = sharesOf(types), sharesOf(outcomes)
	return all
}

func newStep(from time.Time, length time.Duration) Step {
	return Step{From: moment.New(from), Until: moment.New(from.Add(length))}
}

func (s *Step) add(c CountedStep) {
	s.Figures, s.Times = s.Plus(c.Figures), s.Times.Plus(c.Times)
}

// sharesOf lists the most frequent first, and by name what is as frequent.
func sharesOf(figures map[string]Figures) []Share {
	shares := make([]Share, 0, len(figures))
	for value, f := range figures {
		shares = append(shares, Share{f, value})
	}
	slices.SortFunc(shares, func(a, b Share) int {
		if a.Calls != b.Calls {
			return b.Calls - a.Calls
		}
		return strings.Compare(a.Value, b.Value)
	})
	return shares
}
