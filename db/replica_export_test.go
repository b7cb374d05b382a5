package db

import (
	"context"
	"time"
)

// SampleForever records the primary's position once a second for a time that passes at once, and returns the number of
// positions that are kept.
func (s *Store) SampleForever(ctx context.Context, passed time.Duration) int {
	now := time.Time{}
	r := &replica{store: s, clock: func() time.Time { return now }}
	for end := now.Add(passed); now.Before(end); now = now.Add(sampleEvery) {
		r.sample(ctx)
	}
	return len(r.samples)
}
