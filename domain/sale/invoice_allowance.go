package sale

import (
	"cmp"
	"math/big"
	"slices"
)

// allowance is the amount that can still be credited for a transaction. Imported documents may state any cancellation
// amounts. An invoice and its cancellations never add up to less than zero, in total and per tax rate (SALE-8).
type allowance struct {
	// atRate is the remaining charge per tax rate. discounts is the sum of the discounts at the rate, which is
	// negative.
	atRate, discounts map[string]*big.Rat
	// own is the remaining charge per line.
	own map[lineKey]*big.Rat
}

// allowance returns the amounts that can still be credited after the lines so far. Retained fees are excluded.
func (b book) allowance() allowance {
	result := allowance{map[string]*big.Rat{}, map[string]*big.Rat{}, map[lineKey]*big.Rat{}}
	for name := range b.charged {
		result.own[name] = new(big.Rat)
	}
	for _, line := range b.lines {
		if line.Type != keptFee {
			result.count(line)
		}
	}
	return result
}

// count adds a line's total to each sum that it belongs to.
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

// at returns the sum for a rate, adding a zero sum if there is none.
func at(sums map[string]*big.Rat, rate string) *big.Rat {
	if sums[rate] == nil {
		sums[rate] = new(big.Rat)
	}
	return sums[rate]
}

// take limits lines of one unit each to the amounts that can still be credited, and drops lines for which nothing is
// left. Discounts come first, because reversing them raises these amounts.
func (a allowance) take(wanted []InvoiceItem) []InvoiceItem {
	slices.SortStableFunc(wanted, func(invoiceItem, other InvoiceItem) int {
		return cmp.Compare(min(exact(invoiceItem.Price).Sign(), 0), min(exact(other.Price).Sign(), 0))
	})
	var lines []InvoiceItem
	for _, line := range wanted {
		price, most := exact(line.Price), a.most(line)
		if price.Sign() != most.Sign() { // prices are never zero, see newlyCanceled
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

// most returns the highest price at which a unit can be credited. For a line that lowered the price, it is the sum of
// the discounts at its tax rate. For other lines it is the remainder at the rate and, if the line itself was charged,
// of that line.
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

// covered limits retained fees to the amount credited with them: a cancellation never costs the buyer more than it returns.
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
