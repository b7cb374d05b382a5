package program

import (
	"runtime"
	"testing"
)

func TestSpareThreadsWhileBodiesAreParsed(t *testing.T) { //nolint:paralleltest // it changes the whole process
	processors := runtime.GOMAXPROCS(0)
	spareThreads(true)
	if got := runtime.GOMAXPROCS(0); got != processors+2 {
		t.Errorf("%d threads while a body is held, want %d", got, processors+2)
	}
	spareThreads(false)
	if got := runtime.GOMAXPROCS(0); got != processors {
		t.Errorf("%d threads afterwards, want %d", got, processors)
	}
	t.Setenv("GOMAXPROCS", "1")
	spareThreads(true)
	if got := runtime.GOMAXPROCS(0); got != processors {
		t.Errorf("%d threads although the operator set the number, want %d", got, processors)
	}
}
