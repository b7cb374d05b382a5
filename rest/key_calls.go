package rest

import (
	"net/http"

	"ticketgate/domain"
)

// CountKeyCalls tells note of every call how it was answered and what it did with its API key, if it has one. It stands
// inside Edge, around both doors.
func CountKeyCalls(next http.Handler, note func(call *domain.KeyCall, status int)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		call, recorder := domain.CallOf(r.Context()), &statusRecorder{ResponseWriter: w}
		call.Key = &domain.KeyCall{}
		next.ServeHTTP(recorder, r.WithContext(domain.WithCall(r.Context(), call)))
		note(call.Key, recorder.status)
	})
}
