//go:build killpoints

package killpoint

import (
	"net"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
)

// Armed reports whether the program was built with the tag killpoints.
const Armed = true

// chosen is the step at which to kill the process. left is the number of times it is still to be reached.
var (
	chosen Point
	left   atomic.Int64
)

func init() {
	name, passage, _ := strings.Cut(os.Getenv("KILL_AT"), ":")
	number, err := strconv.ParseInt(passage, 10, 64)
	if err != nil {
		number = 1
	}
	chosen = Point(name)
	left.Store(number)
}

// At kills the process if point is the chosen step and this is the chosen occurrence.
func At(point Point) {
	if point != chosen || left.Add(-1) > 0 {
		return
	}
	_ = syscall.Kill(syscall.Getpid(), syscall.SIGKILL)
	select {} // the signal has been sent; do nothing until it arrives
}

// Conn returns a connection that writes in two halves, with a kill point after each.
func Conn(conn net.Conn) net.Conn { return halves{conn} }

type halves struct{ net.Conn }

// Write writes text in two halves.
func (h halves) Write(text []byte) (int, error) {
	first, err := h.Conn.Write(text[:len(text)/2])
	if err != nil {
		return first, err
	}
	At(HalfSent)
	second, err := h.Conn.Write(text[first:])
	if err == nil {
		At(Sent)
	}
	return first + second, err
}
