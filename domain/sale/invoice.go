package sale

import (
	"bytes"
	"encoding/json"
	"time"

	"ticketgate/domain/document"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/identification"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/money"
)

// Invoice tells what a buyer was charged for a transaction, or what of it was taken back. It is never changed: what is
// canceled later has an invoice of its own (decisions 8.4, 8.5).
type Invoice struct {
	ID string `json:"_id" document:"id"`
	// Number counts a seller's invoices of both kinds, from 1 on and without gaps.
	Number        int         `json:"number"`
	SellerID      ids.Seller  `json:"sellerId" document:"id"`
	TransactionID string      `json:"transactionId" document:"id"`
	TID           string      `json:"tid"`
	Kind          InvoiceKind `json:"kind"`
	// Cancels is the invoice that a cancellation takes back, wholly or in part.
	Cancels  *CanceledInvoice `json:"cancels,omitempty"`
	IssuedAt moment.DateTime  `json:"issuedAt"`
	Currency money.Currency   `json:"currency"`
	Seller   InvoiceSeller    `json:"seller"`
	Buyer    InvoiceBuyer     `json:"buyer"`
	// Identification is the transaction's (spec 4.5.9).
	Identification []identification.Document `json:"identification,omitempty"`
	// Items are in the cart's order: tickets, products, bundles, and then the fees on top of their prices.
	Items []InvoiceItem `json:"items"`
	// Taxes are contained in the items' totals, one row for each rate.
	Taxes []InvoiceTax `json:"taxes"`
	// Total is NetTotal and TaxTotal together: exact decimals in units of Currency.
	NetTotal document.Number `json:"netTotal"`
	TaxTotal document.Number `json:"taxTotal"`
	Total    document.Number `json:"total"`
}

// InvoiceDefinition is the table of the resource.
var InvoiceDefinition = document.Read[Invoice]()

// InvoiceKind says which way the money goes.
type InvoiceKind string

// The kinds. The amounts of a cancellation are negative, but for the fees that are kept.
const (
	PlainInvoice        InvoiceKind = "invoice"
	CancellationInvoice InvoiceKind = "cancellation"
)

// Names lists both kinds.
func (InvoiceKind) Names() []string {
	return []string{string(PlainInvoice), string(CancellationInvoice)}
}

// CanceledInvoice refers to an invoice.
type CanceledInvoice struct {
	InvoiceID string `json:"invoiceId" document:"id"`
	Number    int    `json:"number"`
}

// InvoiceSeller is the seller as the invoice names it.
type InvoiceSeller struct {
	Name    string `json:"name"`
	Country string `json:"country"`
}

// InvoiceBuyer is the buyer with the address as the transaction has them.
type InvoiceBuyer struct {
	CustomerID *string `json:"customerId,omitempty" document:"id"`
	Company    *string `json:"company,omitempty"`
	Name       *string `json:"name,omitempty"`
	Prename    *string `json:"prename,omitempty"`
	Lastname   *string `json:"lastname,omitempty"`
	Email      *string `json:"email,omitempty" document:"email"`
	Street     *string `json:"street,omitempty"`
	Line2      *string `json:"line2,omitempty"`
	Postal     *string `json:"postal,omitempty"`
	City       *string `json:"city,omitempty"`
	State      *string `json:"state,omitempty"`
	Country    *string `json:"country,omitempty"`
}

// InvoiceItem is one line: so many at the price of one, tax included.
type InvoiceItem struct {
	// CartItemID is the item's _id in the transaction's cart; fees have that of the fee, discounts have none.
	CartItemID *string         `json:"cartItemId,omitempty" document:"id"`
	Type       InvoiceItemType `json:"type"`
	Name       string          `json:"name"`
	// Amount is negative for what a cancellation takes back.
	Amount int             `json:"amount"`
	Price  document.Number `json:"price"`
	Total  document.Number `json:"total"`
	// TaxRate is in percent; without it the item is not taxed.
	TaxRate *document.Number `json:"taxRate,omitempty"`
}

// InvoiceItemType is what a line stands for: what can be canceled by itself, bundles, and fees kept at a cancellation.
type InvoiceItemType string

// The types that lines are made of here; the others come from cancellable items.
const (
	invoicedTicket   InvoiceItemType = "ticket"
	invoicedProduct  InvoiceItemType = "product"
	invoicedBundle   InvoiceItemType = "bundle"
	invoicedFee      InvoiceItemType = "fee"
	invoicedDiscount InvoiceItemType = "discount"
	keptFee          InvoiceItemType = "cancellationFee"
)

// Names lists every type.
func (InvoiceItemType) Names() []string {
	return append(CancellableType("").Names(), string(invoicedBundle), string(keptFee))
}

// InvoiceTax is what is taxed at one rate, in percent: gross is net and tax. The tax is rounded once a rate, to the currency's
// decimals.
type InvoiceTax struct {
	Rate  document.Number `json:"rate"`
	Net   document.Number `json:"net"`
	Tax   document.Number `json:"tax"`
	Gross document.Number `json:"gross"`
}

// completed fills in what follows from the items. Before are the lines of earlier invoices of the transaction: a
// cancellation takes the rounded tax back that they told, to the last cent.
func (i Invoice) completed(items, before []InvoiceItem, now time.Time) Invoice {
	i.ID, i.IssuedAt, i.Items = ids.New(now), moment.New(now), items
	i.Taxes = taxesOf(items, before, i.Currency.Decimals())
	total, tax := sumOf(items), taxTotal(i.Taxes)
	i.Total, i.TaxTotal, i.NetTotal = nearest(total), nearest(tax), nearest(minus(total, tax))
	return i
}

// Document is the invoice as it is stored and handed over, in three parts: the number stands between the first two, and
// issuedAt between the others. Both are known when the invoice is stored, see InvoiceTx.
func (i Invoice) Document() (head, middle, tail string, err error) {
	i.Number = 0
	text, err := json.Marshal(i)
	if err != nil {
		return "", "", "", err
	}
	text, err = ecmajson.Canonical(text)
	before, after, _ := bytes.Cut(text, []byte(`"number":0`)) // only an _id stands before it
	const issued = `"issuedAt":"`                             // no text holds a quote that is not escaped
	between, behind, _ := bytes.Cut(after, []byte(issued+i.IssuedAt.String()))
	return string(before) + `"number":`, string(between) + issued, string(behind), err
}
