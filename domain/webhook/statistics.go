package webhook

import (
	"slices"
	"strings"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
)

// Period is the length of time that statistics cover.
type Period string

// The periods.
const (
	Hour Period = "HOUR"
	Day  Period = "DAY"
	Week Period = "WEEK"
)

// Names returns all periods.
func (Period) Names() []string { return []string{string(Hour), string(Day), string(Week)} }

// step returns the length and number of the steps of the period's series.
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

// window returns the start and end of the period at now. It consists of whole slots, the current one included.
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

// WebhookFigures is a webhook with its figures in a period.
type WebhookFigures struct { //nolint:revive // its name in GraphQL; Figures are the figures of any calls
	PeriodFigures
	Webhook Webhook
}

// PeriodFigures holds the figures of a webhook in a period.
type PeriodFigures struct {
	Figures
	// LastDeliveryAt is when its newest delivery was created, at any time. It is nil if there is none.
	LastDeliveryAt *moment.DateTime
}

// ID returns the id of the webhook.
func (w WebhookFigures) ID() string { return w.Webhook.ID }

// Statistics holds all figures of a webhook in a period.
type Statistics struct {
	Step
	WebhookID string
	// ByType and ByOutcome break down the calls, most frequent first.
	ByType    []Share
	ByOutcome []Share
	// Series divides the period into steps, oldest first. It includes steps without calls.
	Series []Step
}

// Share holds the figures of the calls with one event type or outcome.
type Share struct {
	Figures
	Value string
}

// Step holds the figures of the calls in a span of time.
type Step struct {
	Figures
	From  moment.DateTime
	Until moment.DateTime
	Times ResponseTimes
}

// P50MS returns the median response time in milliseconds, or nil without calls.
func (s Step) P50MS() *int { return s.Times.Percentile(50) }

// P95MS returns the 95th percentile of the response times in milliseconds, or nil without calls.
func (s Step) P95MS() *int { return s.Times.Percentile(95) }

// StatisticsQuery selects the slots of a seller's webhooks from a time on, grouped into steps.
type StatisticsQuery struct {
	SellerID   ids.Seller
	WebhookIDs []string
	From       time.Time
	Step       time.Duration
	Steps      int
}

// CountedStep holds the figures of a step, for one part of the calls.
type CountedStep struct {
	Counted
	// Step is the index of the step, from 0.
	Step int
}

// newStatistics combines the counts of a webhook in a period.
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

// sharesOf returns the shares sorted by number of calls, most frequent first, and then by name.
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
