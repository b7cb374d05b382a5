package ticket

import (
	"slices"

	"ticketgate/domain/document"
	"ticketgate/domain/ecmajson"
)

// extraFields is the ticket field that a cart item's meta is added to.
const extraFields = "extraFields"

// WithMeta returns extraFields with the fields of a cart item's meta that it lacks (SALE-2), and whether that changed it.
// Existing fields stay, because they may have been changed since the sale. If the result would exceed the size limit, nothing
// changes.
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

// WithMetaInstead returns extraFields after the cart item's meta changed from old to meta: fields that came from the old meta
// are removed, then missing fields are added from the new one, as if the ticket were imported again. A field whose value
// equals the old meta's is taken to come from it. Nil means no extraFields.
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
