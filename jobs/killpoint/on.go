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

// Armed reports whether the program was built with kill points.
const Armed = true

// chosen is the step to die at, and left the number of remaining passages.
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

// At kills the process if this is the chosen step and passage.
func At(point Point) {
	if point != chosen || left.Add(-1) > 0 {
		return
	}
	_ = syscall.Kill(syscall.Getpid(), syscall.SIGKILL)
	select {} // the signal is on its way; do nothing more
}

// Conn returns a connection that writes in two halves, with a step after each.
func Conn(conn net.Conn) net.Conn { return halves{conn} }

type halves struct{ net.Conn }

// Write writes one half and then the other.
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
