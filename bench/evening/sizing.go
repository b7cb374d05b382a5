package main

import (
	"slices"
	"time"
)

const (
	// promptly is the time within which 99 % of requests must be served.
	promptly = 50 * time.Millisecond
	// span is the simulated duration.
	span = 5 * time.Second
	// maxCores is the largest size of a PostgreSQL machine. For more, sellers are split between clusters.
	maxCores = 64
	// leisure is the target utilization of cores. It leaves room for the failure or restart of a machine.
	leisure = 0.65
)

// outcome is the result of simulating a load on an installation.
type outcome struct {
	machines machines
	p99      time.Duration // of lookups or of scans, whichever is slower
	busiest  *places
	use      map[string]float64
}

func (o outcome) suffices() bool {
	for _, use := range o.use {
		if use > leisure {
			return false
		}
	}
	return o.p99 <= promptly
}

// simulate simulates a load on an installation.
func simulate(of machines, l load, span time.Duration) outcome {
	w := newWorld(of, 1)
	for _, item := range l.mix() {
		w.offer(item, span)
	}
	w.engine.run()
	o := outcome{machines: of, use: map[string]float64{}}
	for _, station := range w.stations() {
		o.use[station.name] = station.use()
		if o.busiest == nil || station.use() > o.busiest.use() {
			o.busiest = station
		}
	}
	o.p99 = max(percentile(w.times[lookup.name]), percentile(w.times[gateScan.name]))
	return o
}

func percentile(times []time.Duration) time.Duration {
	if len(times) == 0 {
		return 0
	}
	slices.Sort(times)
	return times[len(times)*99/100]
}

// smallest is the first installation to try: one server and one PostgreSQL.
var smallest = machines{clusters: 1, servers: 1, serverCores: 8, databaseCores: 8}

// enough returns the smallest sufficient installation that it finds by adding machines where utilization is highest.
func enough(l load) outcome {
	of := smallest
	for {
		o := simulate(of, l, span)
		if o.suffices() {
			return o
		}
		of = more(of, o)
	}
}

// more returns a larger installation. It adds to the busiest part, in proportion to the overload.
func more(of machines, o outcome) machines {
	if o.use["PostgreSQL's cores"] <= leisure && o.busiest.name != "PostgreSQL's cores" {
		of.servers += max(1, of.servers/8)
		return of
	}
	if of.databaseCores < maxCores {
		of.databaseCores *= 2
		return of
	}
	of.clusters++
	of.servers = max(of.servers, of.clusters)
	return of
}

// limit returns the largest percentage of a load that an installation can serve, and its busiest part at that load.
func limit(of machines, l load) (percent int, busiest string) {
	low, high := 0, 100
	for low < high {
		middle := (low + high + 1) / 2
		part := load{lookups: l.lookups * middle / 100, scans: l.scans * middle / 100}
		o := simulate(of, part, span)
		if o.p99 <= promptly {
			low = middle
			continue
		}
		high, busiest = middle-1, o.busiest.name
	}
	return low, busiest
}
