package edge

import (
	"net/http"
	"strconv"
	"time"

	"ticketgate/domain"
)

// statusOf is the one table from an error code to its status, in both APIs (EDGE-1).
var statusOf = map[domain.Code]int{
	domain.CodeInvalidRequest:       http.StatusBadRequest,
	domain.CodeValidationFailed:     http.StatusBadRequest,
	domain.CodeAPIKeyLimitReached:   http.StatusBadRequest,
	domain.CodeEntryAlreadyInList:   http.StatusBadRequest,
	domain.CodeUnknownCode:          http.StatusNotFound,
	domain.CodeNoTicketForEvent:     http.StatusNotFound,
	domain.CodeUnauthenticated:      http.StatusUnauthorized,
	domain.CodeMissingPermission:    http.StatusForbidden,
	domain.CodeForbidden:            http.StatusForbidden,
	domain.CodeFeatureNotEnabled:    http.StatusForbidden,
	domain.CodeCrossOrigin:          http.StatusForbidden,
	domain.CodeNotFound:             http.StatusNotFound,
	domain.CodeFeedExpired:          http.StatusGone,
	domain.CodeMethodNotAllowed:     http.StatusMethodNotAllowed,
	domain.CodeInvalidState:         http.StatusConflict,
	domain.CodeConflict:             http.StatusConflict,
	domain.CodePreconditionFailed:   http.StatusPreconditionFailed,
	domain.CodeIdempotencyKeyReused: http.StatusUnprocessableEntity,
	domain.CodeAnsweredBefore:       http.StatusConflict,
	domain.CodePayloadTooLarge:      http.StatusRequestEntityTooLarge,
	domain.CodeUnsupportedMediaType: http.StatusUnsupportedMediaType,
	domain.CodeRateLimited:          http.StatusTooManyRequests,
	domain.CodeInternal:             http.StatusInternalServerError,
	domain.CodeUnavailable:          http.StatusServiceUnavailable,
	domain.CodeListUnavailable:      http.StatusServiceUnavailable,
}

// StatusOf returns the status of an error code. A code without one is a bug and gets 500.
func StatusOf(code domain.Code) int {
	if status, ok := statusOf[code]; ok {
		return status
	}
	return http.StatusInternalServerError
}

// Seconds returns a wait in whole seconds, rounded up, as Retry-After has it.
func Seconds(wait time.Duration) int64 {
	return int64((wait + time.Second - 1) / time.Second)
}

// ClusterHeader names the cluster that serves a seller which this one refuses. `ticketgate route` repeats the request there, so it is
// sent only if nothing was done.
const ClusterHeader = "Ticketgate-Cluster"

// SetRetryAfter sets Retry-After if the error says how long to wait, and ClusterHeader if it names a cluster.
func SetRetryAfter(header http.Header, err *domain.Error) {
	if err.Cluster != "" {
		header.Set(ClusterHeader, err.Cluster)
	}
	if err.RetryAfter > 0 {
		header.Set("Retry-After", strconv.FormatInt(Seconds(err.RetryAfter), 10))
	}
}
