package domain

import (
	"context"
	"slices"
	"time"

	"ticketgate/domain/moment"
)

// Precondition is the If-Match header of a request: the state that its record must have.
type Precondition struct {
	// Any is true for "*", which matches every state.
	Any bool
	// Tags are the strong entity tags, without quotes.
	Tags []string
}

// Unchanged returns an error if the record is no longer as the caller saw it: CONFLICT if expected differs from
// updatedAt, PRECONDITION_FAILED if the request's If-Match names another state. It is called under the record's lock,
// so of two callers who saw the same state only one changes the record (BODY-2).
func Unchanged(ctx context.Context, expected *moment.DateTime, updatedAt moment.DateTime) error {
	if expected != nil && !expected.Equal(updatedAt.Time) {
		return changedMeanwhile(CodeConflict, updatedAt)
	}
	required := CallOf(ctx).IfMatch
	if required != nil && !required.Any && !slices.Contains(required.Tags, updatedAt.String()) {
		return changedMeanwhile(CodePreconditionFailed, updatedAt)
	}
	return nil
}

func changedMeanwhile(code Code, updatedAt moment.DateTime) *Error {
	return NewError(code, "This record was changed at "+updatedAt.String()+"; read it again, then repeat the change")
}

// NextUpdate returns the new updatedAt of a record that changes now. It is always later than the previous one, even
// within the same millisecond or after the clock was set back, because updatedAt identifies the record's state.
func NextUpdate(now time.Time, before moment.DateTime) moment.DateTime {
	next := moment.New(now)
	if !next.After(before.Time) {
		next = moment.New(before.Add(time.Millisecond))
	}
	return next
}
