package ticket

import (
	"slices"

	"ticketgate/domain/document"
	"ticketgate/domain/ecmajson"
)

// extraFields is the member that a cart item's meta goes to.
const extraFields = "extraFields"

// WithMeta adds the members of a cart item's meta that a ticket's extraFields lack, and tells whether there were any
// (decisions 8.6). What a ticket says itself stays: it may have been changed since it was sold. What would not fit is left
// out (decisions 1.6).
func WithMeta(extraFields *ecmajson.Value, meta ecmajson.Value) (ecmajson.Value, bool) {
	var own ecmajson.Value
	if extraFields != nil {
		own = *extraFields
	}
	members := slices.Clone(own.Members())
	for _, member := range meta.Members() {
		if _, has := own.Member(member.Name); !has {
			members = append(members, member)
		}
	}
	extra := ecmajson.NewObject(members)
	more := len(members) > len(own.Members()) && len(extra.Print()) <= document.MaxFreeBytes
	return extra, more
}

// WithMetaInstead is what a ticket's extraFields become when its cart item's meta does, as if the ticket were handed in
// again: what they have from the old meta goes first. Nil is none. A ticket that says by itself just what the old meta said
// can't be told from one that has it from there.
func WithMetaInstead(extra *ecmajson.Value, old, meta ecmajson.Value) *ecmajson.Value {
	if extra == nil || old.Equal(meta) {
		return withMeta(extra, meta)
	}
	own := slices.DeleteFunc(slices.Clone(extra.Members()), func(member ecmajson.Member) bool {
		was, has := old.Member(member.Name)
		return has && was.Equal(member.Value)
	})
	if len(own) == 0 && len(extra.Members()) > 0 {
		return withMeta(nil, meta)
	}
	rest := ecmajson.NewObject(own)
	return withMeta(&rest, meta)
}

func withMeta(own *ecmajson.Value, meta ecmajson.Value) *ecmajson.Value {
	if extra, more := WithMeta(own, meta); more {
		return &extra
	}
	return own
}
