//go:build full

package webhooks

import (
	"fmt"
	"os"
	"os/exec"
	"testing"

	"ticketgate/cmd/systemtest"
)

// netLink is a network namespace and the cable to it, which can be pulled.
type netLink struct {
	t                        *testing.T
	namespace, address, near string
}

// netLinks creates network namespaces on one bridge, to which this machine is connected as well. It skips the test if that is
// not permitted.
func netLinks(t *testing.T, count int) []*netLink {
	t.Helper()
	systemtest.NeedsProgram("ip")(t)
	prefix := fmt.Sprintf("tg%d", os.Getpid()%100_000)
	bridge := prefix + "b"
	if report, err := exec.CommandContext(t.Context(), "ip", "link", "add", bridge, "type", "bridge").CombinedOutput(); err != nil {
		systemtest.Missing(t, fmt.Sprintf("the right to create network namespaces (%s)", report))
	}
	t.Cleanup(func() { _ = exec.Command("ip", "link", "del", bridge).Run() })
	ip(t, "addr", "add", "10.213.77.254/24", "dev", bridge)
	ip(t, "link", "set", bridge, "up")
	list := make([]*netLink, count)
	for i := range list {
		l := &netLink{t: t, namespace: fmt.Sprintf("%sn%d", prefix, i), near: fmt.Sprintf("%sv%d", prefix, i), address: fmt.Sprintf("10.213.77.%d", i+1)}
		far := l.near + "p"
		ip(t, "netns", "add", l.namespace)
		t.Cleanup(func() { _ = exec.Command("ip", "netns", "del", l.namespace).Run() })
		ip(t, "link", "add", l.near, "type", "veth", "peer", "name", far)
		ip(t, "link", "set", far, "netns", l.namespace)
		ip(t, "link", "set", l.near, "master", bridge, "up")
		ip(t, "-n", l.namespace, "addr", "add", l.address+"/24", "dev", far)
		ip(t, "-n", l.namespace, "link", "set", far, "up")
		ip(t, "-n", l.namespace, "link", "set", "lo", "up")
		list[i] = l
	}
	return list
}

func ip(t *testing.T, arguments ...string) {
	t.Helper()
	if report, err := exec.CommandContext(t.Context(), "ip", arguments...).CombinedOutput(); err != nil {
		t.Fatalf("ip %v: %v %s", arguments, err, report)
	}
}

// pull disconnects the cable. Connections through it get no more bytes, and no error.
func (l *netLink) pull() {
	l.t.Helper()
	ip(l.t, "link", "set", l.near, "nomaster")
}

// plug reconnects the cable.
func (l *netLink) plug() {
	l.t.Helper()
	ip(l.t, "link", "set", l.near, "master", l.near[:len(l.near)-2]+"b")
}
