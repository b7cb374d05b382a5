package ticket

import (
	"slices"

	"ticketgate/domain/document"
	"ticketgate/domain/ecmajson"
)

// extraFields is the ticket field that a cart item's meta is added to.
const extraFields = "extraFields"

// WithMeta returns extraFields with the fields of a cart item's meta that it lacks (SALE-2), and whether that changed
// it. Existing fields stay, because they may have been changed since the sale. If the result would exceed the size
// limit, nothing changes.
func WithMeta(extraFields *ecmajson.Value, meta ecmajson.Value) (ecmajson.Value, bool) {
	var own ecmajson.Value
	if extraFields != nil {
		own = *extraFields
	}
	fields := slices.Clone(own.Fields())
	for _, field := range meta.Fields() {
		if _, has := own.Field(field.Name); !has {
			fields = append(fields, field)
		}
	}
	extra := ecmajson.NewObject(fields)
	more := len(fields) > len(own.Fields()) && len(extra.Print()) <= document.MaxFreeBytes
	return extra, more
}

// WithMetaInstead returns extraFields after the cart item's meta changed from old to meta, as if the ticket were
// imported again. It removes the fields that came from the old meta, and then adds the missing fields of the new one. A
// field whose value equals the old meta's is taken to come from it. Nil means no extraFields.
func WithMetaInstead(extra *ecmajson.Value, old, meta ecmajson.Value) *ecmajson.Value {
	if extra == nil || old.Equal(meta) {
		return withMeta(extra, meta)
	}
	own := slices.DeleteFunc(slices.Clone(extra.Fields()), func(field ecmajson.Field) bool {
		was, has := old.Field(field.Name)
		return has && was.Equal(field.Value)
	})
	if len(own) == 0 && len(extra.Fields()) > 0 {
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
