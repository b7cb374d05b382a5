//go:build full

package webhooks

import "testing"

// The leader is cut off from the network three times, with all connections to it: no more bytes and no error arrive. It
// continues alone until Patroni stops it, and nothing that was confirmed is lost.
func TestAnIsolatedLeaderLosesNothing(t *testing.T) {
	p := openPatroni(t, netLinks(t, len(patroni{}.nodes)))
	p.losesNothing(t, 3, func(leader *patroniNode) { leader.link.pull() }, func(leader *patroniNode) { leader.link.plug() })
}
