// Command bench measures the program as it is shipped. It builds bin/ticketgate, runs it in separate processes on a
// private PostgreSQL, and calls it over HTTP.
//
//	make bench                                   the hot paths
//	make bench-full                              everything, for longer and among millions of rows
//	go run ./bench -only rest-read -duration 1s  one benchmark, briefly
//
// Each row of the report has a figure, a baseline that was measured in turns with it, and their ratio. The figure
// depends on the machine and on other work that it does. The ratio varies much less. Each row includes the load
// average. docs/internals/benchmarks.md explains how to read the report.
//
// A benchmark is a file with a function that prepares a subject, and a row in the table in main.go. Everything that it
// starts in its rig is stopped at the end.
package main
