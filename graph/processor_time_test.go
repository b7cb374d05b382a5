//go:build unix

package graph_test

import (
	"syscall"
	"testing"
	"time"
)

// processorTime returns the processor time that this process has used. The wall clock would include other processes.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		t.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
