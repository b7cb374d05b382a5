package domain

import (
	"context"
	"slices"
	"time"

	"ticketgate/domain/moment"
)

// Precondition is the header If-Match of a request: the state in which its record must be.
type Precondition struct {
	// Any is "*": every state will do.
	Any bool
	// Tags are the strong entity tags, without their quotes.
	Tags []string
}

// Unchanged refuses to change a record that is no longer as the caller saw it: CONFLICT if the input has another
// expectedUpdatedAt, PRECONDITION_FAILED if the request's If-Match names another state. Operations call it under the
// record's lock, so that of two callers who saw the same state one changes the record (BODY-2).
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

// NextUpdate returns the updatedAt of a record that changes now. It is later than the one before, even within the same
// millisecond or by a clock that was set back: updatedAt names the record's state.
func NextUpdate(now time.Time, before moment.DateTime) moment.DateTime {
	next := moment.New(now)
	if !next.After(before.Time) {
		next = moment.New(before.Add(time.Millisecond))
	}
	return next
}
