package graph

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/catalog"
	"ticketgate/domain/moment"
	"ticketgate/domain/sale"
	"ticketgate/domain/scan"
	"ticketgate/domain/ticket"
	"ticketgate/graph/generated"
	"ticketgate/graph/relay"
)

func (r *customerResolver) Tickets(ctx context.Context, obj *catalog.Customer, first *int, after *string, order domain.ListOrder, filter *ticket.Filter) (*relay.Connection[ticket.Record], error) {
	return toMany(ctx, obj, idOfCustomer, nested[ticket.Filter]{first, after, order, filter},
		r.Resolver.Tickets.OfCustomers, ticket.Record.Cursor)
}

func (r *customerResolver) Transactions(ctx context.Context, obj *catalog.Customer, first *int, after *string, order domain.ListOrder, filter *sale.TransactionFilter) (*relay.Connection[sale.TransactionRecord], error) {
	return toMany(ctx, obj, idOfCustomer, nested[sale.TransactionFilter]{first, after, order, filter},
		r.Resolver.Transactions.OfCustomers, sale.TransactionRecord.Cursor)
}

func (r *customerResolver) Invoices(ctx context.Context, obj *catalog.Customer, first *int, after *string, order domain.ListOrder, filter *sale.InvoiceFilter) (*relay.Connection[sale.InvoiceRecord], error) {
	return toMany(ctx, obj, idOfCustomer, nested[sale.InvoiceFilter]{first, after, order, filter},
		r.Resolver.Invoices.OfCustomers, sale.InvoiceRecord.Cursor)
}

func (r *customerResolver) Checkouts(ctx context.Context, obj *catalog.Customer, first *int, after *string, order domain.ListOrder, filter *sale.CheckoutFilter) (*relay.Connection[sale.Checkout], error) {
	return toMany(ctx, obj, idOfCustomer, nested[sale.CheckoutFilter]{first, after, order, filter},
		r.Resolver.Checkouts.OfCustomers, positionOfCheckout)
}

func (r *customerResolver) PurchaseIntents(ctx context.Context, obj *catalog.Customer, first *int, after *string, order domain.ListOrder, filter *sale.PurchaseIntentFilter) (*relay.Connection[sale.PurchaseIntent], error) {
	return toMany(ctx, obj, idOfCustomer, nested[sale.PurchaseIntentFilter]{first, after, order, filter},
		r.Resolver.PurchaseIntents.OfCustomers, positionOfPurchaseIntent)
}

func (r *eventResolver) TicketTypes(ctx context.Context, obj *catalog.Event, first *int, after *string, order domain.ListOrder, filter *catalog.TicketTypeFilter) (*relay.Connection[catalog.TicketType], error) {
	return toMany(ctx, obj, idOfEvent, nested[catalog.TicketTypeFilter]{first, after, order, filter},
		r.Resolver.TicketTypes.OfEvents, catalog.TicketType.Position)
}

func (r *eventResolver) Parent(ctx context.Context, obj *catalog.Event) (*catalog.Event, error) {
	return toOne(ctx, obj, parentOfEvent, r.CatalogEvents.ByID)
}

func (r *eventResolver) Root(ctx context.Context, obj *catalog.Event) (*catalog.Event, error) {
	return toOne(ctx, obj, rootOfEvent, r.CatalogEvents.ByID)
}

func (r *eventResolver) Children(ctx context.Context, obj *catalog.Event, first *int, after *string, order domain.ListOrder, filter *catalog.EventFilter) (*relay.Connection[catalog.Event], error) {
	return toMany(ctx, obj, idOfEvent, nested[catalog.EventFilter]{first, after, order, filter},
		r.CatalogEvents.OfEvents, catalog.Event.Position)
}

func (r *eventResolver) ScanZones(ctx context.Context, obj *catalog.Event, first *int, after *string, order domain.ListOrder, filter *catalog.ScanZoneFilter) (*relay.Connection[catalog.ScanZone], error) {
	return toMany(ctx, obj, idOfEvent, nested[catalog.ScanZoneFilter]{first, after, order, filter},
		r.Resolver.ScanZones.OfEvents, catalog.ScanZone.Position)
}

func (r *eventResolver) Tickets(ctx context.Context, obj *catalog.Event, first *int, after *string, order domain.ListOrder, filter *ticket.Filter) (*relay.Connection[ticket.Record], error) {
	return toMany(ctx, obj, idOfEvent, nested[ticket.Filter]{first, after, order, filter},
		r.Resolver.Tickets.OfEvents, ticket.Record.Cursor)
}

func (r *eventResolver) Occupancy(ctx context.Context, obj *catalog.Event) (*scan.Occupancy, error) {
	return toOne(ctx, obj, idOfEvent, r.Resolver.Scans.OfEachEvent)
}

func (r *eventResolver) ScanGroups(ctx context.Context, obj *catalog.Event, first *int, after *string, order domain.ListOrder, filter *scan.GroupFilter) (*relay.Connection[scan.Group], error) {
	return toMany(ctx, obj, idOfEvent, nested[scan.GroupFilter]{first, after, order, filter},
		r.Resolver.ScanGroups.OfEvents, positionOfScanGroup)
}

func (r *eventResolver) Transactions(ctx context.Context, obj *catalog.Event, first *int, after *string, order domain.ListOrder, filter *sale.TransactionFilter) (*relay.Connection[sale.TransactionRecord], error) {
	return toMany(ctx, obj, idOfEvent, nested[sale.TransactionFilter]{first, after, order, filter},
		r.Resolver.Transactions.OfEvents, sale.TransactionRecord.Cursor)
}

