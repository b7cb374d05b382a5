// Command evening simulates a busy evening of 10,000 sellers and says how many machines it takes.
//
//	go run ./bench/evening
//
// It is a discrete-event simulation of queues: processor cores of the servers and of PostgreSQL, the connections of each
// process and each seller's share of them, and the disk that commits wait for. What a request costs was measured
// (docs/performance.md); sellers are as unequal as Zipf's law has them, and doors open with bursts.
//
// The report names, for each load, what saturates first on the smallest installation and the machines with which 99 of
// 100 requests take at most 50 ms.
package main
