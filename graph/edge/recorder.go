package edge

import "net/http"

// statusRecorder records the status of a response.
type statusRecorder struct {
	http.ResponseWriter
	status int
}

// WriteHeader records the status and forwards it.
func (w *statusRecorder) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write forwards the body. Without an earlier WriteHeader, the status is 200.
func (w *statusRecorder) Write(body []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	return w.ResponseWriter.Write(body)
}

// Unwrap gives http.ResponseController access to the connection.
func (w *statusRecorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }
