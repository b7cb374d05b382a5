package edge

import (
	"context"

	"ticketgate/domain/ids"
	"ticketgate/domain/share"
)

// Occupy takes a slot of callers without a credential. The returned function releases it.
func (b *Bodies) Occupy(payer ids.Seller) (giveBack func()) {
	giveBack, err := b.anonymous.Take(context.Background(), share.Payer{Seller: payer})
	if err != nil {
		panic(err)
	}
	return giveBack
}
