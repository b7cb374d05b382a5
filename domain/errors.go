package domain

import (
	"errors"
	"time"

	"ticketgate/domain/texts"
)

// Code is the stable identifier of a kind of failure: `code` in REST, `extensions.code` in GraphQL.
type Code string

// The error codes. graph/edge/status.go maps each to its HTTP status.
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
	CodeAnsweredBefore       Code = "ANSWERED_BEFORE" // replaced by the stored response in both APIs; never shown
	CodePayloadTooLarge      Code = "PAYLOAD_TOO_LARGE"
	CodeUnsupportedMediaType Code = "UNSUPPORTED_MEDIA_TYPE"
	CodeRateLimited          Code = "RATE_LIMITED"
	CodeInternal             Code = "INTERNAL"
	CodeUnavailable          Code = "UNAVAILABLE"
	CodeListUnavailable      Code = "LIST_UNAVAILABLE"
)

// Codes returns every code. Tests use it to check that both APIs map all of them.
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

// Error is the only error that callers see. Message is safe to show and says what to do. The cause is only logged.
type Error struct {
	Code    Code
	Message string
	// Fields names every invalid field of the input, once each.
	Fields []FieldError
	// RetryAfter is how long to wait before the next try. Zero means unspecified.
	RetryAfter time.Duration
	// Cluster is the name of the cluster that serves the seller. See Elsewhere.
	Cluster string
	cause   error
}

// Error returns the message for the caller.
func (e *Error) Error() string { return e.Message }

// Unwrap returns the cause, which is never shown to callers.
func (e *Error) Unwrap() error { return e.cause }

// NewError returns an error with the code and message.
func NewError(code Code, message string) *Error {
	return &Error{Code: code, Message: texts.Shorten(message, maxMessageShown)}
}

// NotFound returns the error for a record that does not exist for this caller. A record of another seller gets the same
// message (AUTH-2).
func NotFound(what string) *Error {
	return NewError(CodeNotFound, what+" not found")
}

// Forbidden returns the error for a known caller without the right.
func Forbidden(message string) *Error { return NewError(CodeForbidden, message) }

// InvalidState returns the error for a change that the record's state does not allow.
func InvalidState(message string) *Error { return NewError(CodeInvalidState, message) }

// Unauthenticated returns the error for a call without a valid credential.
func Unauthenticated(message string) *Error { return NewError(CodeUnauthenticated, message) }

// BadKeyMessage is the message for every kind of invalid key, so that a caller can't tell them apart.
const BadKeyMessage = "API key not found or expired"

// Unavailable returns the error for a database that can't be reached.
func Unavailable(cause error) *Error {
	return &Error{
		Code:       CodeUnavailable,
		Message:    "The service is temporarily unavailable. Try again",
		RetryAfter: 2 * time.Second,
		cause:      cause,
	}
}

// Elsewhere returns the error for a seller that another cluster serves. The call has changed nothing here. cluster is
// empty while the seller is being moved.
func Elsewhere(cluster string) *Error {
	return &Error{
		Code: CodeUnavailable, Message: "The seller is being moved to another cluster. Try again", RetryAfter: time.Second,
		Cluster: cluster,
	}
}

// RateLimited returns the error for a caller that must wait.
func RateLimited(wait time.Duration) *Error {
	return &Error{Code: CodeRateLimited, Message: "Too many requests. Try again later", RetryAfter: wait}
}

// Internal returns an error that hides its cause from the caller.
func Internal(cause error) *Error {
	return &Error{Code: CodeInternal, Message: "Internal error", cause: cause}
}

// AsError returns the *Error in err's chain, or an INTERNAL error with err as its cause.
func AsError(err error) *Error {
	if known, ok := errors.AsType[*Error](err); ok {
		return known
	}
	return Internal(err)
}

// HasCode reports whether err is an *Error with the code.
func HasCode(err error, code Code) bool {
	known, ok := errors.AsType[*Error](err)
	return ok && known.Code == code
}
