package scan

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
)

// Feed is what devices are told of changes, in an order that never changes: whoever has seen everything up to a number
// never finds anything new before it.
type Feed struct {
	Store FeedStore
	Gates Gates
}

// FeedStore keeps the feed. Numbers are given when a change is read first, under a lock of the seller's, and only to what
// is committed: writers never wait for each other, and no number appears behind a reader.
type FeedStore interface {
	// Changes are those of the seller after a number, oldest first, at most so many.
	Changes(ctx context.Context, seller ids.Seller, after int64, limit int) ([]Change, FeedEnds, error)
	ChainStore
}

// FeedEnds are the numbers between which the feed can be read. Forgotten is the greatest that is no longer kept, 0 while
// all are: between it and the changes nothing is missing. Newest is the greatest that was ever given.
type FeedEnds struct{ Forgotten, Newest int64 }

// ChangeType says what a device has to do about a change.
type ChangeType string

// The types of change.
const (
	// TicketGranted: the ticket is valid, with this code at this event, or what is known of it has changed.
	TicketGranted ChangeType = "ticket.granted"
	// TicketRevoked: the ticket no longer opens this event with this code.
	TicketRevoked ChangeType = "ticket.revoked"
	// EntryGranted and EntryRevoked: a code of an access list.
	EntryGranted ChangeType = "entry.granted"
	EntryRevoked ChangeType = "entry.revoked"
	// RulesChanged: the device's own settings or its scan group, which it reads again; or when an event is, or which events
	// it stands below, so that other tickets may open it than before.
	RulesChanged ChangeType = "rules.changed"
)

// Names lists the types.
func (ChangeType) Names() []string {
	return []string{
		string(TicketGranted), string(TicketRevoked), string(EntryGranted), string(EntryRevoked), string(RulesChanged),
	}
}

// Change is one row of the feed.
type Change struct {
	Seq  int64      `json:"seq"`
	Type ChangeType `json:"type"`
	// ObjectID is that of the ticket, the entry, the scan group, the device or the event.
	ObjectID string `json:"objectId"`
	// Code is the ticket's barcode or the entry's external code.
	Code *string `json:"code,omitempty"`
	// EventID is the ticket's event, or the one whose rules have changed, ListID the entry's list.
	EventID *string         `json:"eventId,omitempty"`
	ListID  *string         `json:"listId,omitempty"`
	At      moment.DateTime `json:"at"`
	// Excluded are the excludedEventIds that a granted ticket has by now.
	Excluded []string `json:"-"`
}

// ChangePage is a part of the feed.
type ChangePage struct {
	Changes []Change `json:"changes"`
	// Next is what to ask after the next time, also when nothing of this part concerned the device.
	Next int64 `json:"next"`
	// More says that there is more right now.
	More bool `json:"more"`
}

// The sizes of a part of the feed.
const (
	defaultChanges = 500
	maxChanges     = 1000
)

// After returns what changed after a number, as far as it concerns the calling device: its events and those above them with
// their tickets, entries, its own settings and its scan group. Without a number it begins with the oldest change that is kept.
// FEED_EXPIRED when changes after the number are no longer kept, or when it was never given, as after the database was restored from a
// backup: the device may have missed some, and has to synchronise anew.
func (s Feed) After(ctx context.Context, after *int, limit *int) (ChangePage, error) {
	actor, err := domain.Authorize(ctx, domain.ListDeviceFeed)
	if err != nil {
		return ChangePage{}, err
	}
	from, size, err := feedPage(after, limit)
	if err != nil {
		return ChangePage{}, err
	}
	gate, err := s.Gates.Gate(ctx, actor.SellerID, actor.ID)
	if err != nil {
		return ChangePage{}, err
	}
	found, ends, err := s.Store.Changes(ctx, actor.SellerID, from, size+1)
	if err != nil {
		return ChangePage{}, err
	}
	if after != nil && (from < ends.Forgotten || from > ends.Newest) {
		return ChangePage{}, ends.expired(from)
	}
	page := ChangePage{Changes: []Change{}, Next: max(from, ends.Forgotten)}
	if len(found) > size {
		found, page.More = found[:size], true
	}
	chains, err := s.chains(ctx, gate, found)
	for _, change := range found {
		page.Next = change.Seq
		if gate.concernedBy(change, chains) {
			page.Changes = append(page.Changes, gate.told(change, chains))
		}
	}
	return page, err
}

