package ticket

import (
	"context"
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
	more := len(members) > len(own.Members()) && len(extra.Append(nil)) <= document.MaxFreeBytes
	return extra, more
}

// addMetas gives tickets what their cart items say, of transactions that are here already. Those that come later bring it
// themselves.
func (i *importing) addMetas(ctx context.Context, tickets []handedIn) error {
	var transactions []string
	for _, one := range tickets {
		if id, of := one.document.Member("transactionId"); of {
			transactions = append(transactions, id.Text())
		}
	}
	if len(transactions) == 0 {
		return nil
	}
	slices.Sort(transactions)
	metas, err := i.tx.CartMetas(ctx, i.seller, slices.Compact(transactions))
	if err != nil || len(metas) == 0 {
		return err
	}
	for n, one := range tickets {
		transaction, _ := one.document.Member("transactionId")
		item, _ := one.document.Member("cartItemId")
		meta, has := metas[transaction.Text()][item.Text()]
		if !has {
			continue
		}
		own, _ := one.document.Member(extraFields)
		if extra, more := WithMeta(&own, meta); more {
			tickets[n].document = Definition.With(one.document, extraFields, extra)
		}
	}
	return nil
}
