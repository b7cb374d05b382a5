//go:build full

package apis

import (
	"testing"

	"ticketgate/cmd/systemtest/apitest"
)

// TestARefusedBodyChangesNothingForAnyFault is TestARefusedBodyChangesNothing with every kind of fault in every value.
func TestARefusedBodyChangesNothingForAnyFault(t *testing.T) {
	t.Parallel()
	refusedBodies{Server: apitest.Open(t), faultsOfAValue: 10}.try(t)
}
