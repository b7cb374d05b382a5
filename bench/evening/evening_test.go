package main

import (
	"math"
	"testing"
	"time"
)

func TestUtilizationIsRateTimesCost(t *testing.T) {
	o := simulate(machines{clusters: 1, servers: 1, serverCores: 8, databaseCores: 8}, load{lookups: 5_000}, 2*time.Second)
	perSecond := 5_000.0
	want := (perSecond*lookup.database.Seconds() + perSecond/100*sale.database.Seconds()) / 8
	if got := o.use["PostgreSQL's cores"]; math.Abs(got-want)/want > 0.1 {
		t.Errorf("PostgreSQL's cores were %.3f busy, want about %.3f", got, want)
	}
}

func TestAnOverloadMakesRequestsWait(t *testing.T) {
	of := machines{clusters: 1, servers: 1, serverCores: 1, databaseCores: 8}
	if percent, busiest := limit(of, load{lookups: 20_000}); percent == 0 || percent > 50 || busiest != "the servers' cores" {
		t.Errorf("a core handles %d %% of 20,000 lookups and saturates %s first", percent, busiest)
	}
}

func TestWaitingCommitsAreWrittenTogether(t *testing.T) {
	var e engine
	d := &disk{engine: &e, write: time.Millisecond}
	var last time.Duration
	for range 10 {
		d.sync(func() { last = e.now })
	}
	e.run()
	if last != 2*time.Millisecond {
		t.Errorf("ten commits were on the disk after %s, want 2ms: the first alone, then all others", last)
	}
}

func TestWaitingRequestsAreServedInOrder(t *testing.T) {
	var e engine
	p := &places{engine: &e, size: 1}
	var order []int
	for i := range 3 {
		p.hold(time.Second, func() { order = append(order, i) })
	}
	e.run()
	if len(order) != 3 || order[0] != 0 || order[2] != 2 || e.now != 3*time.Second {
		t.Errorf("served %v in %s", order, e.now)
	}
	if p.use() != 1 {
		t.Errorf("the place was held %.2f of the time, want 1", p.use())
	}
}

func TestTheBusiestPartOfAnInstallationGrows(t *testing.T) {
	busy := func(name string, use float64) outcome {
		return outcome{busiest: &places{name: name}, use: map[string]float64{name: use}}
	}
	if grown := more(smallest, busy("the servers' cores", 0.9)); grown.servers != 2 || grown.clusters != 1 {
		t.Errorf("busy servers lead to %+v", grown)
	}
	if grown := more(smallest, busy("PostgreSQL's cores", 0.9)); grown.databaseCores != 16 || grown.servers != 1 {
		t.Errorf("a busy PostgreSQL leads to %+v", grown)
	}
	largest := machines{clusters: 1, servers: 1, serverCores: 8, databaseCores: maxCores}
	if grown := more(largest, busy("PostgreSQL's cores", 0.9)); grown.clusters != 2 || grown.servers != 2 {
		t.Errorf("a busy PostgreSQL of the largest size leads to %+v", grown)
	}
}
