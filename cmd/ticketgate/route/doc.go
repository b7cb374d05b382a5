// Package route is the reverse proxy in front of several clusters: it sends each request to the cluster that serves its seller.
//
//   - cluster.go reads the setting with the clusters.
//   - question.go finds out what a request says about its seller: a header, a credential, or nothing.
//   - places.go asks the clusters where that is, and caches their answers under their credential epochs.
//   - router.go forwards, and repeats a request at the cluster that another one names.
//
// Nothing depends on the cache being right: a cluster refuses the calls of a seller that it doesn't serve, see docs/splitting.md.
package route
