package scan

import (
	"context"
	"slices"

	"ticketgate/domain/ids"
)

// Chains are the events that events stand below, at any distance, by the ids of these: each chain holds its event as well.
// A ticket of an event opens all events in whose chains that event is, but for those in whose chains one of its
// excludedEventIds is (GATE-7).
type Chains map[string][]string

// ChainStore finds what events stand below.
type ChainStore interface {
	// Chains are those of a seller's events.
	Chains(ctx context.Context, seller ids.Seller, ids []string) (Chains, error)
}

// events are all events of the chains, each once.
func (c Chains) events() []string {
	var all []string
	for _, chain := range c {
		all = append(all, chain...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// opens reports whether a ticket of an event opens the event of a chain.
func opens(of string, excluded, chain []string) bool {
	return slices.Contains(chain, of) && !slices.ContainsFunc(excluded, func(id string) bool { return slices.Contains(chain, id) })
}

// opensAny reports whether a ticket of an event opens one of the device's events or, where it may use all, its own.
func (c Chains) opensAny(device *Device, of string, excluded []string) bool {
	if device.AccessAllEvents {
		return opens(of, excluded, c[of])
	}
	return slices.ContainsFunc(device.Events, func(id string) bool { return opens(of, excluded, c[id]) })
}
