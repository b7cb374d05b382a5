package sale

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/catalog"
	"ticketgate/domain/document"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ids"
	"ticketgate/domain/money"
)

// WantedItem is so many tickets of one type, as a buyer asks for them. What they cost, the ticket type says (decisions 8.4).
type WantedItem struct {
	TicketTypeID string `json:"ticketTypeId"`
	Amount       int    `json:"amount"`
}

// Order is what a checkout or a purchase intent is about.
type Order struct {
	EventID  string         `json:"eventId"`
	Items    []OrderItem    `json:"items"`
	Currency money.Currency `json:"currency"`
	// RealPrice is the sum over all items, exactly.
	RealPrice document.Number `json:"realPrice"`
}

// OrderItem is so many tickets of one type with name, price and tax rate as the ticket type had them when it was asked for.
type OrderItem struct {
	ID           string `json:"_id"`
	TicketTypeID string `json:"ticketTypeId"`
	// EventID is the ticket type's: the order's event or one below it.
	EventID string `json:"eventId"`
	Name    string `json:"name"`
	Amount  int    `json:"amount"`
	// Price is that of one ticket.
	Price   document.Number  `json:"price"`
	TaxRate *document.Number `json:"taxRate,omitempty"`

	// The fields below repeat others, see Order.shown. There are no discounts and no charges yet.
	RegularPrice document.Number `json:"regularPrice"`
	RealPrice    document.Number `json:"realPrice"`
	OuterCharge  document.Number `json:"outerCharge"`
	Currency     money.Currency  `json:"currency"`
}

// noCharge is a charge of nothing.
const noCharge document.Number = "0"

// shown returns the order with the item fields that programs written for other platforms read. They follow from the others,
// so they are set whenever an order is written, and never read (WEBHOOK-21).
func (o Order) shown() Order {
	o.Items = slices.Clone(o.Items)
	for i := range o.Items {
		item := &o.Items[i]
		item.RegularPrice, item.RealPrice, item.OuterCharge, item.Currency = item.Price, item.Price, noCharge, o.Currency
	}
	return o
}

// The limits of an order: they keep its total exact, and the work of completing it bounded.
const (
	maxOrderItems   = 100
	maxOrderTickets = 1000
)

// Total is the order's price as a number that can be calculated with.
func (o Order) Total() *big.Rat {
	total, _ := new(big.Rat).SetString(o.RealPrice.String())
	return total
}

// wanted is an order that is being priced.
type wanted struct {
	eventID string
	items   []WantedItem
	// path is the field that the items were sent in.
	path     string
	problems *domain.Problems
}

// The fields that hold the items of an order: programs written for other platforms send tickets (BODY-22).
const (
	itemsPath   = "items"
	ticketsPath = "tickets"
)

// wantedIn returns the order of a body with one of the two fields, or with both if they say the same.
func wantedIn(eventID string, items, tickets []WantedItem, problems *domain.Problems) wanted {
	if items == nil && tickets != nil {
		return wanted{eventID, tickets, ticketsPath, problems}
	}
	if tickets != nil && !slices.Equal(items, tickets) {
		problems.Add(ticketsPath, "must be the same as items when both are sent")
	}
	return wanted{eventID, items, itemsPath, problems}
}

// priced says what the items cost. What is wrong with the order goes into problems, all of it at once: amounts, an event or a
// ticket type that the seller does not have (decisions 1.1), a type that belongs to another event or is not sold, and several
// currencies. The order is complete only when nothing was.
func (w wanted) priced(ctx context.Context, from catalog.Reader, seller ids.Seller, now time.Time) (Order, error) {
	w.counted()
	var found domain.Problems
	order, err := wanted{w.eventID, w.items[:min(len(w.items), maxOrderItems)], w.path, &found}.lookedUp(ctx, from, seller, now)
	w.problems.Further(found.Err())
	return order, err
}

// lookedUp prices the items by the event and the ticket types that they name.
func (w wanted) lookedUp(ctx context.Context, from catalog.Reader, seller ids.Seller, now time.Time) (Order, error) {
	events, err := from.EventsByID(ctx, seller, references(w.eventID))
	if err != nil {
		return Order{}, err
	}
	event, known := events[w.eventID]
	switch {
	case !known:
		w.problems.Add("eventId", "does not exist")
	case event.Type.Gathers():
		w.problems.Add("eventId", "is an event of type "+string(event.Type)+", which gathers events; name one of them")
	}
	ids := make([]string, len(w.items))
	for i, item := range w.items {
		ids[i] = item.TicketTypeID
	}
	types, err := from.TicketTypesByID(ctx, seller, references(ids...))
	if err != nil {
		return Order{}, err
	}
	var places map[string]bool
	if known && !event.Type.Gathers() {
		if places, err = w.places(ctx, from, seller, types); err != nil {
			return Order{}, err
		}
	}
	return w.order(types, places, now), nil
}

