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

// Feed lists changes for devices. Its order is fixed: a reader that has seen everything up to a number never finds a
// new change before it.
type Feed struct {
	Store FeedStore
	Gates Gates
}

// FeedStore stores the feed. A change gets its number when it is first read, under a lock of the seller, and only after
// it is committed. So writers don't wait for each other, and no number appears behind a reader.
type FeedStore interface {
	// Changes returns up to limit changes of the seller after a number, oldest first.
	Changes(ctx context.Context, seller ids.Seller, after int64, limit int) ([]Change, FeedEnds, error)
	ChainStore
}

// FeedEnds are the bounds of the feed. Forgotten is the highest number that was removed, or 0 if none was. Every later
// change is still stored. Newest is the highest number that was assigned.
type FeedEnds struct{ Forgotten, Newest int64 }

// ChangeType is the kind of a change, which decides how a device applies it.
type ChangeType string

// The types of change.
const (
	// TicketGranted: the ticket is valid with this code at this event, or its data has changed.
	TicketGranted ChangeType = "ticket.granted"
	// TicketRevoked: the ticket no longer opens this event with this code.
	TicketRevoked ChangeType = "ticket.revoked"
	// EntryGranted and EntryRevoked concern a code of an access list.
	EntryGranted ChangeType = "entry.granted"
	EntryRevoked ChangeType = "entry.revoked"
	// RulesChanged: the device's own settings or its scan group have changed, and the device must read them again. Or
	// an event's time or the events above it have changed, so that other tickets may open it.
	RulesChanged ChangeType = "rules.changed"
)

// Names returns all types.
func (ChangeType) Names() []string {
	return []string{
		string(TicketGranted), string(TicketRevoked), string(EntryGranted), string(EntryRevoked), string(RulesChanged),
	}
}

// Change is an entry of the feed.
type Change struct {
	Seq  int64      `json:"seq"`
	Type ChangeType `json:"type"`
	// ObjectID is the id of the ticket, entry, scan group, device or event.
	ObjectID string `json:"objectId"`
	// Code is the ticket's barcode or the entry's external code.
	Code *string `json:"code,omitempty"`
	// EventID is the ticket's event, or the event whose rules have changed. ListID is the entry's list.
	EventID *string         `json:"eventId,omitempty"`
	ListID  *string         `json:"listId,omitempty"`
	At      moment.DateTime `json:"at"`
	// Excluded are the current excludedEventIds of a granted ticket.
	Excluded []string `json:"-"`
}

// ChangePage is a page of the feed.
type ChangePage struct {
	Changes []Change `json:"changes"`
	// Next is the number to continue after, even if no change of this page concerns the device.
	Next int64 `json:"next"`
	// More reports whether there are more changes now.
	More bool `json:"more"`
}

// The default and maximum size of a page.
const (
	defaultChanges = 500
	maxChanges     = 1000
)

// After returns the changes after a number that concern the calling device: tickets of its events and of those above,
// entries, its own settings and its scan group. Without a number it starts with the oldest stored change. If changes
// after the number were removed, the error is FEED_EXPIRED. The error is the same if the number was never assigned, for
// example because the database was restored from a backup. The device may have missed changes and must synchronize
// again.
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
			page.Changes = append(page.Changes, gate.relevant(change, chains))
		}
	}
	return page, err
}

// relevant returns a change as the device gets it. A ticket that opens none of the device's events is revoked, whatever
// else it opens (GATE-9).
func (g Gate) relevant(change Change, chains Chains) Change {
	if change.Type == TicketGranted && len(change.Excluded) > 0 && !chains.opensAny(&g.Device, *change.EventID, change.Excluded) {
		change.Type = TicketRevoked
	}
	return change
}

// expired returns the error that tells a device to read its tickets again, and then the feed from its start.
func (e FeedEnds) expired(after int64) error {
	reason, bound := fmt.Sprintf("Changes up to %d are no longer kept", e.Forgotten), fmt.Sprintf("must be at least %d", e.Forgotten)
	if after > e.Newest {
		reason, bound = fmt.Sprintf("No change has a number above %d", e.Newest), fmt.Sprintf("must be at most %d", e.Newest)
	}
	expired := domain.NewError(domain.CodeFeedExpired, reason+". Synchronize again, then read the feed without after")
	expired.Fields = []domain.FieldError{{Path: "after", Message: bound}}
	return expired
}

func feedPage(after, limit *int) (from int64, size int, err error) {
	var errs domain.FieldErrors
	if size = defaultChanges; limit != nil {
		size = *limit
	}
	if size < 1 || size > maxChanges {
		errs.Add("limit", fmt.Sprintf("must be an integer from 1 to %d", maxChanges))
	}
	if after != nil {
		from = int64(*after)
	}
	if from < 0 {
		errs.Add("after", "must not be negative")
	}
	return from, size, errs.Err()
}

// chains returns the chains of the device's events. It reads them only if a change concerns another event or a ticket
// that excludes events.
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

// concernedBy reports whether a change concerns the device. Codes concern it only if it may exchange them.
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

// exchangesCodes reports whether tap and go is enabled for an event that the device may use.
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

// MarshalGQL writes the type as a string, since its dot is not allowed in GraphQL enums.
func (t ChangeType) MarshalGQL(w io.Writer) { _, _ = io.WriteString(w, strconv.Quote(string(t))) }

// UnmarshalGQL accepts any text. No input has this type.
func (t *ChangeType) UnmarshalGQL(v any) error {
	*t = ChangeType(fmt.Sprint(v))
	return nil
}
