package main

import (
	"container/heap"
	"time"
)

// engine runs events in the order of their simulated times.
type engine struct {
	now time.Duration
	due agenda
	seq int
}

// event is something that happens at a time. Events with the same time happen in the order in which they were
// scheduled.
type event struct {
	at  time.Duration
	seq int
	do  func()
}

// after schedules do after a delay.
func (e *engine) after(delay time.Duration, do func()) {
	e.seq++
	heap.Push(&e.due, event{e.now + delay, e.seq, do})
}

// run runs events until none is left.
func (e *engine) run() {
	for len(e.due) > 0 {
		if next, ok := heap.Pop(&e.due).(event); ok {
			e.now = next.at
			next.do()
		}
	}
}

// agenda is a heap of events, with the next one first.
type agenda []event

// Len implements heap.Interface.
func (a agenda) Len() int { return len(a) }

// Less implements heap.Interface.
func (a agenda) Less(i, j int) bool {
	if a[i].at != a[j].at {
		return a[i].at < a[j].at
	}
	return a[i].seq < a[j].seq
}

// Swap implements heap.Interface.
func (a agenda) Swap(i, j int) { a[i], a[j] = a[j], a[i] }

// Push implements heap.Interface.
func (a *agenda) Push(x any) { *a = append(*a, x.(event)) } //nolint:forcetypeassert,errcheck // only events are pushed

// Pop implements heap.Interface.
func (a *agenda) Pop() any {
	last := (*a)[len(*a)-1]
	(*a)[len(*a)-1] = event{}
	*a = (*a)[:len(*a)-1]
	return last
}
