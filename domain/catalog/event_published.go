package catalog

import (
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/document"
	"ticketgate/domain/money"
)

// publishedEvent is an event in webhooks, with its current ticket types (WEBHOOK-20).
type publishedEvent struct {
	*Event

	Tickets []publishedTicketType `json:"tickets"`
}

type publishedTicketType struct {
	ID       string           `json:"_id"`
	Name     string           `json:"name"`
	Price    document.Number  `json:"price"`
	Currency money.Currency   `json:"currency"`
	TaxRate  *document.Number `json:"taxRate,omitempty"`
	Active   bool             `json:"active"`
}

// maxTicketTypes limits the ticket types of an event, because every webhook call about the event contains them.
const maxTicketTypes = 1000

func (e *Event) publish(ctx context.Context, tx Tx, kind domain.EventType) error {
	types, err := tx.TicketTypesOf(ctx, e.SellerID, e.ID, maxTicketTypes)
	if err != nil {
		return err
	}
	return e.publishWith(ctx, tx, kind, types)
}

func (e *Event) publishWith(ctx context.Context, tx Tx, kind domain.EventType, types []TicketType) error {
	shown := publishedEvent{Event: e, Tickets: make([]publishedTicketType, len(types))}
	for i, t := range types {
		shown.Tickets[i] = publishedTicketType{t.ID, t.Name, t.Price, t.Currency, t.TaxRate, t.Active}
	}
	return publish(ctx, tx, e.SellerID, kind, "event", shown)
}

// publishTypes publishes event.updated after a change of a ticket type and sets the event's updatedAt to the published
// one (WEBHOOK-22). The event is locked, so that of two concurrent changes the later event contains both.
func (e *Event) publishTypes(ctx context.Context, tx Tx, now time.Time) error {
	e.UpdatedAt = domain.NextUpdate(now, e.UpdatedAt)
	if err := tx.UpdateEvent(ctx, *e); err != nil {
		return err
	}
	return e.publish(ctx, tx, eventUpdated)
}