func (r *mutationResolver) CreateEvent(ctx context.Context, input catalog.NewEvent) (catalog.Event, error) {
	return r.CatalogEvents.Create(ctx, input)
}

func (r *mutationResolver) UpdateEvent(ctx context.Context, id string, input catalog.EventChange) (catalog.Event, error) {
	return r.CatalogEvents.Update(ctx, id, input)
}

func (r *mutationResolver) DeleteEvent(ctx context.Context, id string, expectedUpdatedAt *moment.DateTime) (catalog.Event, error) {
	return r.CatalogEvents.Delete(ctx, id, expectedUpdatedAt)
}

func (r *mutationResolver) CreateTicketType(ctx context.Context, input catalog.NewTicketType) (catalog.TicketType, error) {
	return r.TicketTypes.Create(ctx, input)
}

func (r *mutationResolver) UpdateTicketType(ctx context.Context, id string, input catalog.TicketTypeChange) (catalog.TicketType, error) {
	return r.TicketTypes.Update(ctx, id, input)
}

func (r *mutationResolver) DeleteTicketType(ctx context.Context, id string, expectedUpdatedAt *moment.DateTime) (catalog.TicketType, error) {
	return r.TicketTypes.Delete(ctx, id, expectedUpdatedAt)
}

func (r *mutationResolver) CreateScanZone(ctx context.Context, input catalog.NewScanZone) (catalog.ScanZone, error) {
	return r.ScanZones.Create(ctx, input)
}

func (r *mutationResolver) UpdateScanZone(ctx context.Context, id string, input catalog.ScanZoneChange) (catalog.ScanZone, error) {
	return r.ScanZones.Update(ctx, id, input)
}

func (r *mutationResolver) CreateCustomer(ctx context.Context, input catalog.NewCustomer) (catalog.Customer, error) {
	return r.Customers.Create(ctx, input)
}

func (r *mutationResolver) UpdateCustomer(ctx context.Context, id string, input catalog.CustomerChange) (catalog.Customer, error) {
	return r.Customers.Update(ctx, id, input)
}

func (r *queryResolver) Events(ctx context.Context, first *int, after *string, order domain.ListOrder, filter *catalog.EventFilter) (relay.Connection[catalog.Event], error) {
	return connectAt(ctx, first, after, order, filter, r.CatalogEvents.List, catalog.Event.Position)
}

func (r *queryResolver) Event(ctx context.Context, id string) (*catalog.Event, error) {
	return ptr(r.CatalogEvents.Get(ctx, id))
}

func (r *queryResolver) TicketTypes(ctx context.Context, first *int, after *string, order domain.ListOrder, filter *catalog.TicketTypeFilter) (relay.Connection[catalog.TicketType], error) {
	return connectAt(ctx, first, after, order, filter, r.Resolver.TicketTypes.List, catalog.TicketType.Position)
}

func (r *queryResolver) TicketType(ctx context.Context, id string) (*catalog.TicketType, error) {
	return ptr(r.Resolver.TicketTypes.Get(ctx, id))
}

func (r *queryResolver) ScanZones(ctx context.Context, first *int, after *string, order domain.ListOrder, filter *catalog.ScanZoneFilter) (relay.Connection[catalog.ScanZone], error) {
	return connectAt(ctx, first, after, order, filter, r.Resolver.ScanZones.List, catalog.ScanZone.Position)
}

func (r *queryResolver) ScanZone(ctx context.Context, id string) (*catalog.ScanZone, error) {
	return ptr(r.Resolver.ScanZones.Get(ctx, id))
}

func (r *queryResolver) Customers(ctx context.Context, first *int, after *string, order domain.ListOrder, filter *catalog.CustomerFilter) (relay.Connection[catalog.Customer], error) {
	return connectAt(ctx, first, after, order, filter, r.Resolver.Customers.List, catalog.Customer.Position)
}

func (r *queryResolver) Customer(ctx context.Context, id string) (*catalog.Customer, error) {
	return ptr(r.Resolver.Customers.Get(ctx, id))
}

func (r *scanZoneResolver) Event(ctx context.Context, obj *catalog.ScanZone) (*catalog.Event, error) {
	return toOne(ctx, obj, eventOfZone, r.CatalogEvents.ByID)
}

func (r *ticketTypeResolver) Event(ctx context.Context, obj *catalog.TicketType) (*catalog.Event, error) {
	return toOne(ctx, obj, eventOfTicketType, r.CatalogEvents.ByID)
}

func (r *ticketTypeResolver) Sold(ctx context.Context, obj *catalog.TicketType) (*int, error) {
	return toOne(ctx, obj, idOfTicketType, r.Resolver.Tickets.Sold)
}

func (r *ticketTypeResolver) CheckedIn(ctx context.Context, obj *catalog.TicketType) (*int, error) {
	return toOne(ctx, obj, idOfTicketType, r.Resolver.Scans.CheckedIn)
}

func (r *ticketTypeResolver) Inside(ctx context.Context, obj *catalog.TicketType) (*int, error) {
	return toOne(ctx, obj, idOfTicketType, r.Resolver.Scans.Inside)
}

func (r *Resolver) Customer() generated.CustomerResolver { return &customerResolver{r} }

func (r *Resolver) Event() generated.EventResolver { return &eventResolver{r} }

func (r *Resolver) ScanZone() generated.ScanZoneResolver { return &scanZoneResolver{r} }

func (r *Resolver) TicketType() generated.TicketTypeResolver { return &ticketTypeResolver{r} }

type (
	customerResolver   struct{ *Resolver }
	eventResolver      struct{ *Resolver }
	scanZoneResolver   struct{ *Resolver }
	ticketTypeResolver struct{ *Resolver }
)
