package sale

import (
	"math/big"
	"time"

	"ticketgate/domain/document"
	"ticketgate/domain/money"
	"ticketgate/domain/tenant"
)

// NewInvoice returns the invoice of a transaction, without its number (see InvoiceTx.CreateInvoices). Its total is the
// transaction's realPrice. If items and fees add up to a different sum, the difference is added as a discount or a fee.
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

// newLine returns a line with its total.
func newLine(kind InvoiceItemType, id *string, name string, amount int, price document.Number, rate *document.Number) InvoiceItem {
	return InvoiceItem{
		CartItemID: id, Type: kind, Name: name, Amount: amount, Price: price, Total: nearest(times(amount, price)), TaxRate: rate,
	}
}

// firstText returns the first non-empty text.
func firstText(texts ...*string) string {
	for _, text := range texts {
		if text != nil && *text != "" {
			return *text
		}
	}
	return ""
}

// cartLines returns the lines of tickets, products and bundles. An item without a name gets the id of its ticket type,
// product or bundle.
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

// feeLines returns the lines of fees on top of the prices: each component, or else their sum, and the payment fee.
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

// charged returns the amount of a fee: its total or, if that is missing, its value.
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

// differenceLines returns the lines that bring the total to the price: a discount, or a fee of unknown origin. The difference
// is split between the tax rates in proportion to their lines.
func differenceLines(lines []InvoiceItem, difference *big.Rat, rate *document.Number, decimals int) []InvoiceItem {
	if difference.Sign() == 0 {
		return nil
	}
	kind, name := invoicedFee, "Additional charges"
	if difference.Sign() < 0 {
		kind, name = invoicedDiscount, "Discount"
	}
	rates, all := ratesOf(lines), sumOf(lines)
	if all.Sign() == 0 {
		rates = []*document.Number{rate}
	}
	var invoiceItems []InvoiceItem
	rest := difference
	for i, rate := range rates {
		share := rest
		if i < len(rates)-1 {
			share = new(big.Rat).Mul(difference, grossAt(lines, rate))
			share = rounded(share.Quo(share, all), decimals)
		}
		if share.Sign() != 0 {
			invoiceItems = append(invoiceItems, newLine(kind, nil, name, 1, nearest(share), rate))
		}
		rest = minus(rest, share)
	}
	return invoiceItems
}
