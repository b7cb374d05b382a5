package db_test

import (
	"fmt"
	"testing"

	"ticketgate/domain/apikey"
	"ticketgate/domain/optional"
)

// BenchmarkKeyUpdate measures how long an update of a key takes until it holds on every process
// (docs/internals/credentials.md).
func BenchmarkKeyUpdate(b *testing.B) {
	for _, running := range []int{1, 2, 4} {
		b.Run(fmt.Sprintf("%d running", running), func(b *testing.B) { benchmarkUpdate(b, running, false) })
	}
	b.Run("2 running, one that has just stopped", func(b *testing.B) { benchmarkUpdate(b, 2, true) })
}

func benchmarkUpdate(b *testing.B, running int, stopping bool) {
	b.Helper()
	p := newProcesses(b)
	all := make([]process, running)
	for i := range all {
		all[i] = p.running()
	}
	key := p.newKey(all[0])
	active := true
	for b.Loop() {
		if stopping {
			b.StopTimer()
			stopped := p.stopped()
			if err := stopped.Lease().RenewOnce(b.Context()); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
		}
		active = !active
		p.update(all[0], key, apikey.Change{Active: optional.Some(active)})
	}
}

// BenchmarkCheck measures a credential check from the cache and one that reads the database.
func BenchmarkCheck(b *testing.B) {
	p := newProcesses(b)
	running, stopped := p.running(), p.stopped()
	key := p.newKey(running)
	for name, on := range map[string]process{"from the cache": running, "from the database": stopped} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := on.check(key.Secret); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
