package sale

import (
	"cmp"
	"math/big"
	"slices"
	"time"

	"ticketgate/domain/document"
)

// cancellationOf returns the invoice, without its number, that credits the items and fees canceled by a change of a
// transaction. It returns false if the change cancels nothing or the transaction has no invoice. Issued holds all
// invoices of the transaction by number, the original first. Amounts that they have credited are not credited again.
func cancellationOf(change transactionChange, issued []Invoice, now time.Time) (Invoice, bool) {
	if change.old == nil || len(issued) == 0 {
		return Invoice{}, false
	}
	book := bookOf(issued)
	var lines []InvoiceItem
	if change.new.Status == TransactionCanceled {
		if change.old.Status != TransactionCanceled {
			lines = book.rest()
		}
	} else {
		lines = book.newlyCanceled(change.new.Transaction)
	}
	if len(lines) == 0 {
		return Invoice{}, false
	}
	lines = append(lines, covered(book.keptFees(change.new.Transaction), lines)...)
	original := issued[0]
	invoice := original
	invoice.Kind, invoice.Cancels = CancellationInvoice, &CanceledInvoice{InvoiceID: original.ID, Number: original.Number}
	return invoice.completed(lines, book.lines, now), true
}

// mayCancel reports whether a change may need a cancellation invoice. It can be called before any invoice is read.
func (c transactionChange) mayCancel() bool {
	return c.old != nil && (c.old.Status != c.new.Status && c.new.Status == TransactionCanceled ||
		partiallyCanceled(*c.old, c.new.Transaction))
}

// book holds the lines of a transaction's invoices: the charges and the credits so far.
type book struct {
	lines []InvoiceItem
	// charged holds the lines of the original invoice by name, which excludes the tax rate.
	charged map[lineKey]InvoiceItem
	// canceled counts the units credited so far, by line name.
	canceled map[lineKey]int
	// decimals is the number of decimals of the invoice's currency. Imported cancellation amounts may have more.
	decimals int
}

// lineKey identifies the item or fee of a line.
type lineKey struct {
	cartItemID string
	kind       InvoiceItemType
	rate       string
}

// name returns the line's key without the tax rate.
func (i InvoiceItem) name() lineKey {
	return lineKey{cartItemID: firstText(i.CartItemID), kind: i.Type}
}

// key returns the line's key with the tax rate.
func (i InvoiceItem) key() lineKey {
	key := i.name()
	key.rate = i.rate()
	return key
}

// rate returns the tax rate as text, empty for an untaxed line.
func (i InvoiceItem) rate() string {
	if i.TaxRate == nil {
		return ""
	}
	return i.TaxRate.String()
}

func bookOf(issued []Invoice) book {
	result := book{
		charged: map[lineKey]InvoiceItem{}, canceled: map[lineKey]int{}, decimals: issued[0].Currency.Decimals(),
	}
	for _, invoice := range issued {
		result.lines = append(result.lines, invoice.Items...)
		for _, item := range invoice.Items {
			if invoice.Kind == CancellationInvoice {
				result.canceled[item.name()]++
			} else if _, met := result.charged[item.name()]; !met {
				result.charged[item.name()] = item
			}
		}
	}
	return result
}

// amount rounds an imported amount to the currency's decimals.
func (b book) amount(said *big.Rat) *big.Rat { return rounded(said, b.decimals) }

// rest returns the lines that credit the whole remainder: of each line, the part that earlier cancellations have not
// credited. Retained fees stay. Nothing is credited at a tax rate whose lines already add up to zero.
func (b book) rest() []InvoiceItem {
	type left struct {
		first  InvoiceItem
		amount int
		total  *big.Rat
	}
	var order []*left
	of := map[lineKey]*left{}
	for _, line := range b.lines {
		if line.Type == keptFee {
			continue
		}
		if of[line.key()] == nil {
			of[line.key()] = &left{first: line, total: new(big.Rat)}
			order = append(order, of[line.key()])
		}
		known := of[line.key()]
		known.amount += line.Amount
		known.total.Add(known.total, exact(line.Total))
	}
	allowed := b.allowance()
	var lines []InvoiceItem
	for _, item := range order {
		if item.total.Sign() != 0 && at(allowed.atRate, item.first.rate()).Sign() != 0 {
			lines = append(lines, takenBack(item.first, item.amount, item.total))
		}
	}
	return lines
}

