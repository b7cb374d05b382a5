//go:build full

package webhooks

import "testing"

// The times are those of prod and of the documented example.
func TestRollingRestartsOfManyProcessesFailNoRequest(t *testing.T) {
	testRollingRestart(t, 4, 2, 5, "TICKETGATE_SHUTDOWN_GRACE=5s")
}
