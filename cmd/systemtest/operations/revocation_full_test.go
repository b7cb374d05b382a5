//go:build full

package operations

import (
	"testing"
)

func TestADeactivatedKeyIsRefusedIn200Rounds(t *testing.T) {
	testRevocation(t, 200)
}
