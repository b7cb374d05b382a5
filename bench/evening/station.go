package main

import "time"

// places are equal resources that are held for a while, such as cores or connections. Requests wait in a queue if none
// is free.
type places struct {
	name    string
	engine  *engine
	size    int
	held    int
	waiting []func()
	// busy is the total time for which places were held.
	busy  time.Duration
	since time.Duration
}

// take calls then as soon as a place is free. give must be called to release the place.
func (p *places) take(then func()) {
	if p.held == p.size {
		p.waiting = append(p.waiting, then)
		return
	}
	p.count()
	p.held++
	then()
}

// give releases a place, or hands it to the first waiting request.
func (p *places) give() {
	if len(p.waiting) == 0 {
		p.count()
		p.held--
		return
	}
	next := p.waiting[0]
	p.waiting = p.waiting[1:]
	p.engine.after(0, next)
}

// hold holds a place for a time and then calls then.
func (p *places) hold(span time.Duration, then func()) {
	p.take(func() {
		p.engine.after(span, func() {
			p.give()
			then()
		})
	})
}

func (p *places) count() {
	p.busy += time.Duration(p.held) * (p.engine.now - p.since)
	p.since = p.engine.now
}

// use returns the average utilization so far, from 0 to 1.
func (p *places) use() float64 {
	p.count()
	return float64(p.busy) / float64(p.engine.now) / float64(p.size)
}

// disk makes commits durable. As in PostgreSQL, all commits that are requested during a write share the next one.
type disk struct {
	engine  *engine
	write   time.Duration
	writing bool
	waiting []func()
	busy    time.Duration
}

// sync calls then when everything requested so far is on the disk.
func (d *disk) sync(then func()) {
	d.waiting = append(d.waiting, then)
	if !d.writing {
		d.next()
	}
}

func (d *disk) next() {
	written := d.waiting
	d.waiting = nil
	d.writing = len(written) > 0
	if !d.writing {
		return
	}
	d.busy += d.write
	d.engine.after(d.write, func() {
		for _, then := range written {
			then()
		}
		d.next()
	})
}
