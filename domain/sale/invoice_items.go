package sale

import (
	"math/big"
	"time"

	"ticketgate/domain/document"
	"ticketgate/domain/money"
	"ticketgate/domain/tenant"
)

// NewInvoice is the invoice of a transaction, without the number that TransactionTx.CreateInvoices gives it. Its total is
// what the buyer paid, the transaction's realPrice: where the items and fees make another sum, a discount or a fee is
// added as the difference.
func NewInvoice(of Transaction, seller tenant.Seller, now time.Time) Invoice {
	invoice := Invoice{
		SellerID: of.SellerID, TransactionID: of.ID, TID: of.TID, Kind: PlainInvoice, Currency: money.DefaultCurrency,
		Seller: InvoiceSeller{Name: seller.Name, Country: seller.Country}, Buyer: buyerOf(of), Identification: of.Identification,
	}
	if of.Currency != nil {
		invoice.Currency = *of.Currency
	}
	items := append(of.cartLines(), of.feeLines()...)
	difference := minus(exact(of.RealPrice), sumOf(items))
	items = append(items, differenceLines(items, difference, of.TaxRate, invoice.Currency.Decimals())...)
	return invoice.completed(items, nil, now)
}

func buyerOf(t Transaction) InvoiceBuyer {
	return InvoiceBuyer{
		CustomerID: t.CustomerID, Company: t.Company, Name: t.Name, Prename: t.Prename, Lastname: t.Lastname, Email: t.Email,
		Street: t.Street, Line2: t.Line2, Postal: t.Postal, City: t.City, State: t.State, Country: t.Country,
	}
}

// newLine is a line with its total.
func newLine(kind InvoiceItemType, id *string, name string, amount int, price document.Number, rate *document.Number) InvoiceItem {
	return InvoiceItem{
		CartItemID: id, Type: kind, Name: name, Amount: amount, Price: price, Total: nearest(times(amount, price)), TaxRate: rate,
	}
}

// firstText is the first text that there is.
func firstText(texts ...*string) string {
	for _, text := range texts {
		if text != nil && *text != "" {
			return *text
		}
	}
	return ""
}

// cartLines are tickets, products and bundles; an item without a name has the id of what it sells.
func (t Transaction) cartLines() []InvoiceItem {
	lines := make([]InvoiceItem, 0, len(t.Tickets)+len(t.Products)+len(t.AdditionalItems))
	for _, item := range t.Tickets {
		name := firstText(item.Name, &item.TicketTypeID)
		lines = append(lines, newLine(invoicedTicket, item.ID, name, item.Amount, item.Price, item.TaxRate))
	}
	for _, item := range t.Products {
		name := firstText(item.Name, &item.ProductVariantID)
		lines = append(lines, newLine(invoicedProduct, item.ID, name, item.Amount, item.Price, item.TaxRate))
	}
	for _, item := range t.AdditionalItems {
		lines = append(lines, newLine(invoicedBundle, &item.ItemID, item.Data.BundleID, 1, item.Price, &item.TaxRate))
	}
	return lines
}

// feeLines are the fees on top of the prices: each by itself where they are told, else their sum; and that of the payment.
func (t Transaction) feeLines() []InvoiceItem {
	var lines []InvoiceItem
	if t.OuterFeeComponents != nil {
		for _, fees := range [...][]FeeComponent{t.OuterFeeComponents.Fix, t.OuterFeeComponents.Var} {
			for _, fee := range fees {
				if charged := fee.charged(); charged.Sign() != 0 {
					lines = append(lines, newLine(invoicedFee, &fee.ID, fee.name(), 1, nearest(charged), t.TaxRate))
				}
			}
		}
	}
	charges := [...]struct {
		name   string
		amount *document.Number
	}{{"Fees", t.OuterCharge}, {"Payment fee", t.PaymentCharge}}
	for i, charge := range charges {
		told := i == 0 && len(lines) > 0
		if charge.amount != nil && !told && exact(*charge.amount).Sign() != 0 {
			lines = append(lines, newLine(invoicedFee, nil, charge.name, 1, *charge.amount, t.TaxRate))
		}
	}
	return lines
}

// charged is what a fee comes to: its total, or its value where it has none (decisions 8.6).
func (f FeeComponent) charged() *big.Rat {
	switch {
	case f.Total != nil:
		return exact(*f.Total)
	case f.Value != nil:
		return exact(*f.Value)
	}
	return new(big.Rat)
}

func (f FeeComponent) name() string {
	kind := ""
	if f.Type != nil {
		kind = string(*f.Type)
	}
	return firstText(f.PublicName, f.Name, &kind, &f.ID)
}

// differenceLines are what makes the lines so far sum up to the price: a discount, or a fee of which no more is known. It
// is shared out among the tax rates as the lines are, so that it takes its part of each tax.
func differenceLines(lines []InvoiceItem, difference *big.Rat, rate *document.Number, decimals int) []InvoiceItem {
	if difference.Sign() == 0 {
		return nil
	}
	kind, name := invoicedFee, "Further charges"
	if difference.Sign() < 0 {
		kind, name = invoicedDiscount, "Discount"
	}
	rates, all := ratesOf(lines), sumOf(lines)
	if all.Sign() == 0 {
		rates = []*document.Number{rate}
	}
	var made []InvoiceItem
	rest := difference
	for i, rate := range rates {
		share := rest
		if i < len(rates)-1 {
			share = new(big.Rat).Mul(difference, grossAt(lines, rate))
			share = rounded(share.Quo(share, all), decimals)
		}
		if share.Sign() != 0 {
			made = append(made, newLine(kind, nil, name, 1, nearest(share), rate))
		}
		rest = minus(rest, share)
	}
	return made
}
