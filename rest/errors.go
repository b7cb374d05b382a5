package rest

import (
	"encoding/json"
	"log/slog"
	"math"
	"net/http"
	"strconv"

	"ticketgate/domain"
)

// statusOf is the one table from a code to its status (decisions 2.3).
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
	domain.CodeIdempotencyKeyReused: http.StatusUnprocessableEntity,
	domain.CodeAnsweredBefore:       http.StatusConflict,
	domain.CodePayloadTooLarge:      http.StatusRequestEntityTooLarge,
	domain.CodeUnsupportedMediaType: http.StatusUnsupportedMediaType,
	domain.CodeRateLimited:          http.StatusTooManyRequests,
	domain.CodeInternal:             http.StatusInternalServerError,
	domain.CodeUnavailable:          http.StatusServiceUnavailable,
	domain.CodeListUnavailable:      http.StatusServiceUnavailable,
}

// StatusOf returns the status of a code; an unknown code can only be a mistake of ours.
func StatusOf(code domain.Code) int {
	if status, ok := statusOf[code]; ok {
		return status
	}
	return http.StatusInternalServerError
}

// errorBody is the shape of every error of this layer (decisions 2.1).
type errorBody struct {
	StatusCode int                 `json:"statusCode"`
	Error      string              `json:"error"`
	Message    string              `json:"message"`
	Code       domain.Code         `json:"code"`
	Details    []domain.FieldError `json:"details,omitempty"`
	RequestID  string              `json:"requestId"`
}

// WriteError answers with the error as a caller may see it, and logs the cause of one that is our fault.
func WriteError(w http.ResponseWriter, r *http.Request, log *slog.Logger, err error) {
	shown := domain.AsError(err)
	status := StatusOf(shown.Code)
	matchOf(r.Context()).told.Code = shown.Code
	requestID := domain.CallOf(r.Context()).RequestID
	if cause := shown.Unwrap(); cause != nil && status >= http.StatusInternalServerError {
		level := slog.LevelError
		if shown.Code != domain.CodeInternal {
			level = slog.LevelWarn // as at the other door: it passes, and the caller comes again
		}
		log.Log(r.Context(), level, "request failed", "request_id", requestID, "code", shown.Code, "cause", cause)
	}
	if shown.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(shown.RetryAfter.Seconds()))))
	}
	writeJSON(w, status, errorBody{
		StatusCode: status, Error: http.StatusText(status), Message: shown.Message,
		Code: shown.Code, Details: shown.Fields, RequestID: requestID,
	})
}

// writeJSON answers with a body that HTML-escapes nothing: what was stored comes back as it was.
func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(body) // fails only when the client has gone
}
