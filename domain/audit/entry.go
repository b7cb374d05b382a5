package audit

import (
	"context"
	"strings"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/moment"
)

// Entry is a change in the audit log. Before and After hold the fields that differ, and never a secret.
type Entry struct {
	ID        string          `json:"_id"`
	At        moment.DateTime `json:"at"`
	SellerID  *string         `json:"sellerId,omitempty"`
	OrgID     *string         `json:"orgId,omitempty"`
	ActorType string          `json:"actorType"`
	ActorID   string          `json:"actorId"`
	// ActorName is the current email address of the user or name of the key or device. It is nil if the actor is gone,
	// has no name or is out of the caller's reach.
	ActorName *string        `json:"actorName,omitempty"`
	Action    string         `json:"action"`
	Object    string         `json:"object"`
	ObjectID  string         `json:"objectId"`
	Before    ecmajson.Value `json:"before"`
	After     ecmajson.Value `json:"after"`
	Address   string         `json:"address"`
	RequestID string         `json:"requestId"`
}

// Filter narrows the log. The zero value matches every entry of the seller.
type Filter struct {
	Action   string           `graphql:"action"`
	Object   string           `graphql:"object"`
	ActionIn []string         `graphql:"actionIn"` // any of these
	ObjectIn []string         `graphql:"objectIn"` // any of these
	ObjectID string           `graphql:"objectId"`
	ActorID  string           `graphql:"actorId"`
	From     *moment.DateTime `graphql:"from"`  // inclusive
	Until    *moment.DateTime `graphql:"until"` // exclusive
	// AtFrom and AtUntil are the newer names of From and Until.
	AtFrom  *moment.DateTime `graphql:"atFrom"`
	AtUntil *moment.DateTime `graphql:"atUntil"`
}

// Check returns the faults of the filter by field.
func (f Filter) Check() error {
	var errs domain.FieldErrors
	errs.Values("actionIn", len(f.ActionIn))
	errs.Values("objectIn", len(f.ObjectIn))
	return errs.Err()
}

// Record identifies the object of an entry.
type Record struct {
	Object string
	ID     string
}

const recordSeparator = ":"

// RecordNames returns the current names of records by their keys: an entry's object and object id, joined by a colon.
// It reads them in one query (GRAPH-1). It requires ADMIN or the platform.
func (l Log) RecordNames(ctx context.Context, keys []string) (map[string]string, error) {
	actor, err := domain.Authorize(ctx, domain.ListAuditLog)
	if err != nil {
		return nil, err
	}
	records := make([]Record, len(keys))
	for i, key := range keys {
		records[i].Object, records[i].ID, _ = strings.Cut(key, recordSeparator)
	}
	found, err := l.Store.RecordNames(ctx, actor.NameReach(actor.SellerID, actor.OrgID), records)
	names := make(map[string]string, len(found))
	for record, name := range found {
		names[record.Object+recordSeparator+record.ID] = name
	}
	return names, err
}

// Store reads a seller's entries, oldest first, with the names within reach.
type Store interface {
	Entries(ctx context.Context, reach domain.NameReach, filter Filter, page domain.Page) (domain.List[Entry], error)
	// RecordNames returns the current names of records. Records that are gone, have no name or are out of reach are
	// left out.
	RecordNames(ctx context.Context, reach domain.NameReach, records []Record) (map[Record]string, error)
}

// Log is the audit log of a seller.
type Log struct{ Store Store }

// List returns a seller's entries, oldest first. It requires ADMIN or the platform.
func (l Log) List(ctx context.Context, filter Filter, page domain.Page) (domain.List[Entry], error) {
	actor, err := domain.Authorize(ctx, domain.ListAuditLog)
	if err != nil {
		return domain.List[Entry]{}, err
	}
	if err := filter.Check(); err != nil {
		return domain.List[Entry]{}, err
	}
	return l.Store.Entries(ctx, actor.NameReach(actor.SellerID, actor.OrgID), filter, page)
}
