//go:build full

package splitting

import "testing"

func TestALargeSellerMovesUnderLoad(t *testing.T) { testMove(t, 100_000, 4) }
