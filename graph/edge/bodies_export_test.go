package edge

import (
	"context"

	"ticketgate/domain/ids"
	"ticketgate/domain/share"
)

// Occupy takes a place of bodies of callers without a credential, and returns what gives it back.
func (b *Bodies) Occupy(payer ids.Seller) (giveBack func()) {
	giveBack, err := b.nameless.Take(context.Background(), share.Payer{Seller: payer})
	if err != nil {
		panic(err)
	}
	return giveBack
}
