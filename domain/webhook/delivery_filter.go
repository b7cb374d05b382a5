package webhook

import (
	"regexp"
	"slices"
	"strings"

	"ticketgate/domain"
	"ticketgate/domain/moment"
)

// DeliveryFilter narrows a list of deliveries. A zero field does not filter.
type DeliveryFilter struct {
	WebhookID string             `graphql:"webhookId"`
	State     State              `graphql:"state"`
	StateIn   []State            `graphql:"stateIn"` // one of these
	Type      domain.EventType   `graphql:"type"`
	TypeIn    []domain.EventType `graphql:"typeIn"` // one of these
	// Outcome is the result of the latest call, see Attempt.Outcome.
	Outcome string `graphql:"outcome"`
	// ObjectID is the _id of the event's resource.
	ObjectID string           `graphql:"objectId"`
	From     *moment.DateTime `graphql:"from"`  // of the event, inclusive
	Until    *moment.DateTime `graphql:"until"` // exclusive
	// CreatedFrom and CreatedUntil replace From and Until, which are deprecated.
	CreatedFrom  *moment.DateTime `graphql:"createdFrom"`
	CreatedUntil *moment.DateTime `graphql:"createdUntil"`
	// FailedFrom (inclusive) and FailedUntil (exclusive) bound FailedAt.
	FailedFrom  *moment.DateTime `graphql:"failedFrom"`
	FailedUntil *moment.DateTime `graphql:"failedUntil"`
}

var statusPattern = regexp.MustCompile(`^[1-9][0-9]{2}$`)

// isOutcome reports whether text is an HTTP status or a kind of failure.
func isOutcome(text string) bool {
	return statusPattern.MatchString(text) || slices.Contains(failures, text)
}

// Check returns all errors of the filter, with the paths of its fields.
func (f DeliveryFilter) Check() error {
	var problems domain.Problems
	if f.State != "" {
		checkState(&problems, "state", f.State)
	}
	if f.Type != "" && !f.Type.Valid() {
		refuseType(&problems, "type", f.Type)
	}
	f.checkLists(&problems)
	if f.Outcome != "" && !isOutcome(f.Outcome) {
		problems.Add("outcome", "must be an HTTP status such as 503, or one of "+strings.Join(failures, ", "))
	}
	if f.ObjectID != "" {
		problems.Length("objectId", f.ObjectID, maxObjectID)
	}
	f.checkSpans(&problems)
	return problems.Err()
}

func (f DeliveryFilter) checkSpans(problems *domain.Problems) {
	if f.From != nil && f.Until != nil && !f.From.Before(f.Until.Time) {
		problems.Add("until", "must be after from")
	}
	if f.CreatedFrom != nil && f.CreatedUntil != nil && !f.CreatedFrom.Before(f.CreatedUntil.Time) {
		problems.Add("createdUntil", "must be after createdFrom")
	}
	if f.FailedFrom != nil && f.FailedUntil != nil && !f.FailedFrom.Before(f.FailedUntil.Time) {
		problems.Add("failedUntil", "must be after failedFrom")
	}
}

func (f DeliveryFilter) checkLists(problems *domain.Problems) {
	if problems.Values("stateIn", len(f.StateIn)) {
		for i, state := range f.StateIn {
			checkState(problems, domain.IndexPath("stateIn", i), state)
		}
	}
	if !problems.Values("typeIn", len(f.TypeIn)) {
		return
	}
	for i, kind := range f.TypeIn {
		if !kind.Valid() {
			refuseType(problems, domain.IndexPath("typeIn", i), kind)
		}
	}
}

func checkState(problems *domain.Problems, path string, state State) {
	switch state {
	case Pending, Delivered, Failed, Canceled:
	default:
		problems.Add(path, "must be one of pending, delivered, failed, canceled")
	}
}

// Admits reports whether deliveries in this state can match.
func (f DeliveryFilter) Admits(state State) bool {
	return (f.State == "" || f.State == state) && (len(f.StateIn) == 0 || slices.Contains(f.StateIn, state))
}

// checkPage checks the filter and then the page's cursor.
func (f DeliveryFilter) checkPage(page domain.Page) error {
	if err := f.Check(); err != nil {
		return err
	}
	if page.After != nil && !isID(page.After.ID) {
		return domain.Invalid("after", domain.NotACursor)
	}
	return nil
}
