package sale

import (
	"cmp"
	"math/big"
	"slices"
)

// allowance is what can still be taken back of a transaction's invoices. A document may say anything of what was canceled
// (decisions 8.2); an invoice and its cancellations never come to less than nothing, whole and at each tax rate.
type allowance struct {
	// atRate is what is left of all that was charged at a tax rate, discounts what they took off there.
	atRate, discounts map[string]*big.Rat
	// own is what is left of what was charged by its name.
	own map[lineKey]*big.Rat
}

// allowance is what the lines so far leave. Fees that were kept are nobody's to take back.
func (b book) allowance() allowance {
	made := allowance{map[string]*big.Rat{}, map[string]*big.Rat{}, map[lineKey]*big.Rat{}}
	for name := range b.charged {
		made.own[name] = new(big.Rat)
	}
	for _, line := range b.lines {
		if line.Type != keptFee {
			made.count(line)
		}
	}
	return made
}

// count adds a line's total to all that it is part of.
func (a allowance) count(line InvoiceItem) {
	total := exact(line.Total)
	at(a.atRate, line.rate()).Add(at(a.atRate, line.rate()), total)
	if line.Type == invoicedDiscount {
		at(a.discounts, line.rate()).Add(at(a.discounts, line.rate()), total)
	}
	if own := a.own[line.name()]; own != nil {
		own.Add(own, total)
	}
}

// at is the sum that stands there, which begins with nothing.
func at(sums map[string]*big.Rat, rate string) *big.Rat {
	if sums[rate] == nil {
		sums[rate] = new(big.Rat)
	}
	return sums[rate]
}

// take bounds lines of one unit each, and leaves those out for which nothing is left. Discounts that are given up come
// first: they add to what can be taken back.
func (a allowance) take(wanted []InvoiceItem) []InvoiceItem {
	slices.SortStableFunc(wanted, func(one, other InvoiceItem) int {
		return cmp.Compare(min(exact(one.Price).Sign(), 0), min(exact(other.Price).Sign(), 0))
	})
	var lines []InvoiceItem
	for _, line := range wanted {
		price, most := exact(line.Price), a.most(line)
		if price.Sign() != most.Sign() { // no line asks for nothing, see newlyCanceled
			continue
		}
		if new(big.Rat).Abs(most).Cmp(new(big.Rat).Abs(price)) < 0 {
			price = most
		}
		bounded := newLine(line.Type, line.CartItemID, line.Name, -1, nearest(price), line.TaxRate)
		lines = append(lines, bounded)
		a.count(bounded)
	}
	return lines
}

// most is the greatest price at which a unit can be taken back: of what lowered the price, what discounts took off at its
// tax rate; of anything else, what is left at its rate and, where it was charged by its name, of that.
func (a allowance) most(line InvoiceItem) *big.Rat {
	if exact(line.Price).Sign() < 0 {
		return at(a.discounts, line.rate())
	}
	left := at(a.atRate, line.rate())
	if own := a.own[line.name()]; own != nil && own.Cmp(left) < 0 {
		return own
	}
	return left
}

// covered bounds the fees that are kept by what is taken back with them: nobody pays for a cancellation.
func covered(fees, taken []InvoiceItem) []InvoiceItem {
	left := new(big.Rat).Neg(sumOf(taken))
	var kept []InvoiceItem
	for _, fee := range fees {
		charged := exact(fee.Total)
		if charged.Cmp(left) > 0 {
			charged = new(big.Rat).Set(left)
		}
		if charged.Sign() <= 0 {
			continue
		}
		kept = append(kept, newLine(keptFee, fee.CartItemID, fee.Name, 1, nearest(charged), nil))
		left.Sub(left, charged)
	}
	return kept
}
