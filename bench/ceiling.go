package main

import (
	"context"
	"net/http"
	"net/http/httptest"
)

// ceiling measures the load generator with an empty handler. A benchmark whose figure comes near this one measures the
// generator rather than the server.
func ceiling(ctx context.Context, r *rig) (subject, error) {
	empty := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) }))
	r.onEnd(empty.Close)
	as := api{url: empty.URL, header: http.Header{}}
	requests, err := as.load(ctx, as.request(http.MethodGet, "/", nil))
	if err != nil {
		return subject{}, err
	}
	_, err = requests.run(ctx, warmUp)
	return subject{measure: requests.run}, err
}
