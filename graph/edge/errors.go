package edge

import (
	"log/slog"
	"net/http"
	"sync"

	"ticketgate/domain"
)

// ErrorBody is the JSON of an error outside /graphql.
type ErrorBody struct {
	StatusCode int                 `json:"statusCode"`
	Error      string              `json:"error"`
	Message    string              `json:"message"`
	Code       domain.Code         `json:"code"`
	Details    []domain.FieldError `json:"details,omitempty"`
	RequestID  string              `json:"requestId"`
}

// WriteError writes the caller's view of the error. It logs the cause if the status is 500 or above.
func WriteError(w http.ResponseWriter, r *http.Request, log *slog.Logger, err error) {
	shown := domain.AsError(err)
	status := StatusOf(shown.Code)
	matchOf(r.Context()).result.Code = shown.Code
	requestID := domain.CallOf(r.Context()).RequestID
	if cause := shown.Unwrap(); cause != nil && status >= http.StatusInternalServerError {
		level := slog.LevelError
		if shown.Code != domain.CodeInternal {
			level = slog.LevelWarn // temporary: the caller may retry
		}
		log.Log(r.Context(), level, "request failed", "request_id", requestID, "code", shown.Code, "cause", cause)
	}
	SetRetryAfter(w.Header(), shown)
	WriteJSON(w, status, ErrorBody{
		StatusCode: status, Error: http.StatusText(status), Message: shown.Message,
		Code: shown.Code, Details: shown.Fields, RequestID: requestID,
	})
}

// bodyTexts pools the buffers of written responses. Buffers longer than maxCached are dropped.
var bodyTexts = sync.Pool{New: func() any { return new([]byte) }}

const maxCached = 256 << 10

// WriteJSON writes the body as JSON without HTML escapes, so that stored text is returned as it was sent.
func WriteJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	written := bodyTexts.Get().(*[]byte) //nolint:errcheck,forcetypeassert,revive // the pool holds nothing else
	text, err := appendJSON((*written)[:0], body)
	if err == nil {
		text = append(text, '\n')
		_, _ = w.Write(text) // fails only if the client has disconnected
	}
	if cap(text) <= maxCached {
		*written = text
		bodyTexts.Put(written)
	}
}
