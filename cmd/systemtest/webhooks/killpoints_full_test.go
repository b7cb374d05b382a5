//go:build full

package webhooks

import (
	"testing"

	"ticketgate/jobs/killpoint"
)

// Four deaths at each step, in real time: an interrupted attempt is made again within 35 seconds.
func TestKillAtEachStepLosesNoneOf100000Deliveries(t *testing.T) {
	deaths{points: killpoint.Points(), rounds: 4, lanes: 4, events: 460}.test(t)
}
