// Command evening simulates a busy evening of 10,000 sellers and computes how many machines it takes.
//
//	go run ./bench/evening
//
// It is a discrete-event simulation of queues: processor cores of the servers and of PostgreSQL, the connections of each
// process and each seller's share of them, and the disk that commits wait for. The costs of requests are measured
// (docs/performance.md). The sizes of sellers follow Zipf's law, and doors open with bursts.
//
// For each load, the report names what saturates first on the smallest installation, and the machines that serve 99 of 100
// requests within 50 ms.
package main
