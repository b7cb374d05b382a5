//go:build full

package main

import "testing"

func TestADeactivatedKeyIsRefusedIn200Rounds(t *testing.T) {
	testRevocation(t, 200)
}
