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

// WantedItem is an ordered number of tickets of one type. It has no price: that comes from the ticket type (SALE-5).
type WantedItem struct {
	TicketTypeID string `json:"ticketTypeId"`
	Amount       int    `json:"amount"`
}

// Order is the content of a checkout or a purchase intent.
type Order struct {
	EventID  string         `json:"eventId"`
	Items    []OrderItem    `json:"items"`
	Currency money.Currency `json:"currency"`
	// RealPrice is the exact sum of all items.
	RealPrice document.Number `json:"realPrice"`
}

// OrderItem is an ordered number of tickets of one type. Name, price and tax rate are copied from the ticket type at the time
// of the order.
type OrderItem struct {
	ID           string `json:"_id"`
	TicketTypeID string `json:"ticketTypeId"`
	// EventID is the ticket type's event: the order's event or one below it.
	EventID string `json:"eventId"`
	Name    string `json:"name"`
	Amount  int    `json:"amount"`
	// Price is the price per ticket.
	Price   document.Number  `json:"price"`
	TaxRate *document.Number `json:"taxRate,omitempty"`

	// The fields below are derived, see Order.shown. There are no discounts and no charges yet.
	RegularPrice document.Number `json:"regularPrice"`
	RealPrice    document.Number `json:"realPrice"`
	OuterCharge  document.Number `json:"outerCharge"`
	Currency     money.Currency  `json:"currency"`
}

// noCharge is a charge of zero.
const noCharge document.Number = "0"

// shown returns the order with the item fields that programs written for other platforms read. They are derived from the
// other fields: set on output and ignored on input (WEBHOOK-21).
func (o Order) shown() Order {
	o.Items = slices.Clone(o.Items)
	for i := range o.Items {
		item := &o.Items[i]
		item.RegularPrice, item.RealPrice, item.OuterCharge, item.Currency = item.Price, item.Price, noCharge, o.Currency
	}
	return o
}

// The limits of an order keep its total exact and the cost of completing it bounded.
const (
	maxOrderItems   = 100
	maxOrderTickets = 1000
)

// Total returns the order's price for calculations.
func (o Order) Total() *big.Rat {
	total, _ := new(big.Rat).SetString(o.RealPrice.String())
	return total
}

// wanted is an order to be priced.
type wanted struct {
	eventID string
	items   []WantedItem
	// path is the input field that contained the items.
	path string
	errs *domain.FieldErrors
}

// The input fields that may contain the items of an order. Programs written for other platforms send tickets (BODY-22).
const (
	itemsPath   = "items"
	ticketsPath = "tickets"
)

// wantedIn returns the order in an input that has items, tickets, or both with equal content.
func wantedIn(eventID string, items, tickets []WantedItem, errs *domain.FieldErrors) wanted {
	if items == nil && tickets != nil {
		return wanted{eventID, tickets, ticketsPath, errs}
	}
	if tickets != nil && !slices.Equal(items, tickets) {
		errs.Add(ticketsPath, "must be the same as items when both are sent")
	}
	return wanted{eventID, items, itemsPath, errs}
}

// priced returns the order with its prices. It adds all errors to errs at once: invalid amounts, an unknown event or
// ticket type, a ticket type of another event or one that is not for sale, and mixed currencies. The order is complete
// only if there were no errors (SALE-5).
func (w wanted) priced(ctx context.Context, from catalog.Reader, seller ids.Seller, now time.Time) (Order, error) {
	w.counted()
	var found domain.FieldErrors
	order, err := wanted{w.eventID, w.items[:min(len(w.items), maxOrderItems)], w.path, &found}.lookedUp(ctx, from, seller, now)
	w.errs.Merge(found.Err())
	return order, err
}

// lookedUp prices the items using the event and the ticket types that they name.
func (w wanted) lookedUp(ctx context.Context, from catalog.Reader, seller ids.Seller, now time.Time) (Order, error) {
	events, err := from.EventsByID(ctx, seller, references(w.eventID))
	if err != nil {
		return Order{}, err
	}
	event, known := events[w.eventID]
	switch {
	case !known:
		w.errs.Add("eventId", "does not exist")
	case event.Type.Gathers():
		w.errs.Add("eventId", "must not be an event of type "+string(event.Type)+"; use one of the events below it")
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

// references returns the ids that are well-formed.
func references(ids ...string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
		var errs domain.FieldErrors
		errs.Reference("", id)
		return errs.Any()
	})
}

