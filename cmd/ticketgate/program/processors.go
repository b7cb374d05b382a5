package program

import (
	"os"
	"runtime"
)

// spareThreads runs two more goroutines at a time than there are processors while large bodies are held (LIMIT-27). Go
// preempts a goroutine that computes only after 10 ms. A request that waits for PostgreSQL would wait that long at
// every round trip, whereas the operating system schedules a waiting thread at once. At other times, additional threads
// only cost processor time. GOMAXPROCS in the environment takes precedence.
func spareThreads(held bool) {
	const spare = 2 // the number of large bodies that are parsed at the same time (LIMIT-16)
	switch {
	case os.Getenv("GOMAXPROCS") != "":
	case held:
		runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + spare)
	default:
		runtime.SetDefaultGOMAXPROCS()
	}
}
