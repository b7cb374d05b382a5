package edge

import (
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/share"
)

// LargeRead is the number of records that a request can read without waiting for its seller's share (LIMIT-22).
const LargeRead = 250

// readWait is the maximum wait of a large read. The rest of OrdinaryBound remains for the read itself.
const readWait = 5 * time.Second

// Reads bounds the concurrent large reads of a process. Composing a response takes processor time and about eight times
// its size in memory.
type Reads struct{ shares *share.Shares }

// NewReads returns bounds with all slots free.
func NewReads(total, perSeller int) *Reads {
	return &Reads{share.New(share.Bounds{Total: total, PerSeller: perSeller, Wait: readWait})}
}

// wait takes a slot until the response has been written, because a slow reader keeps the response in memory.
func (r *Reads) wait(ctx context.Context, found *match) error {
	giveBack, err := take(ctx, r.shares)
	if err == nil {
		found.ends = append(found.ends, giveBack)
	}
	return err
}

// HoldRead waits for a slot if a request reads many records. It returns RATE_LIMITED if the seller's other large reads
// take too long.
func HoldRead(ctx context.Context, records int) error {
	read := domain.CallOf(ctx).Read
	if read == nil || records <= LargeRead {
		return nil
	}
	return read.Hold(ctx)
}
