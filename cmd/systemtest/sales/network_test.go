package sales

import (
	"errors"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"ticketgate/cmd/systemtest"
)

// withoutNetwork is set in the process of the test below that runs in a network of its own.
const withoutNetwork = "TICKETGATE_TEST_WITHOUT_NETWORK"

// TestDetailsAreJudgedOffline sells to a French company in a network with only this process. The existence of a SIREN
// is not looked up anywhere, so the responses are the same.
func TestDetailsAreJudgedOffline(t *testing.T) {
	t.Parallel()
	if os.Getenv(withoutNetwork) != "" {
		loopbackUp(t)
		if interfaces, err := net.Interfaces(); err != nil || len(interfaces) != 1 {
			t.Fatalf("the network is not empty: %v, %v", interfaces, err)
		}
		aFrenchCompanyBuys(t)
		return
	}
	again := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	again.Env = append(os.Environ(), withoutNetwork+"=true")
	again.SysProcAttr = &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWNET}
	if os.Getuid() != 0 { // other users may have a network if they have a user namespace
		again.SysProcAttr.Cloneflags |= unix.CLONE_NEWUSER
		again.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}}
		again.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}}
		again.SysProcAttr.AmbientCaps = []uintptr{unix.CAP_NET_ADMIN}
	}
	printed, err := again.CombinedOutput()
	if errors.Is(err, unix.EPERM) {
		t.Skip("network namespaces are not permitted on this machine")
	}
	if err != nil || !strings.Contains(string(printed), "--- PASS: "+t.Name()) {
		t.Errorf("%v\n%s", err, printed)
	}
}

// loopbackUp brings up the only interface of a new network.
func loopbackUp(t *testing.T) {
	t.Helper()
	socket, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)
	systemtest.Must(t, err)
	defer func() { _ = unix.Close(socket) }()
	loopback, err := unix.NewIfreq("lo")
	systemtest.Must(t, err)
	loopback.SetUint16(unix.IFF_UP)
	systemtest.Must(t, unix.IoctlIfreq(socket, unix.SIOCSIFFLAGS, loopback))
}
