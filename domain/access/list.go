package access

import (
	"fmt"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/listenerurl"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
	"ticketgate/domain/texts"
)

// ListType is the source of a list's codes. It can't be changed (ACCESS-1).
type ListType string

// The types of list.
const (
	Static ListType = "static" // in its entries
	Remote ListType = "remote" // at the listener
)

// ListTypes returns all types.
func ListTypes() []ListType { return []ListType{Static, Remote} }

// maxKeyLength is the maximum length of a signing key, in characters.
const maxKeyLength = 4096

// List is an access list.
type List struct {
	ID        string          `json:"_id"`
	Type      ListType        `json:"type"`
	SellerID  ids.Seller      `json:"sellerId"`
	Name      string          `json:"name"`
	HTTP      *Listener       `json:"http,omitempty"` // of a remote list
	CreatedAt moment.DateTime `json:"createdAt"`
	UpdatedAt moment.DateTime `json:"updatedAt"`
}

// Listener is the HTTP endpoint that a remote list calls to look up codes.
type Listener struct {
	URL     string `json:"url"`
	HMACKey string `json:"hmacKey,omitempty"` // if empty, calls are not signed
}

// ShownKey returns the signing key, or nil if there is none to show.
func (l Listener) ShownKey() *string { return texts.Shown(l.HMACKey) }

// NewListener is the input for a listener. If omitted, the key keeps its value. Null removes it.
type NewListener struct {
	URL     string                 `json:"url"`
	HMACKey optional.Value[string] `json:"hmacKey"`
}

// NewList is the input of createAccessList. If omitted, the type depends on http (ACCESS-1).
type NewList struct {
	Name string                      `json:"name"`
	Type optional.Value[ListType]    `json:"type"`
	HTTP optional.Value[NewListener] `json:"http"`
}

// ListChange is the input of updateAccessList. The type may be repeated but not changed.
type ListChange struct {
	Name string                      `json:"name"`
	Type optional.Value[ListType]    `json:"type"`
	HTTP optional.Value[NewListener] `json:"http"`
	// ExpectedUpdatedAt is the updatedAt that the caller last saw. If it has changed, the error is CONFLICT. REST
	// uses If-Match.
	ExpectedUpdatedAt *moment.DateTime `json:"-" graphql:"expectedUpdatedAt"`
}

// ListFilter narrows a list of access lists. An empty field does not filter.
type ListFilter struct {
	// Name is part of the name, case-insensitive.
	Name string
}

// typed sets the type of a new list. By default, it is remote if http is given.
func (l *List) typed(input NewList, errs *domain.FieldErrors) {
	l.Type = Static
	if input.HTTP.Value != nil {
		l.Type = Remote
	}
	if named := input.Type.Value; named != nil {
		l.Type = *named
		if l.Type != Static && l.Type != Remote {
			errs.Add("type", "must be one of static, remote")
		}
	}
}

// apply applies the change to the list, or returns all of its errors.
func (l *List) apply(change ListChange, policy listenerurl.Policy, errs *domain.FieldErrors) error {
	l.Name = errs.Name("name", change.Name)
	if named := change.Type.Value; named != nil && *named != l.Type {
		errs.Add("type", fmt.Sprintf("is %s and cannot be changed", l.Type))
	}
	if change.HTTP.Set {
		l.HTTP = l.HTTP.changed(change.HTTP.Value, policy, errs)
	}
	switch {
	case l.Type == Remote && l.HTTP == nil:
		errs.Add("http", "is required in a remote list")
	case l.Type == Static && l.HTTP != nil:
		errs.Add("http", "is allowed only in remote lists")
	}
	return errs.Err()
}

// changed returns the listener after a change, or nil.
func (l *Listener) changed(to *NewListener, policy listenerurl.Policy, errs *domain.FieldErrors) *Listener {
	if to == nil {
		return nil
	}
	changed := &Listener{URL: to.URL}
	if _, err := listenerurl.Parse(to.URL, policy); err != nil {
		errs.Add("http.url", "is invalid: "+err.Error())
	}
	if l != nil {
		changed.HMACKey = l.HMACKey
	}
	changed.HMACKey = to.HMACKey.Apply(changed.HMACKey)
	if length := len([]rune(changed.HMACKey)); length > maxKeyLength {
		errs.Add("http.hmacKey", fmt.Sprintf("must be at most %d characters, not %d", maxKeyLength, length))
	}
	errs.Text("http.hmacKey", changed.HMACKey)
	return changed
}

// same reports whether both have equal values in all fields that callers can set.
func (l *List) same(other *List) bool {
	if l.Name != other.Name || (l.HTTP == nil) != (other.HTTP == nil) {
		return false
	}
	return l.HTTP == nil || *l.HTTP == *other.HTTP
}

// listState is a list as the audit log shows it. It records whether there is a key, but never the key.
type listState struct {
	Name string   `json:"name"`
	Type ListType `json:"type"`
	URL  string   `json:"url,omitempty"`
	Key  string   `json:"hmacKey,omitempty"`
}

// audited returns the state for the audit log. before is nil for a new list.
func (l *List) audited(before *List) listState {
	state := listState{Name: l.Name, Type: l.Type}
	if l.HTTP == nil {
		return state
	}
	state.URL, state.Key = l.HTTP.URL, "none"
	if l.HTTP.HMACKey != "" {
		state.Key = "set"
		if before != nil && before.HTTP != nil && before.HTTP.HMACKey != "" && before.HTTP.HMACKey != l.HTTP.HMACKey {
			state.Key = "replaced"
		}
	}
	return state
}
