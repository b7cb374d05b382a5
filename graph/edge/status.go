package edge

import (
	"net/http"
	"strconv"
	"time"

	"ticketgate/domain"
)

// statusOf maps every error code to its status, in both APIs (EDGE-1).
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

// StatusOf returns the status of an error code. A code without a status is a bug and gets 500.
func StatusOf(code domain.Code) int {
	if status, ok := statusOf[code]; ok {
		return status
	}
	return http.StatusInternalServerError
}

// Seconds returns a duration in whole seconds, rounded up, for Retry-After.
func Seconds(wait time.Duration) int64 {
	return int64((wait + time.Second - 1) / time.Second)
}

// ClusterHeader names the cluster that serves a seller refused here. `ticketgate route` repeats the request there, so
// the header is sent only if the request had no effect.
const ClusterHeader = "Ticketgate-Cluster"

// SetRetryAfter sets Retry-After if the error has a wait, and ClusterHeader if it names a cluster.
func SetRetryAfter(header http.Header, err *domain.Error) {
	if err.Cluster != "" {
		header.Set(ClusterHeader, err.Cluster)
	}
	if err.RetryAfter > 0 {
		header.Set("Retry-After", strconv.FormatInt(Seconds(err.RetryAfter), 10))
	}
}
