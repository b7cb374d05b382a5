package route

import "net/http"

// SetTransport replaces the connections to the clusters.
func (r *Router) SetTransport(to http.RoundTripper) { r.to = to }
