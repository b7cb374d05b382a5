package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"
)

// pace is the number of events per second when individual times are measured.
const pace = 50

// paced sends to the listener at the pace, one at a time. It measures the time from sending to arrival and, separately,
// from the response, which follows the commit. If one takes longer than the interval, the next is sent late.
func paced(ctx context.Context, v *receiver, d time.Duration, send func(ctx context.Context, number int) error) (figure, error) {
	v.forget()
	ticks := time.NewTicker(time.Second / pace)
	defer ticks.Stop()
	var times, after []time.Duration
	start := time.Now()
	for number := 1; time.Since(start) < d; number++ {
		select {
		case <-ticks.C:
		case <-ctx.Done():
			return figure{}, ctx.Err()
		}
		sent := time.Now()
		if err := send(ctx, number); err != nil {
			return figure{}, err
		}
		committed := time.Now()
		_, last, err := v.await(ctx, number)
		if err != nil {
			return figure{}, err
		}
		times, after = append(times, last.Sub(sent)), append(after, max(0, last.Sub(committed)))
	}
	late := 0
	for _, each := range times {
		if each > time.Second {
			late++
		}
	}
	f := timed(times, time.Since(start))
	f.value = inMilliseconds(f.p50)
	told := timed(after, time.Since(start))
	f.remark = fmt.Sprintf("%d of %d took more than a second; p50 %.1f ms and p99 %.1f ms from the response",
		late, f.count, inMilliseconds(told.p50), inMilliseconds(told.p99))
	return f, nil
}

// publishPaced measures the time from the start of the publishing call, which includes its commit and response, to the
// arrival.
func (p *process) publishPaced(s seller, v *receiver) measurement {
	return pacedBy(p.publish(s, 1), v)
}

// pacedBy is like publishPaced, for a load that publishes one event per call.
func pacedBy(item load, v *receiver) measurement {
	return func(ctx context.Context, d time.Duration) (figure, error) {
		c, err := dial(ctx, item.address, time.Now().Add(d+5*grace))
		if err != nil {
			return figure{}, err
		}
		defer c.close()
		return paced(ctx, v, d, func(_ context.Context, number int) error { return item.one(c, number) })
	}
}

// latency measures the delivery time of single events on a quiet server, and their cost.
func latency(ctx context.Context, r *rig) (subject, error) {
	return r.besideRiver(ctx, func(s *publishing) measurement { return pacedBy(s.events, s.receiver) })
}

// hasty is a rate at which many events are in flight at the same time.
const hasty = 500

// latencyAt is like latency at a given rate. Times are measured from when each event is due.
func latencyAt(rate int) func(context.Context, *rig) (subject, error) {
	return func(ctx context.Context, r *rig) (subject, error) {
		return r.besideRiver(ctx, func(s *publishing) measurement {
			return func(ctx context.Context, d time.Duration) (figure, error) { return s.arriving(ctx, rate, d) }
		})
	}
}

// longer is the factor by which measurements with little work last longer, because the system counts processor time in
// steps of 10 ms.
const longer = 3

// besideRiver prepares a measurement of single events, with a River program as its baseline.
func (r *rig) besideRiver(ctx context.Context, of func(*publishing) measurement) (subject, error) {
	s, err := r.newPublishing(ctx, 1)
	if err != nil {
		return subject{}, err
	}
	other, err := r.riverPublishing(ctx, 1)
	if err != nil {
		return subject{}, err
	}
	var measurements [2]measurement
	for i, item := range []*publishing{s, other} {
		measure := of(item)
		if _, err := measure(ctx, warmUp); err != nil {
			return subject{}, err
		}
		measurements[i] = r.costing(item.process, func(ctx context.Context, d time.Duration) (figure, error) {
			return measure(ctx, longer*d)
		})
	}
	return subject{
		measure: measurements[0], baseline: measurements[1],
		against: ofRiver + ", from the call to the listener",
	}, nil
}

// arriving publishes events at a rate, one per call, and measures the time from when each is due to its arrival. A
// number in the event identifies its delivery.
func (s *publishing) arriving(ctx context.Context, rate int, d time.Duration) (figure, error) {
	s.receiver.forget()
	events, start := s.events, time.Now()
	numbered := newNumbered(events.request(0))
	events.request = func(number int) []byte { return numbered.at(int64(number)) }
	published, err := scheduled(ctx, events.address, rate, publishingCallers, d, func(_ context.Context, c *client, number int) error {
		return events.one(c, number)
	})
	if err != nil {
		return figure{}, err
	}
	if _, _, err = s.receiver.await(ctx, published.count); err != nil {
		return figure{}, err
	}
	times, err := s.receiver.since(published.count, func(number int) time.Time {
		return start.Add(time.Duration(number) * time.Second / time.Duration(rate))
	})
	f := timed(times, time.Since(start))
	f.value = inMilliseconds(f.p50)
	return f, err
}

// hangs is a number of unresponsive listeners with a number of events each.
type hangs struct{ listeners, events int }

var (
	smallHanging = hangs{20, 200}
	fullHanging  = hangs{100, 1000}
)

// hanging measures the delivery time of events to a responsive listener while other listeners are unresponsive. It
// takes times as long as other measurements, because deliveries to these are retried. The baseline is the same without
// unresponsive listeners.
func hanging(size hangs, times int) func(context.Context, *rig) (subject, error) {
	return func(ctx context.Context, r *rig) (subject, error) {
		p, s, err := r.installation(ctx)
		if err != nil {
			return subject{}, err
		}
		if _, err := r.work(ctx, r.environment()); err != nil { // the second process
			return subject{}, err
		}
		v := r.newReceiver()
		if err := p.asSeller(s).hook(ctx, v.url); err != nil {
			return subject{}, err
		}
		measure := p.publishPaced(s, v)
		if _, err := measure(ctx, warmUp); err != nil {
			return subject{}, err
		}
		quiet, err := measure(ctx, 5*time.Second)
		if err != nil {
			return subject{}, err
		}
		if err := r.hang(ctx, p, size); err != nil {
			return subject{}, err
		}
		return subject{
			measure: func(ctx context.Context, d time.Duration) (figure, error) {
				return measure(ctx, time.Duration(times)*d)
			},
			against:  "the same before anything hangs",
			baseline: func(context.Context, time.Duration) (figure, error) { return quiet, nil },
			remark:   fmt.Sprintf("%d events to each of %d listeners that never respond", size.events, size.listeners),
		}, nil
	}
}

// hang creates unresponsive listeners of another seller and publishes events to all of them.
func (r *rig) hang(ctx context.Context, p *process, size hangs) error {
	wait := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-wait:
		case <-r.Context().Done():
		}
	}))
	r.onEnd(func() { close(wait); server.Close() })
	if len(r.sellers) < 2 {
		return errors.New("ticketgate seed created no second seller")
	}
	second := r.sellers[1]
	for i := range size.listeners {
		if err := p.asSeller(second).hook(ctx, fmt.Sprintf("%s/%d", server.URL, i)); err != nil {
			return err
		}
	}
	const perCall = 100
	events := p.publish(second, perCall)
	events.limit = size.events / perCall
	f, err := events.run(ctx, 10*time.Minute)
	if err == nil && f.count < events.limit {
		err = errors.New("the server is too slow to publish the hanging events")
	}
	return err
}
