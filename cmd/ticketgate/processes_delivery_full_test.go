//go:build full

package main

import "testing"

func TestAHundredRollingDeploysDeliverEverythingOnce(t *testing.T) {
	testRollingDeploys(t, 100)
}
