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

// ratesOf are the tax rates of lines in the order in which they are met; nil stands for lines that are not taxed.
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

// grossAt adds up the lines of one tax rate.
func grossAt(items []InvoiceItem, rate *document.Number) *big.Rat {
	sum := new(big.Rat)
	for _, item := range items {
		if sameRate(item.TaxRate, rate) {
			sum.Add(sum, exact(item.Total))
		}
	}
	return sum
}

// taxesOf has a row for each rate. The tax is that of all lines so far less that of the lines before, each rounded: so the
// taxes of an invoice and of its cancellations add up to that of what was not canceled.
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

// taxIn is the tax that a gross amount contains, rounded as the currency is.
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
