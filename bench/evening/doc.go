// Command evening simulates a busy evening of 10,000 sellers and computes the number of machines that it needs.
//
//	go run ./bench/evening
//
// It is a discrete-event simulation of queues. The queues are for the processor cores of the servers and of PostgreSQL,
// the connections of each process with each seller's share of them, and the disk that commits wait for. The costs of
// requests are measured (docs/performance.md). The sizes of sellers follow Zipf's law, and requests arrive in bursts
// when doors open.
//
// For each load, the report names what saturates first on the smallest installation, and the machines that are needed
// to serve 99 % of requests within 50 ms.
package main
