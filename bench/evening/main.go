package main

import (
	"fmt"
	"os"
	"text/tabwriter"
	"time"
)

// The processor time of requests, as measured by benchmarks on a busy machine with 2 cores. For a scan it was measured
// with 16 concurrent scans, which share commits. For a delivery it includes publishing, loading and recording.
var (
	lookup   = kind{name: "lookup", server: 150 * time.Microsecond, database: 116 * time.Microsecond}
	gateScan = kind{name: "scan", server: 361 * time.Microsecond, database: 251 * time.Microsecond, commits: true}
	delivery = kind{name: "delivery", server: 147 * time.Microsecond, database: 88 * time.Microsecond}
	sale     = kind{
		name: "sale", server: 925 * time.Microsecond, database: 1173 * time.Microsecond, commits: true, numbered: true,
	}
)

// loads are the evenings to simulate, each of a larger platform.
var loads = []load{
	{lookups: 1_000}, {lookups: 10_000}, {lookups: 100_000}, {scans: 1_000}, {scans: 10_000}, {lookups: 100_000, scans: 10_000},
}

func main() {
	fmt.Printf("%d sellers; machines with %d cores for serve, PostgreSQL with up to %d; commits take %s\n\n",
		sellers, smallest.serverCores, maxCores, commit)
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "lookups/s\tscans/s\tone server and PostgreSQL of 8 cores\tsaturates first\tserve\tPostgreSQL\tp99")
	for _, l := range loads {
		percent, first := limit(smallest, l)
		if first == "" {
			first = "nothing"
		}
		o := enough(l)
		_, _ = fmt.Fprintf(table, "%d\t%d\tbear %d %%\t%s\t%d × %d cores\t%d × %d cores\t%s\n", l.lookups, l.scans, percent, first,
			o.machines.servers, o.machines.serverCores, o.machines.clusters, o.machines.databaseCores, o.p99.Round(100*time.Microsecond))
	}
	_ = table.Flush()
}
