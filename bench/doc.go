// Command bench measures the program as it is shipped: it builds bin/ticketgate, starts it as processes of their own
// on a private PostgreSQL, and speaks HTTP with it.
//
//	make bench                                   the hot paths
//	make bench-full                              everything, for longer and among millions of rows
//	go run ./bench -only rest-read -duration 1s  one benchmark, briefly
//
// Each row of the report has a figure, a baseline that was measured in the same run and in turns with it, and their
// ratio. A figure alone tells about the machine and what else ran on it; the ratio moves much less. The load average
// stands beside each row, and docs/performance.md says how to read them.
//
// A benchmark is one file with a function that prepares a subject, and one row in the table in main.go. What it starts
// in its rig is stopped for it.
package main