// references are those of the ids that can be looked up.
func references(ids ...string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
		var problems domain.Problems
		problems.Reference("", id)
		return problems.Any()
	})
}

// counted checks what can be checked without a look-up.
func (w wanted) counted() {
	w.problems.Reference("eventId", w.eventID)
	if w.items == nil {
		w.problems.Add(w.path, "is required")
		return
	}
	if count := len(w.items); count == 0 || count > maxOrderItems {
		w.problems.Add(w.path, fmt.Sprintf("must be 1 to %d, not %d", maxOrderItems, count))
		return
	}
	tickets := 0
	for i, item := range w.items {
		path := domain.IndexPath(w.path, i)
		w.problems.Reference(path+".ticketTypeId", item.TicketTypeID)
		if item.Amount < 1 || item.Amount > maxOrderTickets {
			w.problems.Add(path+".amount", fmt.Sprintf("must be 1 to %d", maxOrderTickets))
			continue
		}
		tickets += item.Amount
	}
	if tickets > maxOrderTickets {
		w.problems.Add(w.path, fmt.Sprintf("must be at most %d tickets together, not %d", maxOrderTickets, tickets))
	}
}

// places are the events whose tickets may be in the order: its own and, where a ticket type is of another, those below it.
func (w wanted) places(
	ctx context.Context, from catalog.Reader, seller ids.Seller, types map[string]catalog.TicketType,
) (map[string]bool, error) {
	allowed := map[string]bool{w.eventID: true}
	for _, one := range types {
		if allowed[one.EventID] {
			continue
		}
		below, err := from.EventsBelow(ctx, seller, w.eventID)
		for _, event := range below {
			allowed[event.ID] = true
		}
		return allowed, err
	}
	return allowed, nil
}

// order prices each item and adds up. Without places nobody knows which events the tickets may be of.
func (w wanted) order(types map[string]catalog.TicketType, places map[string]bool, now time.Time) Order {
	made := Order{EventID: w.eventID, Items: make([]OrderItem, 0, len(w.items))}
	total := new(big.Rat)
	for i, item := range w.items {
		path := domain.IndexPath(w.path, i) + ".ticketTypeId"
		kind, known := types[item.TicketTypeID]
		switch {
		case !known:
			w.problems.Add(path, "does not exist")
		case places != nil && !places[kind.EventID]:
			w.problems.Add(path, "is of another event")
		case !kind.Active:
			w.problems.Add(path, "is not sold: the ticket type is not active")
		case made.Currency != "" && kind.Currency != made.Currency:
			w.problems.Add(path, fmt.Sprintf("costs %s, and what stands before it %s", kind.Currency, made.Currency))
		default:
			made.Currency = kind.Currency
			price, _ := new(big.Rat).SetString(kind.Price.String())
			total.Add(total, price.Mul(price, big.NewRat(int64(item.Amount), 1)))
			made.Items = append(made.Items, OrderItem{
				ID: ids.New(now), TicketTypeID: kind.ID, EventID: kind.EventID, Name: kind.Name, Amount: item.Amount,
				Price: kind.Price, TaxRate: kind.TaxRate,
			})
		}
	}
	price, exact := exactNumber(total)
	if !exact || !countable(total, made.Currency.Decimals()) {
		w.problems.Add(w.path, "cost more than a number of JSON can say exactly")
	}
	made.RealPrice = price
	return made
}

// countable tells whether every amount up to a total, of so many decimals, has a number of its own: what an invoice says of
// net and tax, and a cancellation of a part, then adds up as well. A double holds any 15 digits.
func countable(total *big.Rat, decimals int) bool {
	const digits = 15
	most := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits-decimals)), nil) //nolint:mnd // decimal digits
	return total.Cmp(new(big.Rat).SetInt(most)) < 0
}

// exactNumber is the number as the wire writes it, and false when the wire can only come near it (decisions 1.6).
func exactNumber(number *big.Rat) (document.Number, bool) {
	nearest, _ := number.Float64()
	text := string(ecmajson.AppendNumber(nil, nearest))
	printed, ok := new(big.Rat).SetString(text)
	return document.Number(text), ok && printed.Cmp(number) == 0
}