// told is a change as a device gets it: a ticket that opens none of its events is revoked, whatever it opens elsewhere (GATE-9).
func (g Gate) told(change Change, chains Chains) Change {
	if change.Type == TicketGranted && len(change.Excluded) > 0 && !chains.opensAny(&g.Device, *change.EventID, change.Excluded) {
		change.Type = TicketRevoked
	}
	return change
}

// expired says what to do: read the tickets again, and then the feed from where it begins.
func (e FeedEnds) expired(after int64) error {
	reason, bound := fmt.Sprintf("Changes up to %d are no longer kept", e.Forgotten), fmt.Sprintf("must be at least %d", e.Forgotten)
	if after > e.Newest {
		reason, bound = fmt.Sprintf("No change has a number above %d", e.Newest), fmt.Sprintf("must be at most %d", e.Newest)
	}
	expired := domain.NewError(domain.CodeFeedExpired, reason+"; synchronise anew, then read the feed without after")
	expired.Fields = []domain.FieldError{{Path: "after", Message: bound}}
	return expired
}

func feedPage(after, limit *int) (from int64, size int, err error) {
	var problems domain.Problems
	if size = defaultChanges; limit != nil {
		size = *limit
	}
	if size < 1 || size > maxChanges {
		problems.Add("limit", fmt.Sprintf("must be an integer from 1 to %d", maxChanges))
	}
	if after != nil {
		from = int64(*after)
	}
	if from < 0 {
		problems.Add("after", "must be an integer of at least 0")
	}
	return from, size, problems.Err()
}

// chains are those of the device's events; it asks for them only where another event or a ticket of one has changed, or
// where a ticket excludes events.
func (s Feed) chains(ctx context.Context, gate Gate, found []Change) (Chains, error) {
	var wanted []string
	for _, change := range found {
		if change.EventID == nil {
			continue
		}
		if !gate.Device.MayUse(*change.EventID) || len(change.Excluded) > 0 {
			wanted = append(wanted, *change.EventID)
		}
	}
	if len(wanted) == 0 {
		return Chains{}, nil
	}
	if !gate.Device.AccessAllEvents {
		wanted = gate.Device.Events
	}
	return s.Store.Chains(ctx, gate.Device.SellerID, wanted)
}

// concernedBy reports whether a device has to know of a change: of codes only where it may exchange them.
func (g Gate) concernedBy(change Change, chains Chains) bool {
	switch change.Type {
	case EntryGranted, EntryRevoked:
		return g.exchangesCodes()
	case TicketGranted, TicketRevoked, RulesChanged:
	}
	if change.EventID == nil {
		return change.ObjectID == g.Device.ID || change.ObjectID == g.Device.GroupID()
	}
	if g.Device.MayUse(*change.EventID) {
		return true
	}
	return slices.Contains(chains.events(), *change.EventID)
}

// exchangesCodes reports whether tap and go is on for an event that the device may use.
func (g Gate) exchangesCodes() bool {
	config := g.Config()
	switch {
	case config == nil || config.TapAndGo == nil || !config.TapAndGo.Enabled:
		return false
	case config.TapAndGo.EventIDs == nil:
		return g.Device.AccessAllEvents || len(g.Device.Events) > 0
	}
	return slices.ContainsFunc(config.TapAndGo.EventIDs, g.Device.MayUse)
}

// MarshalGQL writes the type, whose dot no GraphQL enum can have.
func (t ChangeType) MarshalGQL(w io.Writer) { _, _ = io.WriteString(w, strconv.Quote(string(t))) }

// UnmarshalGQL reads any text; no input has a type of change.
func (t *ChangeType) UnmarshalGQL(v any) error {
	*t = ChangeType(fmt.Sprint(v))
	return nil
}
