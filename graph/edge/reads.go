package edge

import (
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/share"
)

// LargeRead is how many records a request may ask for without waiting for its seller's share (LIMIT-22).
const LargeRead = 250

// readWait is how long a large read waits. It leaves the rest of OrdinaryBound for the read itself.
const readWait = 5 * time.Second

// Reads bounds the large reads that a process answers at a time: composing an answer takes processor time, and about eight
// times its size in memory.
type Reads struct{ shares *share.Shares }

// NewReads returns bounds that nothing has been taken from.
func NewReads(total, perSeller int) *Reads {
	return &Reads{share.New(share.Bounds{Total: total, PerSeller: perSeller, Wait: readWait})}
}

// wait takes a place until the response has been written: a caller who reads slowly holds the answer in memory.
func (r *Reads) wait(ctx context.Context, found *match) error {
	giveBack, err := take(ctx, r.shares)
	if err == nil {
		found.ends = append(found.ends, giveBack)
	}
	return err
}

// HoldRead waits for a place if a request asks for many records. It returns RATE_LIMITED if the seller's other large reads take too
// long.
func HoldRead(ctx context.Context, records int) error {
	read := domain.CallOf(ctx).Read
	if read == nil || records <= LargeRead {
		return nil
	}
	return read.Hold(ctx)
}
