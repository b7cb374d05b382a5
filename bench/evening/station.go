package main

import "time"

// places are a number of equal resources that are held for a while: cores, connections. Requests that find none free wait in
// line.
type places struct {
	name    string
	engine  *engine
	size    int
	held    int
	waiting []func()
	// busy is the total time that places were held.
	busy  time.Duration
	since time.Duration
}

// take calls then as soon as a place is free. give returns the place.
func (p *places) take(then func()) {
	if p.held == p.size {
		p.waiting = append(p.waiting, then)
		return
	}
	p.count()
	p.held++
	then()
}

// give hands the place to the first in line.
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

// hold takes a place for a time.
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

// use returns the fraction of the time so far in which the average place was held.
func (p *places) use() float64 {
	p.count()
	return float64(p.busy) / float64(p.engine.now) / float64(p.size)
}

// disk makes commits durable. All commits requested during a write are written together by the next, as in PostgreSQL.
type disk struct {
	engine  *engine
	write   time.Duration
	writing bool
	waiting []func()
	busy    time.Duration
}

// sync calls then when everything so far is on the disk.
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
