//go:build full

package webhooks

import (
	"testing"
)

func TestAHundredRollingDeploysDeliverEverythingOnce(t *testing.T) {
	testRollingDeploys(t, 100)
}