// takenBack returns the line that credits amount units at the line's price or, if that differs from total, the total as one
// unit.
func takenBack(line InvoiceItem, amount int, total *big.Rat) InvoiceItem {
	if times(amount, line.Price).Cmp(total) == 0 {
		return newLine(line.Type, line.CartItemID, line.Name, -amount, line.Price, line.TaxRate)
	}
	return newLine(line.Type, line.CartItemID, line.Name, -1, nearest(total), line.TaxRate)
}

// newlyCanceled returns the lines that credit the items canceled since the last cancellation invoice. Several
// cancellable items may belong to one cart item. Those canceled first are the ones already credited.
func (b book) newlyCanceled(t Transaction) []InvoiceItem {
	met := map[lineKey]int{}
	var lines []InvoiceItem
	for _, item := range t.canceledInOrder() {
		price := b.amount(exact(item.Price))
		if price.Sign() == 0 {
			continue // it had no line, so it does not count
		}
		key := lineKey{cartItemID: item.CartItemID, kind: InvoiceItemType(item.Type)}
		met[key]++
		if met[key] > b.canceled[key] {
			lines = append(lines, newLine(key.kind, &item.CartItemID, b.nameOf(item), -1, nearest(price), b.rateOf(t, item)))
		}
	}
	return b.allowance().take(lines)
}

// canceledInOrder returns the canceled items, the earliest first.
func (t Transaction) canceledInOrder() []CancellableItem {
	var canceled []CancellableItem
	if t.CancellationInfo != nil {
		for _, item := range t.CancellationInfo.CancellableItems {
			if item.CancelledAt != nil {
				canceled = append(canceled, item)
			}
		}
	}
	slices.SortStableFunc(canceled, func(a, b CancellableItem) int { return a.CancelledAt.Compare(b.CancelledAt.Time) })
	return canceled
}

// lineOf returns the line of the original invoice that a cancellable item belongs to.
func (b book) lineOf(item CancellableItem) (InvoiceItem, bool) {
	line, known := b.charged[lineKey{cartItemID: item.CartItemID, kind: InvoiceItemType(item.Type)}]
	return line, known
}

func (b book) nameOf(item CancellableItem) string {
	line, _ := b.lineOf(item)
	return firstText(item.Name, &line.Name, &item.CartItemID)
}

// rateOf returns the rate at which the item was taxed. If no line was charged for it, that is the item's own rate, or else
// the transaction's.
func (b book) rateOf(t Transaction, item CancellableItem) *document.Number {
	if line, known := b.lineOf(item); known {
		return line.TaxRate
	}
	if item.TaxRate != nil {
		return item.TaxRate
	}
	return t.TaxRate
}

// keptFees returns the fees that the seller retains for a cancellation. These are the fees of the canceled items,
// unless earlier cancellations have charged them. If no item has a fee, it is the fee of the whole transaction.
// Retained fees are not taxed.
func (b book) keptFees(t Transaction) []InvoiceItem {
	met := map[lineKey]int{}
	var fees []InvoiceItem
	told := false
	for _, item := range t.canceledInOrder() {
		if item.CancellationFee == nil {
			continue
		}
		told = true
		charged := b.amount(item.CancellationFee.charged())
		if charged.Sign() == 0 {
			continue
		}
		key := lineKey{cartItemID: item.CartItemID, kind: keptFee}
		met[key]++
		if met[key] > b.canceled[key] {
			fees = append(fees, feeLine(&item.CartItemID, *item.CancellationFee, charged))
		}
	}
	if whole := t.CancellationFee; !told && whole != nil && t.Status == TransactionCanceled {
		fees = append(fees, feeLine(nil, *whole, b.amount(whole.charged()))) // covered drops a zero fee
	}
	return fees
}

func feeLine(id *string, fee FeeComponent, charged *big.Rat) InvoiceItem {
	return newLine(keptFee, id, cmp.Or(fee.name(), "Cancellation fee"), 1, nearest(charged), nil)
}
