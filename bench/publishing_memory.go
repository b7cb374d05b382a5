package main

import (
	"context"
	"strings"
	"time"
)

// The size of the load, and the limit of the server's memory.
const (
	publishingLimit   = 200 // MB
	publishingCallers = 64
	publishedAtOnce   = 100
)

// publishingMemory measures the peak memory of a server while 64 callers publish 100 events of 3 KB per call.
func publishingMemory(ctx context.Context, r *rig) (subject, error) {
	p, s, err := r.installation(ctx, "--no-workers")
	if err != nil {
		return subject{}, err
	}
	data := transaction()
	data["ticket"] = map[string]any{"note": strings.Repeat("much more, ", 130)}
	events := p.publishing(s, publishedAtOnce, map[string]any{"type": "fund.created", "data": map[string]any{"fund": data}})
	events.connections = publishingCallers
	measure := func(ctx context.Context, d time.Duration) (figure, error) {
		watched, stop := context.WithCancel(ctx)
		memory := p.largest(watched)
		f, err := events.run(ctx, d)
		stop()
		f.count *= publishedAtOnce
		f.value = <-memory
		return f, err
	}
	return subject{measure: r.costing(p.settled(s), measure), baseline: atMost(publishingLimit), against: "the limit"}, nil
}
