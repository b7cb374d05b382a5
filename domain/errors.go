package domain

import (
	"errors"
	"time"

	"ticketgate/domain/texts"
)

// Code is the stable word that names a kind of failure in both doors: `code` in REST, `extensions.code` in
// GraphQL (decisions 2.1, 2.2).
type Code string

// The codes a caller may meet. graph/edge/status.go maps each to its status.
const (
	CodeInvalidRequest       Code = "INVALID_REQUEST"
	CodeValidationFailed     Code = "VALIDATION_FAILED"
	CodeAPIKeyLimitReached   Code = "API_KEY_LIMIT_REACHED"
	CodeEntryAlreadyInList   Code = "ENTRY_ALREADY_IN_LIST"
	CodeUnknownCode          Code = "UNKNOWN_CODE"
	CodeNoTicketForEvent     Code = "NO_TICKET_FOR_EVENT"
	CodeUnauthenticated      Code = "UNAUTHENTICATED"
	CodeMissingPermission    Code = "MISSING_PERMISSION"
	CodeForbidden            Code = "FORBIDDEN"
	CodeFeatureNotEnabled    Code = "FEATURE_NOT_ENABLED"
	CodeCrossOrigin          Code = "CROSS_ORIGIN_REFUSED"
	CodeNotFound             Code = "NOT_FOUND"
	CodeFeedExpired          Code = "FEED_EXPIRED"
	CodeMethodNotAllowed     Code = "METHOD_NOT_ALLOWED"
	CodeInvalidState         Code = "INVALID_STATE"
	CodeConflict             Code = "CONFLICT"
	CodePreconditionFailed   Code = "PRECONDITION_FAILED"
	CodeIdempotencyKeyReused Code = "IDEMPOTENCY_KEY_REUSED"
	CodeAnsweredBefore       Code = "ANSWERED_BEFORE" // the doors answer it with the first answer; never shown
	CodePayloadTooLarge      Code = "PAYLOAD_TOO_LARGE"
	CodeUnsupportedMediaType Code = "UNSUPPORTED_MEDIA_TYPE"
	CodeRateLimited          Code = "RATE_LIMITED"
	CodeInternal             Code = "INTERNAL"
	CodeUnavailable          Code = "UNAVAILABLE"
	CodeListUnavailable      Code = "LIST_UNAVAILABLE"
)

// Codes lists every code, for the tests that each door maps all of them.
func Codes() []Code {
	return []Code{
		CodeInvalidRequest, CodeValidationFailed, CodeAPIKeyLimitReached, CodeEntryAlreadyInList,
		CodeUnknownCode, CodeNoTicketForEvent,
		CodeUnauthenticated, CodeMissingPermission, CodeForbidden, CodeFeatureNotEnabled, CodeCrossOrigin,
		CodeNotFound, CodeFeedExpired, CodeMethodNotAllowed, CodeInvalidState, CodeConflict, CodePreconditionFailed,
		CodeIdempotencyKeyReused, CodeAnsweredBefore,
		CodePayloadTooLarge,
		CodeUnsupportedMediaType, CodeRateLimited, CodeInternal, CodeUnavailable, CodeListUnavailable,
	}
}

// Error is the only error a caller may see. Message is safe to show and says what to do; the cause is for the
// log alone.
type Error struct {
	Code    Code
	Message string
	// Fields names what is wrong with the input, one entry a field (decisions 2.1).
	Fields []FieldError
	// RetryAfter is how long to wait before trying again; zero says nothing about it.
	RetryAfter time.Duration
	// Cluster names the cluster that serves the seller instead of this one, see Elsewhere.
	Cluster string
	cause   error
}

// Error returns the message that may be shown.
func (e *Error) Error() string { return e.Message }

// Unwrap returns the cause, which is never shown to a caller.
func (e *Error) Unwrap() error { return e.cause }

// NewError makes an error of a code with its message.
func NewError(code Code, message string) *Error {
	return &Error{Code: code, Message: texts.Shorten(message, maxMessageShown)}
}

// NotFound says that there is no such object for this caller; another seller's object gets the same words
// (decisions 2.3).
func NotFound(what string) *Error {
	return NewError(CodeNotFound, what+" not found")
}

// Forbidden says that the caller is known but may not do this.
func Forbidden(message string) *Error { return NewError(CodeForbidden, message) }

// InvalidState says that the object's state does not allow the move (decisions 2.3).
func InvalidState(message string) *Error { return NewError(CodeInvalidState, message) }

// Unauthenticated says that no valid credential came with the call.
func Unauthenticated(message string) *Error { return NewError(CodeUnauthenticated, message) }

// BadKeyMessage is the one text for every kind of bad key (decisions 2.3).
const BadKeyMessage = "API key not found or expired"

// Unavailable says that the database can't be reached and when to come back.
func Unavailable(cause error) *Error {
	return &Error{
		Code:       CodeUnavailable,
		Message:    "The service is temporarily unavailable; please try again",
		RetryAfter: 2 * time.Second,
		cause:      cause,
	}
}

// Elsewhere says that another cluster serves the seller, before anything was done here. The cluster is empty while the seller is
// being moved.
func Elsewhere(cluster string) *Error {
	return &Error{
		Code: CodeUnavailable, Message: "The seller is being moved to another cluster; please try again", RetryAfter: time.Second,
		Cluster: cluster,
	}
}

// RateLimited says that the caller must wait.
func RateLimited(wait time.Duration) *Error {
	return &Error{Code: CodeRateLimited, Message: "Too many requests; please try again later", RetryAfter: wait}
}

// Internal hides a cause that no caller should see.
func Internal(cause error) *Error {
	return &Error{Code: CodeInternal, Message: "Internal error", cause: cause}
}

// AsError returns the error as a caller may see it: itself when it is one of ours, INTERNAL otherwise.
func AsError(err error) *Error {
	if known, ok := errors.AsType[*Error](err); ok {
		return known
	}
	return Internal(err)
}

// HasCode tells whether the error is one of ours with this code.
func HasCode(err error, code Code) bool {
	known, ok := errors.AsType[*Error](err)
	return ok && known.Code == code
}
