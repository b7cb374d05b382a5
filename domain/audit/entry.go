package audit

import (
	"context"
	"strings"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/moment"
)

// Entry is one change. Before and After hold the members in which the object differs, never a secret.
type Entry struct {
	ID        string          `json:"_id"`
	At        moment.DateTime `json:"at"`
	SellerID  *string         `json:"sellerId,omitempty"`
	OrgID     *string         `json:"orgId,omitempty"`
	ActorType string          `json:"actorType"`
	ActorID   string          `json:"actorId"`
	// ActorName is the user's e-mail, or the name of the key or device, as it is now; nil when that is gone, is out of
	// the caller's reach, or there never was one.
	ActorName *string        `json:"actorName,omitempty"`
	Action    string         `json:"action"`
	Object    string         `json:"object"`
	ObjectID  string         `json:"objectId"`
	Before    ecmajson.Value `json:"before"`
	After     ecmajson.Value `json:"after"`
	Address   string         `json:"address"`
	RequestID string         `json:"requestId"`
}

// Filter narrows the log; its zero value matches every entry of the seller.
type Filter struct {
	Action   string           `graphql:"action"`
	Object   string           `graphql:"object"`
	ActionIn []string         `graphql:"actionIn"` // one of these
	ObjectIn []string         `graphql:"objectIn"` // one of these
	ObjectID string           `graphql:"objectId"`
	ActorID  string           `graphql:"actorId"`
	From     *moment.DateTime `graphql:"from"`  // inclusive
	Until    *moment.DateTime `graphql:"until"` // exclusive
	// AtFrom and AtUntil are From and Until by their newer names.
	AtFrom  *moment.DateTime `graphql:"atFrom"`
	AtUntil *moment.DateTime `graphql:"atUntil"`
}

// Check returns everything that is wrong with the filter, by its own members.
func (f Filter) Check() error {
	var problems domain.Problems
	problems.Values("actionIn", len(f.ActionIn))
	problems.Values("objectIn", len(f.ObjectIn))
	return problems.Err()
}

// Record names what an entry is about.
type Record struct {
	Object string
	ID     string
}

const recordSeparator = ":"

// RecordNames returns what the records are called where they are listed, as of now, by keys that are an entry's object and its id
// with a colon between them. It reads them in one query (GRAPH-1): ADMIN or the platform.
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

// Store reads a seller's entries, oldest first, with the names that are within reach.
type Store interface {
	Entries(ctx context.Context, reach domain.NameReach, filter Filter, page domain.Page) (domain.List[Entry], error)
	// RecordNames returns what records are called now. Those that are gone, have no name or are out of reach are left out.
	RecordNames(ctx context.Context, reach domain.NameReach, records []Record) (map[Record]string, error)
}

// Log is the audit log of a seller.
type Log struct{ Store Store }

// List returns a seller's entries, oldest first; ADMIN or the platform (decisions 4.4).
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
