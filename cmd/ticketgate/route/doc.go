// Package route is the reverse proxy in front of several clusters. It sends each request to the cluster that serves its
// seller.
//
// - cluster.go parses the setting with the clusters.
// - question.go finds out from a request how to identify its seller: by a header, a credential, or not at all.
// - places.go asks the clusters where that seller is, and caches the responses by credential epoch.
// - router.go forwards requests, and repeats a refused request at the cluster that the refusal names.
//
// Correctness does not depend on the cache: a cluster refuses the calls of a seller that it doesn't serve, see
// docs/splitting.md.
package route
