package sale

import (
	"math/big"
	"slices"

	"ticketgate/domain/document"
)

func sumOf(items []InvoiceItem) *big.Rat {
	sum := new(big.Rat)
	for _, item := range items {
		sum.Add(sum, exact(item.Total))
	}
	return sum
}

// ratesOf returns the tax rates of the lines in order of first appearance. Nil is the rate of untaxed lines.
func ratesOf(items []InvoiceItem) []*document.Number {
	var rates []*document.Number
	for _, item := range items {
		if !slices.ContainsFunc(rates, func(known *document.Number) bool { return sameRate(known, item.TaxRate) }) {
			rates = append(rates, item.TaxRate)
		}
	}
	return rates
}

func sameRate(a, b *document.Number) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

// grossAt returns the sum of the lines with the given tax rate.
func grossAt(items []InvoiceItem, rate *document.Number) *big.Rat {
	sum := new(big.Rat)
	for _, item := range items {
		if sameRate(item.TaxRate, rate) {
			sum.Add(sum, exact(item.Total))
		}
	}
	return sum
}

// taxesOf returns a row per rate. The tax is the rounded tax of all lines minus the rounded tax of the lines before. So
// the taxes of an invoice and its cancellations add up to the tax of the items that were not canceled.
func taxesOf(items, before []InvoiceItem, decimals int) []InvoiceTax {
	taxes := []InvoiceTax{}
	for _, rate := range ratesOf(items) {
		if rate == nil {
			continue
		}
		gross, told := grossAt(items, rate), grossAt(before, rate)
		all := new(big.Rat).Add(told, gross)
		tax := minus(taxIn(all, *rate, decimals), taxIn(told, *rate, decimals))
		taxes = append(taxes, InvoiceTax{
			Rate: *rate, Gross: nearest(gross), Tax: nearest(tax), Net: nearest(minus(gross, tax)),
		})
	}
	return taxes
}

// taxIn returns the tax included in a gross amount, rounded to the given decimals.
func taxIn(gross *big.Rat, rate document.Number, decimals int) *big.Rat {
	percent := exact(rate)
	whole := new(big.Rat).Add(percent, big.NewRat(100, 1)) //nolint:mnd // the rate is in percent
	if whole.Sign() == 0 {
		return new(big.Rat)
	}
	tax := new(big.Rat).Mul(gross, percent)
	return rounded(tax.Quo(tax, whole), decimals)
}

func taxTotal(taxes []InvoiceTax) *big.Rat {
	sum := new(big.Rat)
	for _, row := range taxes {
		sum.Add(sum, exact(row.Tax))
	}
	return sum
}
