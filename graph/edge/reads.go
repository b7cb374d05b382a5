package edge

import (
	"context"
	"time"

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

// HoldRead waits for a place if a request asks for many records, and keeps it until the response has been written: a caller who
// reads slowly holds the answer in memory. It returns RATE_LIMITED if the seller's other large reads take too long.
func HoldRead(ctx context.Context, records int) error {
	found := matchOf(ctx)
	if found.reads == nil || records <= LargeRead {
		return nil
	}
	giveBack, err := take(ctx, found.reads.shares)
	if err == nil {
		found.ends = append(found.ends, giveBack)
	}
	return err
}
