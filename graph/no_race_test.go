//go:build !race

package graph_test

// raceDetector reports whether the race detector is on, which makes time measurements meaningless.
const raceDetector = false
