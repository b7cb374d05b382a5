package tenant

import (
	"os"
	"testing"
)

// programCost is the cost of a hash in production. In tests, hashes are almost free.
var programCost = currentCost

func TestMain(m *testing.M) {
	CheapHashes()
	os.Exit(m.Run())
}
