package sale

import (
	"cmp"
	"math/big"
	"slices"
	"time"

	"ticketgate/domain/document"
)

// cancellationOf is the invoice that takes back what a change of a transaction cancels, without its number; false when the
// change cancels nothing or the transaction has no invoice. Issued are all its invoices by number, the plain one first:
// what they have taken back is not taken back again.
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
	made := original
	made.Kind, made.Cancels = CancellationInvoice, &CanceledInvoice{InvoiceID: original.ID, Number: original.Number}
	return made.completed(lines, book.lines, now), true
}

// mayCancel tells whether a change can have a cancellation, before any invoice is read.
func (c transactionChange) mayCancel() bool {
	return c.old != nil && (c.old.Status != c.new.Status && c.new.Status == TransactionCanceled ||
		partiallyCanceled(*c.old, c.new.Transaction))
}

// book holds the lines of a transaction's invoices: what was charged, and what was taken back since.
type book struct {
	lines []InvoiceItem
	// charged are the lines of the plain invoice by what they stand for, whatever their tax rate.
	charged map[lineKey]InvoiceItem
	// canceled counts, for each kind of thing of an item of the cart, how many have been taken back.
	canceled map[lineKey]int
	// decimals are those of the invoice's currency. What a document says of a cancellation may have more.
	decimals int
}

// lineKey tells lines apart that stand for different things.
type lineKey struct {
	cartItemID string
	kind       InvoiceItemType
	rate       string
}

// name is what the line stands for, whatever its tax rate.
func (i InvoiceItem) name() lineKey {
	return lineKey{cartItemID: firstText(i.CartItemID), kind: i.Type}
}

// key is the same at its tax rate.
func (i InvoiceItem) key() lineKey {
	key := i.name()
	key.rate = i.rate()
	return key
}

// rate is the tax rate as a text; that of a line which is not taxed is empty.
func (i InvoiceItem) rate() string {
	if i.TaxRate == nil {
		return ""
	}
	return i.TaxRate.String()
}

func bookOf(issued []Invoice) book {
	made := book{
		charged: map[lineKey]InvoiceItem{}, canceled: map[lineKey]int{}, decimals: issued[0].Currency.Decimals(),
	}
	for _, invoice := range issued {
		made.lines = append(made.lines, invoice.Items...)
		for _, item := range invoice.Items {
			if invoice.Kind == CancellationInvoice {
				made.canceled[item.name()]++
			} else if _, met := made.charged[item.name()]; !met {
				made.charged[item.name()] = item
			}
		}
	}
	return made
}

// amount is an amount of money as an invoice states it: in whole units of the currency's smallest coin.
func (b book) amount(said *big.Rat) *big.Rat { return rounded(said, b.decimals) }

// rest takes everything back that is left: of each line, what earlier cancellations have left of it. Fees that were kept
// stay. Where lines of a tax rate make up for each other, nothing is left there.
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
	for _, one := range order {
		if one.total.Sign() != 0 && at(allowed.atRate, one.first.rate()).Sign() != 0 {
			lines = append(lines, takenBack(one.first, one.amount, one.total))
		}
	}
	return lines
}

// takenBack is the line that takes an amount back at its price, or else, where that makes another sum, the sum as one.
func takenBack(line InvoiceItem, amount int, total *big.Rat) InvoiceItem {
	if times(amount, line.Price).Cmp(total) == 0 {
		return newLine(line.Type, line.CartItemID, line.Name, -amount, line.Price, line.TaxRate)
	}
	return newLine(line.Type, line.CartItemID, line.Name, -1, nearest(total), line.TaxRate)
}

// newlyCanceled takes the items back that have a cancelledAt, from the latest cancellation on. Several may stand for one
// item of the cart; those canceled first are the ones that earlier cancellations have taken back.
func (b book) newlyCanceled(t Transaction) []InvoiceItem {
	met := map[lineKey]int{}
	var lines []InvoiceItem
	for _, item := range t.canceledInOrder() {
		price := b.amount(exact(item.Price))
		if price.Sign() == 0 {
			continue // it had no line, so it counts for none
		}
		key := lineKey{cartItemID: item.CartItemID, kind: InvoiceItemType(item.Type)}
		met[key]++
		if met[key] > b.canceled[key] {
			lines = append(lines, newLine(key.kind, &item.CartItemID, b.nameOf(item), -1, nearest(price), b.rateOf(t, item)))
		}
	}
	return b.allowance().take(lines)
}

// canceledInOrder are the cancellable items that are canceled, the earliest first.
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

// lineOf is the line of the plain invoice that a cancellable item is part of.
func (b book) lineOf(item CancellableItem) (InvoiceItem, bool) {
	line, known := b.charged[lineKey{cartItemID: item.CartItemID, kind: InvoiceItemType(item.Type)}]
	return line, known
}

func (b book) nameOf(item CancellableItem) string {
	line, _ := b.lineOf(item)
	return firstText(item.Name, &line.Name, &item.CartItemID)
}

// rateOf is the rate at which the item was taxed. What it says itself counts only where no line was charged for it, and the
// transaction's where it says nothing.
func (b book) rateOf(t Transaction, item CancellableItem) *document.Number {
	if line, known := b.lineOf(item); known {
		return line.TaxRate
	}
	if item.TaxRate != nil {
		return item.TaxRate
	}
	return t.TaxRate
}

// keptFees are what the seller keeps for a cancellation: the fees of the canceled items that no earlier one has kept or,
// where no item has any, that of the whole transaction. They are no price of a ticket, and not taxed.
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
		fees = append(fees, feeLine(nil, *whole, b.amount(whole.charged()))) // one of nothing is dropped in covered
	}
	return fees
}

func feeLine(id *string, fee FeeComponent, charged *big.Rat) InvoiceItem {
	return newLine(keptFee, id, cmp.Or(fee.name(), "Cancellation fee"), 1, nearest(charged), nil)
}
