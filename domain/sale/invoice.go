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

// Invoice states the amounts that a buyer was charged for a transaction, or that were credited. It never changes: a
// later cancellation gets a separate invoice (SALE-8).
type Invoice struct {
	ID string `json:"_id" document:"id"`
	// Number counts the seller's invoices of both kinds, from 1 and without gaps.
	Number        int         `json:"number"`
	SellerID      ids.Seller  `json:"sellerId" document:"id"`
	TransactionID string      `json:"transactionId" document:"id"`
	TID           string      `json:"tid"`
	Kind          InvoiceKind `json:"kind"`
	// Cancels is the invoice that a cancellation credits, in full or in part.
	Cancels  *CanceledInvoice `json:"cancels,omitempty"`
	IssuedAt moment.DateTime  `json:"issuedAt"`
	Currency money.Currency   `json:"currency"`
	Seller   InvoiceSeller    `json:"seller"`
	Buyer    InvoiceBuyer     `json:"buyer"`
	// Identification is copied from the transaction (IDENT-7).
	Identification []identification.Document `json:"identification,omitempty"`
	// Items are in the order of the cart: tickets, products, bundles, then the fees on top of their prices.
	Items []InvoiceItem `json:"items"`
	// Taxes are included in the items' totals. There is one row per rate.
	Taxes []InvoiceTax `json:"taxes"`
	// Total is NetTotal + TaxTotal. All are exact decimals in units of Currency.
	NetTotal document.Number `json:"netTotal"`
	TaxTotal document.Number `json:"taxTotal"`
	Total    document.Number `json:"total"`
}

// InvoiceDefinition is the field table of the resource.
var InvoiceDefinition = document.Read[Invoice]()

// InvoiceKind is the kind of an invoice.
type InvoiceKind string

// The invoice kinds. The amounts of a cancellation are negative, except for retained fees.
const (
	PlainInvoice        InvoiceKind = "invoice"
	CancellationInvoice InvoiceKind = "cancellation"
)

// Names returns both kinds.
func (InvoiceKind) Names() []string {
	return []string{string(PlainInvoice), string(CancellationInvoice)}
}

// CanceledInvoice refers to the invoice that a cancellation credits.
type CanceledInvoice struct {
	InvoiceID string `json:"invoiceId" document:"id"`
	Number    int    `json:"number"`
}

// InvoiceSeller is the seller at the time of issue.
type InvoiceSeller struct {
	Name    string `json:"name"`
	Country string `json:"country"`
}

// InvoiceBuyer is the buyer with its address, copied from the transaction.
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

// InvoiceItem is one line. Price is per unit. Amounts include tax.
type InvoiceItem struct {
	// CartItemID is the item's _id in the transaction's cart, or the fee's _id. Discounts have none.
	CartItemID *string         `json:"cartItemId,omitempty" document:"id"`
	Type       InvoiceItemType `json:"type"`
	Name       string          `json:"name"`
	// Amount is negative for credited units.
	Amount int             `json:"amount"`
	Price  document.Number `json:"price"`
	Total  document.Number `json:"total"`
	// TaxRate is in percent. If nil, the item is not taxed.
	TaxRate *document.Number `json:"taxRate,omitempty"`
}

// InvoiceItemType is the type of a line: a cancellable type, a bundle, or a fee retained on cancellation.
type InvoiceItemType string

// The line types that this package sets. The others come from cancellable items.
const (
	invoicedTicket   InvoiceItemType = "ticket"
	invoicedProduct  InvoiceItemType = "product"
	invoicedBundle   InvoiceItemType = "bundle"
	invoicedFee      InvoiceItemType = "fee"
	invoicedDiscount InvoiceItemType = "discount"
	keptFee          InvoiceItemType = "cancellationFee"
)

// Names returns all types.
func (InvoiceItemType) Names() []string {
	return append(CancellableType("").Names(), string(invoicedBundle), string(keptFee))
}

// InvoiceTax holds the amounts taxed at one rate, in percent. Gross is Net + Tax. Tax is rounded once per rate, to the currency's
// decimals.
type InvoiceTax struct {
	Rate  document.Number `json:"rate"`
	Net   document.Number `json:"net"`
	Tax   document.Number `json:"tax"`
	Gross document.Number `json:"gross"`
}

// completed sets the items and everything derived from them. Before holds the lines of the transaction's earlier invoices, so
// that a cancellation credits exactly the rounded tax that they state.
func (i Invoice) completed(items, before []InvoiceItem, now time.Time) Invoice {
	i.ID, i.IssuedAt, i.Items = ids.New(now), moment.New(now), items
	i.Taxes = taxesOf(items, before, i.Currency.Decimals())
	total, tax := sumOf(items), taxTotal(i.Taxes)
	i.Total, i.TaxTotal, i.NetTotal = nearest(total), nearest(tax), nearest(minus(total, tax))
	return i
}

// Document returns the invoice as it is stored and handed over, in three parts. The number goes between the first and the
// second, issuedAt between the second and the third. Both are known only when the invoice is stored, see InvoiceTx.
func (i Invoice) Document() (head, middle, tail string, err error) {
	i.Number = 0
	text, err := json.Marshal(i)
	if err != nil {
		return "", "", "", err
	}
	text, err = ecmajson.Canonical(text)
	before, after, _ := bytes.Cut(text, []byte(`"number":0`)) // only the _id precedes it
	const issued = `"issuedAt":"`                             // quotes in texts are escaped
	between, behind, _ := bytes.Cut(after, []byte(issued+i.IssuedAt.String()))
	return string(before) + `"number":`, string(between) + issued, string(behind), err
}
