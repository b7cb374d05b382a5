//go:build full

package webhooks

import (
	"testing"
)

func TestHundredRollingDeploysDeliverEverythingOnce(t *testing.T) {
	testRollingDeploys(t, 100)
}
