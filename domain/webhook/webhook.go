package webhook

import (
	"fmt"
	"maps"
	"slices"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/listenerurl"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
)

// maxKeyLength bounds a signing key, in characters.
const maxKeyLength = 4096

// Webhook is a seller's configuration of which events go to which listener URL (spec 2.5).
type Webhook struct {
	ID        string          `json:"_id"`
	SellerID  ids.Seller      `json:"sellerId"`
	Name      string          `json:"name"`
	URL       string          `json:"url"`
	Enabled   bool            `json:"enabled"`
	Events    Selection       `json:"events"`
	HMACKey   string          `json:"hmacKey,omitempty"` // empty: calls are not signed (decisions 7.1)
	CreatedBy domain.Creator  `json:"createdBy"`
	CreatedAt moment.DateTime `json:"createdAt"`
	UpdatedAt moment.DateTime `json:"updatedAt"`
}

// NewWebhook is what a caller says of a webhook to make. Absent: enabled is true, no event is wanted, calls are not
// signed (decisions 7.1).
type NewWebhook struct {
	Name    string                    `json:"name"`
	URL     string                    `json:"url"`
	Enabled optional.Value[bool]      `json:"enabled"`
	Events  optional.Value[Selection] `json:"events"`
	HMACKey optional.Value[string]    `json:"hmacKey"`
}

// Change is what a caller says of a webhook that exists. An absent member keeps its value, null puts it back to that
// of a new webhook, and events replace the old ones whole (decisions 1.4, 7.1).
type Change struct {
	Name    string                    `json:"name"`
	URL     string                    `json:"url"`
	Enabled optional.Value[bool]      `json:"enabled"`
	Events  optional.Value[Selection] `json:"events"`
	HMACKey optional.Value[string]    `json:"hmacKey"`
	// ExpectedUpdatedAt is the updatedAt that the caller last saw: another one is CONFLICT. REST has If-Match for it.
	ExpectedUpdatedAt *moment.DateTime `json:"-" graphql:"expectedUpdatedAt"`
}

// change is a new webhook as a change of one that has every default.
func (n NewWebhook) change() Change {
	return Change{Name: n.Name, URL: n.URL, Enabled: n.Enabled, Events: n.Events, HMACKey: n.HMACKey}
}

// with returns the webhook after the change, or everything that is wrong with it.
func (w Webhook) with(change Change, policy listenerurl.Policy) (Webhook, error) {
	var problems domain.Problems
	w.Name = problems.Name("name", change.Name)
	w.URL = change.URL
	if _, err := listenerurl.Parse(change.URL, policy); err != nil {
		problems.Add("url", "is refused: "+err.Error())
	}
	if change.Enabled.Set {
		w.Enabled = change.Enabled.Or(true)
	}
	if change.Events.Set {
		selected := change.Events.Or(nil)
		selected.check(&problems)
		w.Events = NewSelection(selected.Types())
	}
	w.HMACKey = change.HMACKey.Apply(w.HMACKey)
	if length := len([]rune(w.HMACKey)); length > maxKeyLength {
		problems.Add("hmacKey", fmt.Sprintf("must be at most %d characters, not %d", maxKeyLength, length))
	}
	problems.Text("hmacKey", w.HMACKey)
	return w, problems.Err()
}

// same tells whether two states of a webhook differ in nothing that a caller can set.
func (w *Webhook) same(other *Webhook) bool {
	return w.Name == other.Name && w.URL == other.URL && w.Enabled == other.Enabled &&
		w.HMACKey == other.HMACKey && maps.Equal(w.Events, other.Events)
}

// auditState is a webhook as the audit log shows it. The log says that a key was set or replaced, and never shows
// one.
type auditState struct {
	Name    string             `json:"name"`
	URL     string             `json:"url"`
	Enabled bool               `json:"enabled"`
	Events  []domain.EventType `json:"events"`
	HMACKey string             `json:"hmacKey"`
}

// audited is the webhook's state after a change from before, which is nil when there was none.
func (w *Webhook) audited(before *Webhook) auditState {
	key := "set"
	switch {
	case w.HMACKey == "":
		key = "none"
	case before != nil && before.HMACKey != "" && before.HMACKey != w.HMACKey:
		key = "replaced"
	}
	return auditState{Name: w.Name, URL: w.URL, Enabled: w.Enabled, Events: w.Events.Types(), HMACKey: key}
}

func sortedNames(s Selection) []domain.EventType { return slices.Sorted(maps.Keys(s)) }