// counted validates what needs no look-up.
func (w wanted) counted() {
	w.errs.Reference("eventId", w.eventID)
	if w.items == nil {
		w.errs.Add(w.path, "is required")
		return
	}
	if count := len(w.items); count == 0 || count > maxOrderItems {
		w.errs.Add(w.path, fmt.Sprintf("must have 1 to %d entries, not %d", maxOrderItems, count))
		return
	}
	tickets := 0
	for i, item := range w.items {
		path := domain.IndexPath(w.path, i)
		w.errs.Reference(path+".ticketTypeId", item.TicketTypeID)
		if item.Amount < 1 || item.Amount > maxOrderTickets {
			w.errs.Add(path+".amount", fmt.Sprintf("must be an integer from 1 to %d", maxOrderTickets))
			continue
		}
		tickets += item.Amount
	}
	if tickets > maxOrderTickets {
		w.errs.Add(w.path, fmt.Sprintf("must have at most %d tickets in total, not %d", maxOrderTickets, tickets))
	}
}

// places returns the events whose tickets may be in the order: the order's event and, if a ticket type belongs to another
// one, all events below it.
func (w wanted) places(
	ctx context.Context, from catalog.Reader, seller ids.Seller, types map[string]catalog.TicketType,
) (map[string]bool, error) {
	allowed := map[string]bool{w.eventID: true}
	for _, kind := range types {
		if allowed[kind.EventID] {
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

// order prices each item and sums up. If places is nil, it does not check to which events the ticket types belong.
func (w wanted) order(types map[string]catalog.TicketType, places map[string]bool, now time.Time) Order {
	order := Order{EventID: w.eventID, Items: make([]OrderItem, 0, len(w.items))}
	total := new(big.Rat)
	for i, item := range w.items {
		path := domain.IndexPath(w.path, i) + ".ticketTypeId"
		kind, known := types[item.TicketTypeID]
		switch {
		case !known:
			w.errs.Add(path, "does not exist")
		case places != nil && !places[kind.EventID]:
			w.errs.Add(path, "belongs to another event")
		case !kind.Active:
			w.errs.Add(path, "is not active")
		case order.Currency != "" && kind.Currency != order.Currency:
			w.errs.Add(path, fmt.Sprintf("must be priced in %s like the other items, not in %s", order.Currency, kind.Currency))
		default:
			order.Currency = kind.Currency
			price, _ := new(big.Rat).SetString(kind.Price.String())
			total.Add(total, price.Mul(price, big.NewRat(int64(item.Amount), 1)))
			order.Items = append(order.Items, OrderItem{
				ID: ids.New(now), TicketTypeID: kind.ID, EventID: kind.EventID, Name: kind.Name, Amount: item.Amount,
				Price: kind.Price, TaxRate: kind.TaxRate,
			})
		}
	}
	price, exact := exactNumber(total)
	if !exact || !countable(total, order.Currency.Decimals()) {
		w.errs.Add(w.path, "must have a lower total price: JSON numbers cannot hold this one exactly")
	}
	order.RealPrice = price
	return order
}

// countable reports whether every amount up to total, with the given decimals, is a distinct float64. Only then do the net
// and tax amounts of invoices and partial cancellations add up. A float64 preserves 15 significant digits.
func countable(total *big.Rat, decimals int) bool {
	const digits = 15
	most := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits-decimals)), nil) //nolint:mnd // decimal digits
	return total.Cmp(new(big.Rat).SetInt(most)) < 0
}

// exactNumber returns the JSON number nearest to number, and whether it is exact.
func exactNumber(number *big.Rat) (document.Number, bool) {
	nearest, _ := number.Float64()
	text := string(ecmajson.AppendNumber(nil, nearest))
	printed, ok := new(big.Rat).SetString(text)
	return document.Number(text), ok && printed.Cmp(number) == 0
}
