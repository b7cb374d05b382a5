//go:build full

package operations

import (
	"testing"
)

func TestDeactivatedKeyIsRefusedIn200Rounds(t *testing.T) {
	testRevocation(t, 200)
}
