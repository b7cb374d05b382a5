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
	var errs domain.FieldErrors
	if f.State != "" {
		checkState(&errs, "state", f.State)
	}
	if f.Type != "" && !f.Type.Valid() {
		refuseType(&errs, "type", f.Type)
	}
	f.checkLists(&errs)
	if f.Outcome != "" && !isOutcome(f.Outcome) {
		errs.Add("outcome", "must be an HTTP status such as 503, or one of "+strings.Join(failures, ", "))
	}
	if f.ObjectID != "" {
		errs.Length("objectId", f.ObjectID, maxObjectID)
	}
	f.checkSpans(&errs)
	return errs.Err()
}

func (f DeliveryFilter) checkSpans(errs *domain.FieldErrors) {
	if f.From != nil && f.Until != nil && !f.From.Before(f.Until.Time) {
		errs.Add("until", "must be after from")
	}
	if f.CreatedFrom != nil && f.CreatedUntil != nil && !f.CreatedFrom.Before(f.CreatedUntil.Time) {
		errs.Add("createdUntil", "must be after createdFrom")
	}
	if f.FailedFrom != nil && f.FailedUntil != nil && !f.FailedFrom.Before(f.FailedUntil.Time) {
		errs.Add("failedUntil", "must be after failedFrom")
	}
}

func (f DeliveryFilter) checkLists(errs *domain.FieldErrors) {
	if errs.Values("stateIn", len(f.StateIn)) {
		for i, state := range f.StateIn {
			checkState(errs, domain.IndexPath("stateIn", i), state)
		}
	}
	if !errs.Values("typeIn", len(f.TypeIn)) {
		return
	}
	for i, kind := range f.TypeIn {
		if !kind.Valid() {
			refuseType(errs, domain.IndexPath("typeIn", i), kind)
		}
	}
}

func checkState(errs *domain.FieldErrors, path string, state State) {
	switch state {
	case Pending, Delivered, Failed, Canceled:
	default:
		errs.Add(path, "must be one of pending, delivered, failed, canceled")
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
