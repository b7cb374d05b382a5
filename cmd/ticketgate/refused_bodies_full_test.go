//go:build full

package main

import "testing"

// TestARefusedBodyTouchesNothingWhateverItsFault is TestARefusedBodyTouchesNothing with every kind of fault in every value.
func TestARefusedBodyTouchesNothingWhateverItsFault(t *testing.T) {
	t.Parallel()
	refusedBodies{house: openHouse(t), faultsOfAValue: 10}.try(t)
}
