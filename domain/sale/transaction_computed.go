package sale

import (
	"math"
	"math/big"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/document"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ids"
)

// The names of computed fields (SALE-2).
const (
	fieldID       = "_id"
	fieldTaxRate  = "taxRate"
	fieldTotal    = "total"
	fieldLanguage = "preferredLanguage"
)

// feeDefinition is the field table of fee components. An object with this table is a fee component, wherever it occurs.
var feeDefinition = func() *document.Definition {
	fee, _ := TransactionDefinition.Field("cancellationFee")
	return fee.Type.Object
}()

// withTotals returns the transaction with the total of each fee component computed from its amount and value.
func withTotals(faults *domain.FieldErrors, path string, transaction ecmajson.Value) ecmajson.Value {
	return TransactionDefinition.Rewrite(path, transaction,
		func(path string, of *document.Definition, object ecmajson.Value) (ecmajson.Value, bool) {
			if of.Name != feeDefinition.Name {
				return object, false
			}
			amount, has := object.Field("amount")
			value, hasBoth := object.Field("value")
			if !has || !hasBoth {
				return object, false
			}
			total, ok := product(amount, value)
			if !ok {
				faults.Add(domain.JoinPath(path, fieldTotal), "is too large for a number")
				return object, false
			}
			return of.With(object, fieldTotal, total), true
		})
}

// product returns the number nearest to a × b. It returns false if the product is too large.
func product(a, b ecmajson.Value) (ecmajson.Value, bool) {
	x, okX := new(big.Rat).SetString(a.Number())
	y, okY := new(big.Rat).SetString(b.Number())
	if !okX || !okY {
		return ecmajson.Value{}, false
	}
	nearest, _ := x.Mul(x, y).Float64()
	if math.IsInf(nearest, 0) {
		return ecmajson.Value{}, false
	}
	number, err := ecmajson.Parse(ecmajson.AppendNumber(nil, nearest), ecmajson.Limits{})
	return number, err == nil
}

// cartFields lists the cart arrays, each with the field that identifies what an item sells.
var cartFields = [...]struct{ name, sells string }{{"tickets", "ticketTypeId"}, {"products", "productVariantId"}}

// withItems returns the transaction with ids and tax rates added to the cart items that lack them. Old is the stored
// document, null for a new transaction.
func withItems(transaction, old ecmajson.Value, now time.Time) ecmajson.Value {
	for _, cart := range cartFields {
		items, has := transaction.Field(cart.name)
		if !has {
			continue
		}
		row, _ := TransactionDefinition.Field(cart.name)
		definition := row.Type.Element.Object
		known, _ := old.Field(cart.name)
		taxed := withTaxRates(definition, items.Elements(), transaction)
		named := withIDs(definition, taxed, known.Elements(), cart.sells, now)
		transaction = TransactionDefinition.With(transaction, cart.name, ecmajson.NewArray(named))
	}
	return transaction
}

// withTaxRates returns the items with the transaction's tax rate added to those without one.
func withTaxRates(of *document.Definition, items []ecmajson.Value, transaction ecmajson.Value) []ecmajson.Value {
	rate, has := transaction.Field(fieldTaxRate)
	taxed := make([]ecmajson.Value, len(items))
	for i, item := range items {
		if _, own := item.Field(fieldTaxRate); has && !own {
			item = of.With(item, fieldTaxRate, rate)
		}
		taxed[i] = item
	}
	return taxed
}

// withIDs returns the items with ids added to those without one. Tickets refer to their item by its id, so it must not change
// when a transaction is imported again. An item gets the id of an equal stored item, or else of a stored item that sells the
// same, or else a new id.
func withIDs(of *document.Definition, items, known []ecmajson.Value, sells string, now time.Time) []ecmajson.Value {
	free := map[string]bool{}
	for _, item := range known {
		free[textOf(item, fieldID)] = true
	}
	for _, item := range items {
		delete(free, textOf(item, fieldID))
	}
	whole := func(item ecmajson.Value) string {
		return string(of.With(item, fieldID, ecmajson.NewString("")).Print())
	}
	sold := func(item ecmajson.Value) string { return textOf(item, sells) }
	named := reuseIDs(of, items, known, free, whole)
	named = reuseIDs(of, named, known, free, sold)
	for i, item := range named {
		if textOf(item, fieldID) == "" {
			named[i] = of.With(item, fieldID, ecmajson.NewString(ids.New(now)))
		}
	}
	return named
}

// reuseIDs returns the items with ids added: an item without one gets the id of the first stored item with the same key whose
// id is free.
func reuseIDs(
	of *document.Definition, items, known []ecmajson.Value, free map[string]bool, key func(ecmajson.Value) string,
) []ecmajson.Value {
	waiting := map[string][]string{}
	for _, item := range known {
		if id := textOf(item, fieldID); free[id] {
			waiting[key(item)] = append(waiting[key(item)], id)
		}
	}
	named := make([]ecmajson.Value, len(items))
	for i, item := range items {
		named[i] = item
		if len(waiting) == 0 || textOf(item, fieldID) != "" {
			continue
		}
		if ids := waiting[key(item)]; len(ids) > 0 {
			named[i] = of.With(item, fieldID, ecmajson.NewString(ids[0]))
			waiting[key(item)] = ids[1:]
			delete(free, ids[0])
		}
	}
	return named
}

// withLanguage returns the transaction with its language added if missing: the stored language of a known transaction, or the
// request's language for a new one.
func withLanguage(transaction, old ecmajson.Value, acceptLanguage string) ecmajson.Value {
	if _, given := transaction.Field(fieldLanguage); given {
		return transaction
	}
	if before, has := old.Field(fieldLanguage); has {
		return TransactionDefinition.With(transaction, fieldLanguage, before)
	}
	if language, ok := LanguageOf(acceptLanguage); ok && old.Kind() == ecmajson.Null {
		return TransactionDefinition.With(transaction, fieldLanguage, ecmajson.NewString(string(language)))
	}
	return transaction
}

func textOf(object ecmajson.Value, member string) string {
	value, _ := object.Field(member)
	return value.Text()
}
