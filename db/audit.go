package db

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"ticketgate/domain"
	"ticketgate/domain/audit"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
)

// auditRow is an entry of the audit log. The application's role may only insert and select them.
type auditRow struct {
	bun.BaseModel `bun:"table:audit_entries,alias:a"`

	ID             string          `bun:"id,pk"`
	At             time.Time       `bun:"at"`
	SellerID       string          `bun:"seller_id,nullzero"`
	OrganizationID string          `bun:"organization_id,nullzero"`
	ActorKind      string          `bun:"actor_kind"`
	ActorID        string          `bun:"actor_id"`
	Action         string          `bun:"action"`
	Object         string          `bun:"object"`
	ObjectID       string          `bun:"object_id"`
	Before         json.RawMessage `bun:"before,type:jsonb"`
	After          json.RawMessage `bun:"after,type:jsonb"`
	Address        string          `bun:"address"`
	RequestID      string          `bun:"request_id"`
}

var actorKindNames = map[domain.ActorKind]string{
	domain.Nobody:               "NOBODY",
	domain.APIKeyActor:          "API_KEY",
	domain.OrganizationKeyActor: "ORGANIZATION_KEY",
	domain.UserActor:            "USER",
	domain.DeviceActor:          "DEVICE",
	domain.BuyerActor:           "BUYER",
	domain.SystemActor:          "SYSTEM",
}

// Audit appends an entry to the audit log. It does nothing if before and after are equal.
func (tx *Tx) Audit(ctx context.Context, change domain.Change) error {
	if !change.Changed() {
		return nil
	}
	return tx.auditAll(ctx, []domain.Change{change})
}

// auditAtOnce is the maximum number of entries per statement.
const auditAtOnce = 1000

// AuditAll is like Audit, for many changes in few statements.
func (tx *Tx) AuditAll(ctx context.Context, changes []domain.Change) error {
	changed := slices.DeleteFunc(slices.Clone(changes), func(change domain.Change) bool { return !change.Changed() })
	for part := range slices.Chunk(changed, auditAtOnce) {
		if err := tx.auditAll(ctx, part); err != nil {
			return err
		}
	}
	return nil
}

// auditBySystem appends entries for changes that Ticketgate made by itself.
func (tx *Tx) auditBySystem(ctx context.Context, changes []domain.Change) error {
	return tx.auditAll(domain.WithActor(ctx, &domain.Actor{Kind: domain.SystemActor, ID: domain.SystemID}), changes)
}

func (tx *Tx) auditAll(ctx context.Context, changes []domain.Change) error {
	if len(changes) == 0 {
		return nil
	}
	entries := make([]auditRow, len(changes))
	for i, change := range changes {
		var err error
		if entries[i], err = auditRowOf(change, domain.ActorOf(ctx), domain.CallOf(ctx), tx.store.now()); err != nil {
			return err
		}
	}
	return insertAll(ctx, tx, entries)
}

// auditRowOf returns the entry for a change that an actor made in a call.
func auditRowOf(change domain.Change, actor *domain.Actor, call domain.Call, now time.Time) (auditRow, error) {
	before, err := json.Marshal(change.Before)
	if err != nil {
		return auditRow{}, err
	}
	after, err := json.Marshal(change.After)
	return auditRow{
		ID: ids.New(now), At: now, SellerID: string(change.SellerID), OrganizationID: string(change.OrgID),
		ActorKind: actorKindNames[actor.Kind], ActorID: actor.ID,
		Action: string(change.Action), Object: change.Object, ObjectID: change.ObjectID,
		Before: before, After: after, Address: call.Address, RequestID: call.RequestID,
	}, err
}

var auditEntries = &source[auditRow]{}

type auditStore struct{ *Store }

// Audit returns the store of package audit.
func (s *Store) Audit() audit.Store { return auditStore{s} }

// Entries lists a seller's audit entries, oldest first, with the names that are within reach.
func (s auditStore) Entries(
	ctx context.Context, reach domain.NameReach, filter audit.Filter, page domain.Page,
) (domain.List[audit.Entry], error) {
	kind, actor := "", filter.ActorID
	if actor == domain.SystemID {
		kind, actor = actorKindNames[domain.SystemActor], ""
	}
	from, until := latest(filter.From, filter.AtFrom), earliest(filter.Until, filter.AtUntil)
	// The id contains the time of the entry in seconds, or a later one if the clock was set back.
	written := bound("a.id >= coalesce($::text, '')", "", from, idBound)
	written.key = true
	q := auditEntries.of(reach.SellerID).filteredBy(nil,
		equals("a.action", filter.Action), equals("a.object", filter.Object), equals("a.object_id", filter.ObjectID),
		equals("a.actor_kind", kind), equals("a.actor_id", actor), oneOf("a.action", filter.ActionIn), oneOf("a.object", filter.ObjectIn),
		at("a.at >= $", from), at("a.at < $", until), written)
	list, err := listing[auditRow, audit.Entry]{query: q, id: "a.id", item: auditRow.entry}.page(ctx, s.Store, page)
	if err != nil {
		return list, err
	}
	return list, s.nameActors(ctx, reach, list.Items)
}

func (s auditStore) nameActors(ctx context.Context, reach domain.NameReach, entries []audit.Entry) error {
	actors := make([]string, len(entries))
	for i, entry := range entries {
		actors[i] = entry.ActorID
	}
	names, err := s.names(ctx, reach, actors)
	for i, entry := range entries {
		entries[i].ActorName = optionalText(names[named{Kind: entry.ActorType, ID: entry.ActorID}])
	}
	return err
}

func (r auditRow) entry() (audit.Entry, error) {
	before, err := ecmajson.Parse(r.Before, ecmajson.Limits{})
	if err != nil {
		return audit.Entry{}, err
	}
	after, err := ecmajson.Parse(r.After, ecmajson.Limits{})
	if err != nil {
		return audit.Entry{}, err
	}
	if r.ActorKind == actorKindNames[domain.SystemActor] {
		r.ActorID = domain.SystemID // older entries of calls with the system token have no actor
	}
	return audit.Entry{
		ID: r.ID, At: moment.New(r.At), SellerID: optionalText(r.SellerID), OrgID: optionalText(r.OrganizationID),
		ActorType: r.ActorKind, ActorID: r.ActorID, Action: r.Action, Object: r.Object, ObjectID: r.ObjectID,
		Before: before, After: after, Address: r.Address, RequestID: r.RequestID,
	}, nil
}

// instant returns an optional date-time as a query argument, or nil.
func instant(when *moment.DateTime) *time.Time {
	if when == nil {
		return nil
	}
	return &when.Time
}

// optionalText returns text for a nullable column, or nil if it is empty.
func optionalText(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
