//go:build full

package webhooks

import (
	"testing"

	"ticketgate/jobs/killpoint"
)

// Four deaths at each step, at real times: what an attempt left behind is made again within 35 seconds.
func TestADeathAtEachStepLosesNothingOf100000(t *testing.T) {
	deaths{points: killpoint.Points(), rounds: 4, lanes: 4, events: 460}.test(t)
}
