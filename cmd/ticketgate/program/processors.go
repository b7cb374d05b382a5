package program

import (
	"os"
	"runtime"
)

// spareThreads lets two goroutines more run than there are processors while bodies are held that take long to parse
// (LIMIT-27). Go takes a thread from a goroutine that computes only after 10 ms, and a request that waits for PostgreSQL would
// wait for that at every round trip. Among threads the operating system decides, and lets what has waited run at once.
// Otherwise threads to spare only cost processor time. A GOMAXPROCS in the environment applies instead.
func spareThreads(held bool) {
	const spare = 2 // as many large bodies are parsed at a time (LIMIT-16)
	switch {
	case os.Getenv("GOMAXPROCS") != "":
	case held:
		runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + spare)
	default:
		runtime.SetDefaultGOMAXPROCS()
	}
}
