package tenant

import (
	"os"
	"testing"
)

// programCost is the cost of a hash in the program. The tests' own hashes cost next to nothing.
var programCost = currentCost

func TestMain(m *testing.M) {
	CheapHashes()
	os.Exit(m.Run())
}
