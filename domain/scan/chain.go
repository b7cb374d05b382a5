package scan

import (
	"context"
	"slices"

	"ticketgate/domain/ids"
)

// Chains maps the id of an event to its chain: the ids of the event and of all events above it, at any distance. A
// ticket of an event opens every event whose chain contains it, except those whose chain contains one of the ticket's
// excludedEventIds (GATE-7).
type Chains map[string][]string

// ChainStore reads the chains of events.
type ChainStore interface {
	// Chains returns the chains of the seller's events with these ids.
	Chains(ctx context.Context, seller ids.Seller, ids []string) (Chains, error)
}

// events returns all events of the chains without duplicates.
func (c Chains) events() []string {
	var all []string
	for _, chain := range c {
		all = append(all, chain...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// opens reports whether a ticket of an event opens the event with this chain.
func opens(of string, excluded, chain []string) bool {
	return slices.Contains(chain, of) && !slices.ContainsFunc(excluded, func(id string) bool { return slices.Contains(chain, id) })
}

// opensAny reports whether a ticket of an event opens one of the device's events or, if the device may use all, its
// own event.
func (c Chains) opensAny(device *Device, of string, excluded []string) bool {
	if device.AccessAllEvents {
		return opens(of, excluded, c[of])
	}
	return slices.ContainsFunc(device.Events, func(id string) bool { return opens(of, excluded, c[id]) })
}
