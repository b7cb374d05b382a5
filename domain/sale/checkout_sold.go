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

// ownOrigin is where what is sold here comes from (spec 2.8, 2.9).
const ownOrigin = "yourticket"

// transaction is what a complete checkout became. Its document is what the resource says, member by member.
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

// printed is a resource as webhooks show it (decisions 7.2).
func printed(resource any) ([]byte, error) {
	text, err := json.Marshal(resource)
	if err != nil {
		return nil, err
	}
	return ecmajson.Canonical(text)
}

// cart is the items as a transaction has them (spec 2.8.1).
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

// taxRate is that of all items, when they have the same.
func (c Checkout) taxRate() *document.Number {
	first := c.Items[0].TaxRate
	differs := func(item OrderItem) bool { return item.TaxRate == nil || *item.TaxRate != *first }
	if first == nil || slices.ContainsFunc(c.Items, differs) {
		return nil
	}
	return first
}

// fullName is the name that the buyer gave, or else its parts.
func (c Checkout) fullName() *string {
	if c.Name != nil {
		return c.Name
	}
	return texts.Shown(strings.TrimSpace(texts.Of(c.Prename) + " " + texts.Of(c.Lastname)))
}

// tickets are one of the ticket resource for each piece of each item (spec 2.9).
func (c Checkout) tickets(rootEventID *string, now time.Time) ([]ticket.Record, error) {
	var made []ticket.Record
	for i := range c.Items {
		first := ticket.Record{Ticket: c.ticket(&c.Items[i], rootEventID, now)}
		var err error
		if first.Document, err = printed(first.Ticket); err != nil {
			return nil, err
		}
		made = append(made, first)
		for range c.Items[i].Amount - 1 {
			made = append(made, anotherTicket(first, now))
		}
	}
	return made, nil
}

// anotherTicket is a further ticket of an item: only its _id and its codes differ. Those of the first one were just drawn, so no
// other text of its document holds them.
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

// Texts of rand.Text have 26 letters and digits with 130 random bits; nobody guesses one.
const (
	// tidLength makes numbers that a person can read out; they identify nothing here.
	tidLength = 10
	// barcodeLength leaves 120 bits and makes codes that scanners read from small prints.
	barcodeLength = 24
)

func newTID() string     { return "T-" + rand.Text()[:tidLength] }
func newBarcode() string { return rand.Text()[:barcodeLength] }
