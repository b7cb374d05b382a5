// Command bench measures the program as it is shipped: it builds bin/ticketgate, runs it as separate processes on a private
// PostgreSQL, and calls it over HTTP.
//
//	make bench                                   the hot paths
//	make bench-full                              everything, for longer and among millions of rows
//	go run ./bench -only rest-read -duration 1s  one benchmark, briefly
//
// Each row of the report has a figure, a baseline measured in the same run and in turns with it, and their ratio. A figure
// alone depends on the machine and its other work; the ratio varies much less. Each row has the load average.
// docs/internals/benchmarks.md explains how to read them.
//
// A benchmark is one file with a function that prepares a subject, and one row in the table in main.go. Whatever it starts in
// its rig is stopped afterwards.
package main
