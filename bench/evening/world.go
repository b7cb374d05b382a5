package main

import (
	"maps"
	"math/rand/v2"
	"slices"
	"time"
)

const (
	sellers = 10_000
	// skew is the exponent of Zipf's law. The largest of 10,000 sellers gets a tenth of all requests.
	skew = 1.02
	// connections is the number of connections for requests of a process, and sellersShare the limit for one seller,
	// both per core.
	connections, sellersShare = 4, 2.5
	// commit is the time to write a commit to the disks of PostgreSQL and of a synchronous replica.
	commit = 500 * time.Microsecond
	// burst is the factor by which the load exceeds its average during one of five seconds, when doors open.
	burst = 1.5
)

// kind is a kind of request and its measured processor time.
type kind struct {
	name             string
	server, database time.Duration
	commits          bool
	numbered         bool // takes the seller's next invoice number, which stays locked until the commit
}

// load is the number of requests per second at the peak of an evening.
type load struct{ lookups, scans int }

// mix returns all requests of a load. It includes one delivery per two scans, and one sale per 100 lookups.
func (l load) mix() []offer {
	return []offer{
		{lookup, float64(l.lookups)},
		{gateScan, float64(l.scans)},
		{delivery, float64(l.scans) / 2},
		{sale, float64(l.lookups) / 100},
	}
}

type offer struct {
	kind      kind
	perSecond float64
}

// machines is an installation. Each cluster has a PostgreSQL of its own, to which sellers are assigned. Servers are
// divided equally among clusters.
type machines struct {
	clusters, servers          int
	serverCores, databaseCores int
}

// world is the simulation of one cluster: the busiest one, which has the largest seller.
type world struct {
	engine   engine
	random   *rand.Rand
	zipf     *rand.Zipf
	of       machines
	servers  []*server
	database *places
	disk     *disk
	numbers  map[uint64]*places
	times    map[string][]time.Duration
}

// server is a process on a machine of its own.
type server struct {
	cores, connections *places
	shares             map[uint64]*places
}

// newWorld returns the simulation of one cluster, with its share of the servers.
func newWorld(of machines, seed uint64) *world {
	// The seed is fixed, so that each run gives the same result.
	random := rand.New(rand.NewPCG(seed, seed))
	w := &world{
		of: of, random: random, zipf: rand.NewZipf(random, skew, 1, sellers-1),
		numbers: map[uint64]*places{}, times: map[string][]time.Duration{},
	}
	w.database = &places{name: "PostgreSQL's cores", engine: &w.engine, size: of.databaseCores}
	w.disk = &disk{engine: &w.engine, write: commit}
	for range max(1, of.servers/of.clusters) {
		w.servers = append(w.servers, &server{
			cores:       &places{name: "the servers' cores", engine: &w.engine, size: of.serverCores},
			connections: &places{name: "connections", engine: &w.engine, size: connections * of.serverCores},
			shares:      map[uint64]*places{},
		})
	}
	return w
}

// ofSeller returns a resource of a seller, which is created by the first call.
func (w *world) ofSeller(known map[uint64]*places, seller uint64, name string, size int) *places {
	found, there := known[seller]
	if !there {
		found = &places{name: name, engine: &w.engine, size: size}
		known[seller] = found
	}
	return found
}

// offer schedules requests of a kind for a time, at random intervals like those of independent callers.
func (w *world) offer(o offer, span time.Duration) {
	var next func()
	next = func() {
		rate := o.perSecond
		if int(w.engine.now.Seconds())%5 == 2 {
			rate *= burst
		}
		w.engine.after(time.Duration(w.random.ExpFloat64()/rate*float64(time.Second)), func() {
			if w.engine.now >= span {
				return
			}
			// Requests for sellers of other clusters do not arrive here.
			if seller := w.zipf.Uint64(); seller%uint64(w.of.clusters) == 0 { //nolint:gosec // few
				w.arrive(o.kind, seller)
			}
			next()
		})
	}
	if o.perSecond > 0 {
		next()
	}
}

// arrive simulates one request. It needs a core of a server, a connection, a core of PostgreSQL, the disk if it writes,
// and a core of the server again for the response.
func (w *world) arrive(k kind, seller uint64) {
	started := w.engine.now
	on := w.servers[w.random.IntN(len(w.servers))]
	share := w.ofSeller(on.shares, seller, "a seller's share of connections", int(sellersShare*float64(w.of.serverCores)))
	server, database := w.about(k.server), w.about(k.database)
	done := func() { w.times[k.name] = append(w.times[k.name], w.engine.now-started) }
	answer := func() {
		on.connections.give()
		share.give()
		on.cores.hold(server/2, done)
	}
	on.cores.hold(server/2, func() {
		share.take(func() {
			on.connections.take(func() {
				w.database.hold(database, func() { w.commit(k, seller, answer) })
			})
		})
	})
}

// commit makes a request that writes wait for the disk and, if it takes an invoice number, for its seller's lock.
func (w *world) commit(k kind, seller uint64, then func()) {
	switch {
	case k.numbered:
		number := w.ofSeller(w.numbers, seller, "a seller's invoice numbers", 1)
		number.take(func() {
			w.disk.sync(func() {
				number.give()
				then()
			})
		})
	case k.commits:
		w.disk.sync(then)
	default:
		then()
	}
}

// about returns a random time with the given mean, of at least half the mean.
func (w *world) about(mean time.Duration) time.Duration {
	return mean/2 + time.Duration(w.random.ExpFloat64()*float64(mean/2))
}

// stations returns all resources of the cluster.
func (w *world) stations() []*places {
	all := []*places{w.database}
	for _, s := range w.servers {
		all = append(all, s.cores, s.connections)
		all = slices.AppendSeq(all, maps.Values(s.shares))
	}
	all = slices.AppendSeq(all, maps.Values(w.numbers))
	busiest := map[string]*places{}
	for _, item := range all {
		if known := busiest[item.name]; known == nil || item.use() > known.use() {
			busiest[item.name] = item
		}
	}
	return slices.Collect(maps.Values(busiest))
}
