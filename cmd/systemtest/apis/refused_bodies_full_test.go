//go:build full

package apis

import (
	"testing"

	"ticketgate/cmd/systemtest/apitest"
)

// TestARefusedBodyTouchesNothingWhateverItsFault is TestARefusedBodyTouchesNothing with every kind of fault in every value.
func TestARefusedBodyTouchesNothingWhateverItsFault(t *testing.T) {
	t.Parallel()
	refusedBodies{Server: apitest.Open(t), faultsOfAValue: 10}.try(t)
}
