//go:build unix

package graph_test

import (
	"syscall"
	"testing"
	"time"
)

// processorTime is what this process has used so far; the wall clock would measure the neighbours.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		t.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
