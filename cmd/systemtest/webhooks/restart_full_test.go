//go:build full

package webhooks

import (
	"testing"
)

func TestTenRestartsOfTheDatabaseLoseNothing(t *testing.T) {
	var restarts []func(*cluster)
	for range 5 {
		restarts = append(restarts, (*cluster).restart, (*cluster).crash)
	}
	testRestarts(t, restarts...)
}
