//go:build !race

package graph_test

// raceDetector tells that the race detector is on, which makes figures of time meaningless.
const raceDetector = false
