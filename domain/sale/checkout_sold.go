package sale

import (
	"crypto/rand"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"ticketgate/domain/document"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/texts"
	"ticketgate/domain/ticket"
)

// ownOrigin is the origin of transactions and tickets that are sold by checkouts.
const ownOrigin = "yourticket"

// transaction returns the transaction that the complete checkout becomes.
func (c Checkout) transaction(now time.Time) (TransactionRecord, error) {
	at := moment.New(now)
	from, created, completed := TransactionOrigin(ownOrigin), HistoryType("created"), HistoryType("completed")
	sold := Transaction{
		ID: *c.TransactionID, SellerID: c.SellerID, EventID: c.EventID, RealPrice: c.RealPrice, Status: TransactionComplete,
		Secret: rand.Text(), TID: newTID(), Coupons: []string{},
		CustomerID: c.CustomerID, Company: c.Company, Name: c.fullName(), Prename: c.Prename, Lastname: c.Lastname, Email: c.Email,
		Street: c.Street, Line2: c.Line2, City: c.City, State: c.State, Country: c.Country, Postal: c.Postal,
		Identification: c.Identification, Tickets: c.cart(),
		Currency: &c.Currency, RegularPrice: &c.RegularPrice, TaxRate: c.taxRate(), CreatedAt: &at, UpdatedAt: &at,
		Origin: &from, PreferredLanguage: c.PreferredLanguage,
		HistoryEntries: []HistoryEntry{
			{ID: ids.New(now), Date: &c.CreatedAt, Type: &created},
			{ID: ids.New(now), Date: &at, Type: &completed},
		},
	}
	text, err := printed(sold)
	return TransactionRecord{Transaction: sold, Document: text, ListedAt: at, TouchedAt: at}, err
}

// printed returns the canonical JSON of a resource, as it is stored and published (SALE-11).
func printed(resource any) ([]byte, error) {
	text, err := json.Marshal(resource)
	if err != nil {
		return nil, err
	}
	return ecmajson.Canonical(text)
}

// cart returns the items as cart items of a transaction.
func (c Checkout) cart() []CartTicketItem {
	kind := TicketItemType("ticket")
	cart := make([]CartTicketItem, len(c.Items))
	for i, item := range c.Items {
		cart[i] = CartTicketItem{
			Amount: item.Amount, Price: item.Price, TicketTypeID: item.TicketTypeID, Type: &kind, ID: &item.ID, Name: &item.Name,
			TaxRate: item.TaxRate,
		}
	}
	return cart
}

// taxRate returns the tax rate that all items share, nil if they differ.
func (c Checkout) taxRate() *document.Number {
	first := c.Items[0].TaxRate
	differs := func(item OrderItem) bool { return item.TaxRate == nil || *item.TaxRate != *first }
	if first == nil || slices.ContainsFunc(c.Items, differs) {
		return nil
	}
	return first
}

// fullName returns the buyer's name, or else the first and last name joined.
func (c Checkout) fullName() *string {
	if c.Name != nil {
		return c.Name
	}
	return texts.Shown(strings.TrimSpace(texts.Of(c.Prename) + " " + texts.Of(c.Lastname)))
}

// tickets returns one ticket per piece of each item.
func (c Checkout) tickets(rootEventID *string, now time.Time) ([]ticket.Record, error) {
	var result []ticket.Record
	for i := range c.Items {
		first := ticket.Record{Ticket: c.ticket(&c.Items[i], rootEventID, now)}
		var err error
		if first.Document, err = printed(first.Ticket); err != nil {
			return nil, err
		}
		result = append(result, first)
		for range c.Items[i].Amount - 1 {
			result = append(result, anotherTicket(first, now))
		}
	}
	return result, nil
}

// anotherTicket returns a copy of an item's first ticket with a new _id and new codes. The codes of the first ticket are
// fresh random texts, so they occur nowhere else in its document and can be replaced in the text.
func anotherTicket(first ticket.Record, now time.Time) ticket.Record {
	next := first
	next.ID, next.Secret, next.Barcode = ids.New(now), rand.Text(), newBarcode()
	next.Document = []byte(strings.NewReplacer(first.ID, next.ID, first.Secret, next.Secret, first.Barcode, next.Barcode).
		Replace(string(first.Document)))
	return next
}

func (c Checkout) ticket(item *OrderItem, rootEventID *string, now time.Time) ticket.Ticket {
	at, kind, from := moment.New(now), ticket.Type("SINGLE"), ticket.Origin(ownOrigin)
	return ticket.Ticket{
		ID: ids.New(now), SellerID: c.SellerID, EventID: item.EventID, TicketTypeID: item.TicketTypeID, TicketName: item.Name,
		CreatedAt: at, UpdatedAt: at, Status: ticket.Valid, Secret: rand.Text(), Barcode: newBarcode(),
		Company: c.Company, Email: c.Email, Name: c.fullName(), Firstname: c.Prename, Lastname: c.Lastname,
		Street: c.Street, Line2: c.Line2, City: c.City, Postal: c.Postal, State: c.State, Country: c.Country,
		RootEventID: rootEventID, TransactionID: c.TransactionID, CartItemID: &item.ID, CustomerID: c.CustomerID,
		Currency: &c.Currency, RegularPrice: &item.Price, RealPrice: &item.Price, Type: &kind, Origin: &from,
	}
}

// rand.Text returns 26 letters and digits with 130 random bits.
const (
	// tidLength keeps numbers short enough to read aloud. They are not used as identifiers.
	tidLength = 10
	// barcodeLength leaves 120 random bits and gives codes that scan well from small prints.
	barcodeLength = 24
)

func newTID() string     { return "T-" + rand.Text()[:tidLength] }
func newBarcode() string { return rand.Text()[:barcodeLength] }
