package domain

import (
	"context"
	"encoding/json"
	"reflect"
	"regexp"
	"strings"

	"ticketgate/domain/ids"
)

// Event is a change of a seller's resource that is published to webhooks.
type Event struct {
	SellerID ids.Seller
	Type     EventType
	// Data is the event's data object as canonical ECMAScript JSON. These bytes are stored once and sent to every
	// webhook unchanged.
	Data []byte
	// Trace identifies the operation that the event belongs to, for live views of its effects. It may be empty.
	Trace string
}

// Tx is the part that the transactions of all areas have in common. Published events and audit entries are committed or
// rolled back with the change itself (TX-1).
type Tx interface {
	// Publish stores the event, a delivery for each subscribed webhook, and the jobs that send them. It returns the
	// event's id.
	Publish(ctx context.Context, event Event) (string, error)
	// Audit appends an entry to the audit log. It takes the actor, request id and address from the context.
	Audit(ctx context.Context, change Change) error
	// SetResponse sets the response of the operation. Operations that create a record call it, so that a repeated request
	// with the same Idempotency-Key returns the same response.
	SetResponse(result any)
}

// Change is an entry of the audit log: an action on an object. Before and After hold the fields that differ, and never
// a secret.
type Change struct {
	SellerID ids.Seller
	OrgID    ids.Org
	Action   Operation
	Object   string
	ObjectID string
	Before   map[string]any
	After    map[string]any
}

// Diff fills Before and After with the fields that differ between two states of an object. A nil state means that the
// object did not exist. The states must not contain secrets. After the comparison, Diff removes the queries of URLs:
// the log shows that a query changed, but not its content.
func (c Change) Diff(before, after any) Change {
	c.Before, c.After = fieldsOf(before), fieldsOf(after)
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

// withoutQueries removes the query from every URL in a value, in place where possible. Listener URLs often carry a
// token in the query, and the audit log is never pruned.
func withoutQueries(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for name, field := range value {
			value[name] = withoutQueries(field)
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

// Changed reports whether any field differs. A change without a difference publishes nothing.
func (c Change) Changed() bool { return len(c.Before) > 0 || len(c.After) > 0 }

func fieldsOf(state any) map[string]any {
	found := map[string]any{}
	if state == nil {
		return found
	}
	raw, err := json.Marshal(state)
	if err != nil {
		return map[string]any{"error": "not shown"}
	}
	_ = json.Unmarshal(raw, &found) // state was marshaled from a struct or map
	return found
}
