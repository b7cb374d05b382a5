package domain

import (
	"context"
	"encoding/json"
	"reflect"
	"regexp"
	"strings"

	"ticketgate/domain/ids"
)

// Event is something that happened to a seller's resource.
type Event struct {
	SellerID ids.Seller
	Type     EventType
	// Data is the event's data member as canonical ECMAScript JSON: these bytes are stored once and sent to
	// every webhook unchanged (decisions 7.2, 7.3).
	Data []byte
	// Trace names what the event is part of, for those who watch what comes of it; empty when nobody does.
	Trace string
}

// Tx is what a transaction offers to every area: what is published or audited commits with the change it tells
// of, or not at all (decisions 7.10).
type Tx interface {
	// Publish stores the event, one delivery for each webhook that wants it, and the jobs that will send them.
	// It returns the event's id.
	Publish(ctx context.Context, event Event) (string, error)
	// Audit appends an entry to the audit log; actor, request id and address come from the context.
	Audit(ctx context.Context, change Change) error
	// Answer says what the caller will be answered: what makes a resource says it, so that a repeated request
	// with the same Idempotency-Key gets the same answer.
	Answer(result any)
}

// Change is one entry of the audit log: what was done to which object. Before and After hold the members that
// differ, and never a secret.
type Change struct {
	SellerID ids.Seller
	OrgID    ids.Org
	Action   Operation
	Object   string
	ObjectID string
	Before   map[string]any
	After    map[string]any
}

// Diff fills Before and After with the members in which two states of an object differ. A nil state is an
// object that did not exist. The states are what the audit log may show: they carry no secrets. Of addresses it leaves
// the query out, after the comparison: a query that changes is told, and not what it says.
func (c Change) Diff(before, after any) Change {
	c.Before, c.After = members(before), members(after)
	for name, value := range c.Before {
		if other, ok := c.After[name]; ok && reflect.DeepEqual(value, other) {
			delete(c.Before, name)
			delete(c.After, name)
		}
	}
	withoutQueries(c.Before)
	withoutQueries(c.After)
	return c
}

// withoutQueries cuts the query off every address in a value, in place where it can: there listeners like to have a token,
// and the audit log is never cleared.
func withoutQueries(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			value[name] = withoutQueries(member)
		}
	case []any:
		for i, element := range value {
			value[i] = withoutQueries(element)
		}
	case string:
		if address, _, has := strings.Cut(value, "?"); has && addressPattern.MatchString(value) {
			return address
		}
	}
	return value
}

var addressPattern = regexp.MustCompile(`^(?i)https?://\S+$`)

// Changed tells whether anything differs: nothing is published for a change that changes nothing.
func (c Change) Changed() bool { return len(c.Before) > 0 || len(c.After) > 0 }

func members(state any) map[string]any {
	found := map[string]any{}
	if state == nil {
		return found
	}
	raw, err := json.Marshal(state)
	if err != nil {
		return map[string]any{"error": "not shown"}
	}
	_ = json.Unmarshal(raw, &found) // an object marshalled one line above
	return found
}
