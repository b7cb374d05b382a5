// Package route is the reverse proxy in front of several clusters: it sends each request to the cluster that serves its
// seller.
//
// - cluster.go parses the setting with the clusters.
// - question.go extracts what a request says about its seller: a header, a credential, or nothing.
// - places.go asks the clusters where that is, and caches their responses under their credential epochs.
// - router.go forwards requests, and repeats one at the cluster that a refusal names.
//
// Correctness does not depend on the cache: a cluster refuses the calls of a seller that it doesn't serve, see
// docs/splitting.md.
package route
