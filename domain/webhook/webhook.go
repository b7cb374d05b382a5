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

// maxKeyLength is the maximum length of a signing key, in characters.
const maxKeyLength = 4096

// Webhook sends events of the selected types to a URL.
type Webhook struct {
	ID        string          `json:"_id"`
	SellerID  ids.Seller      `json:"sellerId"`
	Name      string          `json:"name"`
	URL       string          `json:"url"`
	Enabled   bool            `json:"enabled"`
	Events    Selection       `json:"events"`
	HMACKey   string          `json:"hmacKey,omitempty"` // if empty, calls are not signed
	CreatedBy domain.Creator  `json:"createdBy"`
	CreatedAt moment.DateTime `json:"createdAt"`
	UpdatedAt moment.DateTime `json:"updatedAt"`
}

// NewWebhook is the input of createWebhook. By default, the webhook is enabled, selects no events, and is not signed.
type NewWebhook struct {
	Name    string                    `json:"name"`
	URL     string                    `json:"url"`
	Enabled optional.Value[bool]      `json:"enabled"`
	Events  optional.Value[Selection] `json:"events"`
	HMACKey optional.Value[string]    `json:"hmacKey"`
}

// Change is the input of updateWebhook. Omitted fields keep their values, null resets a field to its default, and
// events replace all previous ones.
type Change struct {
	Name    string                    `json:"name"`
	URL     string                    `json:"url"`
	Enabled optional.Value[bool]      `json:"enabled"`
	Events  optional.Value[Selection] `json:"events"`
	HMACKey optional.Value[string]    `json:"hmacKey"`
	// ExpectedUpdatedAt is the updatedAt that the caller last saw. If it has changed, the error is CONFLICT. REST
	// uses If-Match.
	ExpectedUpdatedAt *moment.DateTime `json:"-" graphql:"expectedUpdatedAt"`
}

// change returns the input as a change of a webhook with default values.
func (n NewWebhook) change() Change {
	return Change{Name: n.Name, URL: n.URL, Enabled: n.Enabled, Events: n.Events, HMACKey: n.HMACKey}
}

// with returns the changed webhook, or all errors of the change.
func (w Webhook) with(change Change, policy listenerurl.Policy) (Webhook, error) {
	var errs domain.FieldErrors
	w.Name = errs.Name("name", change.Name)
	w.URL = change.URL
	if _, err := listenerurl.Parse(change.URL, policy); err != nil {
		errs.Add("url", "is invalid: "+err.Error())
	}
	if change.Enabled.Set {
		w.Enabled = change.Enabled.Or(true)
	}
	if change.Events.Set {
		selected := change.Events.Or(nil)
		selected.check(&errs)
		w.Events = NewSelection(selected.Types())
	}
	w.HMACKey = change.HMACKey.Apply(w.HMACKey)
	if length := len([]rune(w.HMACKey)); length > maxKeyLength {
		errs.Add("hmacKey", fmt.Sprintf("must be at most %d characters, not %d", maxKeyLength, length))
	}
	errs.Text("hmacKey", w.HMACKey)
	return w, errs.Err()
}

// same reports whether both have equal values in all fields that callers can set.
func (w *Webhook) same(other *Webhook) bool {
	return w.Name == other.Name && w.URL == other.URL && w.Enabled == other.Enabled &&
		w.HMACKey == other.HMACKey && maps.Equal(w.Events, other.Events)
}

// auditState is a webhook as the audit log shows it. The log records that a key was set or replaced, but never the key.
type auditState struct {
	Name    string             `json:"name"`
	URL     string             `json:"url"`
	Enabled bool               `json:"enabled"`
	Events  []domain.EventType `json:"events"`
	HMACKey string             `json:"hmacKey"`
}

// audited returns the state for the audit log. before is nil for a new webhook.
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
