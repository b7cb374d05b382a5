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

// ListType says who knows a list's codes. It never changes (decisions 5.1).
type ListType string

// The types of list (spec 2.2).
const (
	Static ListType = "static" // its entries
	Remote ListType = "remote" // the listener at its URL
)

// ListTypes lists every type, in the specification's order.
func ListTypes() []ListType { return []ListType{Static, Remote} }

// maxKeyLength bounds a signing key, in characters.
const maxKeyLength = 4096

// List is an access list (spec 2.2).
type List struct {
	ID        string          `json:"_id"`
	Type      ListType        `json:"type"`
	SellerID  ids.Seller      `json:"sellerId"`
	Name      string          `json:"name"`
	HTTP      *Listener       `json:"http,omitempty"` // of a remote list
	CreatedAt moment.DateTime `json:"createdAt"`
	UpdatedAt moment.DateTime `json:"updatedAt"`
}

// Listener is whom a remote list asks for a code.
type Listener struct {
	URL     string `json:"url"`
	HMACKey string `json:"hmacKey,omitempty"` // empty: calls are not signed
}

// ShownKey is the signing key, or null where there is none to show.
func (l Listener) ShownKey() *string { return texts.Shown(l.HMACKey) }

// NewListener is what a caller says of a listener. An absent key is kept, null removes it (decisions 5.2).
type NewListener struct {
	URL     string                 `json:"url"`
	HMACKey optional.Value[string] `json:"hmacKey"`
}

// NewList is what a caller says of a list to make. An absent type follows from http (decisions 5.1).
type NewList struct {
	Name string                      `json:"name"`
	Type optional.Value[ListType]    `json:"type"`
	HTTP optional.Value[NewListener] `json:"http"`
}

// ListChange is what a caller says of a list that exists. The type may be repeated and not changed.
type ListChange struct {
	Name string                      `json:"name"`
	Type optional.Value[ListType]    `json:"type"`
	HTTP optional.Value[NewListener] `json:"http"`
	// ExpectedUpdatedAt is the updatedAt that the caller last saw: another one is CONFLICT. REST has If-Match for it.
	ExpectedUpdatedAt *moment.DateTime `json:"-" graphql:"expectedUpdatedAt"`
}

// ListFilter narrows a list of lists; an empty member is no filter.
type ListFilter struct {
	// Name is a part of the name, in any case.
	Name string
}

// typed gives a new list its type: the one named, else the one that http speaks for.
func (l *List) typed(input NewList, problems *domain.Problems) {
	l.Type = Static
	if input.HTTP.Value != nil {
		l.Type = Remote
	}
	if named := input.Type.Value; named != nil {
		l.Type = *named
		if l.Type != Static && l.Type != Remote {
			problems.Add("type", fmt.Sprintf("must be static or remote, not %q", string(l.Type)))
		}
	}
}

// apply puts the change into the list and says everything that is wrong with it.
func (l *List) apply(change ListChange, policy listenerurl.Policy, problems *domain.Problems) error {
	l.Name = problems.Name("name", change.Name)
	if named := change.Type.Value; named != nil && *named != l.Type {
		problems.Add("type", fmt.Sprintf("is %s and can't be changed", l.Type))
	}
	if change.HTTP.Set {
		l.HTTP = l.HTTP.changed(change.HTTP.Value, policy, problems)
	}
	switch {
	case l.Type == Remote && l.HTTP == nil:
		problems.Add("http", "is required in a remote list")
	case l.Type == Static && l.HTTP != nil:
		problems.Add("http", "is for remote lists only")
	}
	return problems.Err()
}

// changed is the listener after a change; nil is none.
func (l *Listener) changed(to *NewListener, policy listenerurl.Policy, problems *domain.Problems) *Listener {
	if to == nil {
		return nil
	}
	changed := &Listener{URL: to.URL}
	if _, err := listenerurl.Parse(to.URL, policy); err != nil {
		problems.Add("http.url", "is refused: "+err.Error())
	}
	if l != nil {
		changed.HMACKey = l.HMACKey
	}
	changed.HMACKey = to.HMACKey.Apply(changed.HMACKey)
	if length := len([]rune(changed.HMACKey)); length > maxKeyLength {
		problems.Add("http.hmacKey", fmt.Sprintf("must be at most %d characters, not %d", maxKeyLength, length))
	}
	problems.Text("http.hmacKey", changed.HMACKey)
	return changed
}

// same tells whether two states of a list differ in nothing that a caller can set.
func (l *List) same(other *List) bool {
	if l.Name != other.Name || (l.HTTP == nil) != (other.HTTP == nil) {
		return false
	}
	return l.HTTP == nil || *l.HTTP == *other.HTTP
}

// listState is a list as the audit log shows it: whether there is a key, and never the key.
type listState struct {
	Name string   `json:"name"`
	Type ListType `json:"type"`
	URL  string   `json:"url,omitempty"`
	Key  string   `json:"hmacKey,omitempty"`
}

// audited is the list's state after a change from before, which is nil when there was none.
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
