package dashboard

import (
	_ "embed" // the page is part of the binary
	"net/http"
)

//go:embed landing.html
var landing []byte

// Handler answers every page address with the page that says where the API is.
func Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(landing) // fails only when the browser has gone
	})
}
