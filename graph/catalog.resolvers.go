package graph

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/catalog"
	"ticketgate/domain/document"
	"ticketgate/domain/ecmajson"
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

func (r *mutationResolver) DeleteEvent(ctx context.Context, id string, expectedUpdatedAt *domain.DateTime) (catalog.Event, error) {
	return r.CatalogEvents.Delete(ctx, id, expectedUpdatedAt)
}

func (r *mutationResolver) CreateTicketType(ctx context.Context, input catalog.NewTicketType) (catalog.TicketType, error) {
	return r.TicketTypes.Create(ctx, input)
}

func (r *mutationResolver) UpdateTicketType(ctx context.Context, id string, input catalog.TicketTypeChange) (catalog.TicketType, error) {
	return r.TicketTypes.Update(ctx, id, input)
}

func (r *mutationResolver) DeleteTicketType(ctx context.Context, id string, expectedUpdatedAt *domain.DateTime) (catalog.TicketType, error) {
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
	return one(r.CatalogEvents.Get(ctx, id))
}

func (r *queryResolver) TicketTypes(ctx context.Context, first *int, after *string, order domain.ListOrder, filter *catalog.TicketTypeFilter) (relay.Connection[catalog.TicketType], error) {
	return connectAt(ctx, first, after, order, filter, r.Resolver.TicketTypes.List, catalog.TicketType.Position)
}

func (r *queryResolver) TicketType(ctx context.Context, id string) (*catalog.TicketType, error) {
	return one(r.Resolver.TicketTypes.Get(ctx, id))
}

func (r *queryResolver) ScanZones(ctx context.Context, first *int, after *string, order domain.ListOrder, filter *catalog.ScanZoneFilter) (relay.Connection[catalog.ScanZone], error) {
	return connectAt(ctx, first, after, order, filter, r.Resolver.ScanZones.List, catalog.ScanZone.Position)
}

func (r *queryResolver) ScanZone(ctx context.Context, id string) (*catalog.ScanZone, error) {
	return one(r.Resolver.ScanZones.Get(ctx, id))
}

func (r *queryResolver) Customers(ctx context.Context, first *int, after *string, order domain.ListOrder, filter *catalog.CustomerFilter) (relay.Connection[catalog.Customer], error) {
	return connectAt(ctx, first, after, order, filter, r.Resolver.Customers.List, catalog.Customer.Position)
}

func (r *queryResolver) Customer(ctx context.Context, id string) (*catalog.Customer, error) {
	return one(r.Resolver.Customers.Get(ctx, id))
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

func (r *updateCustomerInputResolver) Email(ctx context.Context, obj *catalog.CustomerChange, data *string) error {
	obj.Email = domain.FromPointer(data)
	return nil
}

func (r *updateCustomerInputResolver) Firstname(ctx context.Context, obj *catalog.CustomerChange, data *string) error {
	obj.Firstname = domain.FromPointer(data)
	return nil
}

func (r *updateCustomerInputResolver) Lastname(ctx context.Context, obj *catalog.CustomerChange, data *string) error {
	obj.Lastname = domain.FromPointer(data)
	return nil
}

func (r *updateCustomerInputResolver) Company(ctx context.Context, obj *catalog.CustomerChange, data *string) error {
	obj.Company = domain.FromPointer(data)
	return nil
}

func (r *updateCustomerInputResolver) Phone(ctx context.Context, obj *catalog.CustomerChange, data *string) error {
	obj.Phone = domain.FromPointer(data)
	return nil
}

func (r *updateCustomerInputResolver) Street(ctx context.Context, obj *catalog.CustomerChange, data *string) error {
	obj.Street = domain.FromPointer(data)
	return nil
}

func (r *updateCustomerInputResolver) Line2(ctx context.Context, obj *catalog.CustomerChange, data *string) error {
	obj.Line2 = domain.FromPointer(data)
	return nil
}

func (r *updateCustomerInputResolver) Postal(ctx context.Context, obj *catalog.CustomerChange, data *string) error {
	obj.Postal = domain.FromPointer(data)
	return nil
}

func (r *updateCustomerInputResolver) City(ctx context.Context, obj *catalog.CustomerChange, data *string) error {
	obj.City = domain.FromPointer(data)
	return nil
}

func (r *updateCustomerInputResolver) State(ctx context.Context, obj *catalog.CustomerChange, data *string) error {
	obj.State = domain.FromPointer(data)
	return nil
}

func (r *updateCustomerInputResolver) Country(ctx context.Context, obj *catalog.CustomerChange, data *string) error {
	obj.Country = domain.FromPointer(data)
	return nil
}

func (r *updateCustomerInputResolver) Meta(ctx context.Context, obj *catalog.CustomerChange, data *ecmajson.Value) error {
	obj.Meta = domain.FromPointer(data)
	return nil
}

func (r *updateEventInputResolver) Name(ctx context.Context, obj *catalog.EventChange, data *string) error {
	obj.Name = domain.FromPointer(data)
	return nil
}

func (r *updateEventInputResolver) RootEventID(ctx context.Context, obj *catalog.EventChange, data *string) error {
	obj.RootEventID = domain.FromPointer(data)
	return nil
}

func (r *updateEventInputResolver) ParentEventID(ctx context.Context, obj *catalog.EventChange, data *string) error {
	obj.ParentEventID = domain.FromPointer(data)
	return nil
}

func (r *updateEventInputResolver) Start(ctx context.Context, obj *catalog.EventChange, data *domain.DateTime) error {
	obj.Start = domain.FromPointer(data)
	return nil
}

func (r *updateEventInputResolver) End(ctx context.Context, obj *catalog.EventChange, data *domain.DateTime) error {
	obj.End = domain.FromPointer(data)
	return nil
}

func (r *updateEventInputResolver) TimeZone(ctx context.Context, obj *catalog.EventChange, data *string) error {
	obj.TimeZone = domain.FromPointer(data)
	return nil
}

func (r *updateEventInputResolver) SkipAddressInfo(ctx context.Context, obj *catalog.EventChange, data *bool) error {
	obj.SkipAddressInfo = domain.FromPointer(data)
	return nil
}

func (r *updateEventInputResolver) CodeDisplay(ctx context.Context, obj *catalog.EventChange, data *catalog.CodeDisplay) error {
	obj.CodeDisplay = domain.FromPointer(data)
	return nil
}

func (r *updateEventInputResolver) BarcodeRevealDate(ctx context.Context, obj *catalog.EventChange, data *domain.DateTime) error {
	obj.BarcodeRevealDate = domain.FromPointer(data)
	return nil
}

func (r *updateEventInputResolver) Meta(ctx context.Context, obj *catalog.EventChange, data *ecmajson.Value) error {
	obj.Meta = domain.FromPointer(data)
	return nil
}

func (r *updateEventInputResolver) SellStart(ctx context.Context, obj *catalog.EventChange, data *domain.DateTime) error {
	obj.SellStart = domain.FromPointer(data)
	return nil
}

func (r *updateEventInputResolver) SellEnd(ctx context.Context, obj *catalog.EventChange, data *domain.DateTime) error {
	obj.SellEnd = domain.FromPointer(data)
	return nil
}

func (r *updateEventInputResolver) MaxAmount(ctx context.Context, obj *catalog.EventChange, data *int) error {
	obj.MaxAmount = domain.FromPointer(data)
	return nil
}

func (r *updateEventInputResolver) MaxAmountPerOrder(ctx context.Context, obj *catalog.EventChange, data *int) error {
	obj.MaxAmountPerOrder = domain.FromPointer(data)
	return nil
}

func (r *updateEventInputResolver) Status(ctx context.Context, obj *catalog.EventChange, data *string) error {
	obj.Status = domain.FromPointer(data)
	return nil
}

func (r *updateScanZoneInputResolver) Name(ctx context.Context, obj *catalog.ScanZoneChange, data *string) error {
	obj.Name = domain.FromPointer(data)
	return nil
}

func (r *updateScanZoneInputResolver) EventID(ctx context.Context, obj *catalog.ScanZoneChange, data *string) error {
	obj.EventID = domain.FromPointer(data)
	return nil
}

func (r *updateScanZoneInputResolver) Meta(ctx context.Context, obj *catalog.ScanZoneChange, data *ecmajson.Value) error {
	obj.Meta = domain.FromPointer(data)
	return nil
}

func (r *updateTicketTypeInputResolver) Name(ctx context.Context, obj *catalog.TicketTypeChange, data *string) error {
	obj.Name = domain.FromPointer(data)
	return nil
}

func (r *updateTicketTypeInputResolver) Price(ctx context.Context, obj *catalog.TicketTypeChange, data *document.Number) error {
	obj.Price = domain.FromPointer(data)
	return nil
}

func (r *updateTicketTypeInputResolver) Currency(ctx context.Context, obj *catalog.TicketTypeChange, data *domain.Currency) error {
	obj.Currency = domain.FromPointer(data)
	return nil
}

func (r *updateTicketTypeInputResolver) TaxRate(ctx context.Context, obj *catalog.TicketTypeChange, data *document.Number) error {
	obj.TaxRate = domain.FromPointer(data)
	return nil
}

func (r *updateTicketTypeInputResolver) Active(ctx context.Context, obj *catalog.TicketTypeChange, data *bool) error {
	obj.Active = domain.FromPointer(data)
	return nil
}

func (r *updateTicketTypeInputResolver) Meta(ctx context.Context, obj *catalog.TicketTypeChange, data *ecmajson.Value) error {
	obj.Meta = domain.FromPointer(data)
	return nil
}

func (r *Resolver) Customer() generated.CustomerResolver { return &customerResolver{r} }

func (r *Resolver) Event() generated.EventResolver { return &eventResolver{r} }

func (r *Resolver) ScanZone() generated.ScanZoneResolver { return &scanZoneResolver{r} }

func (r *Resolver) TicketType() generated.TicketTypeResolver { return &ticketTypeResolver{r} }

func (r *Resolver) UpdateCustomerInput() generated.UpdateCustomerInputResolver {
	return &updateCustomerInputResolver{r}
}

func (r *Resolver) UpdateEventInput() generated.UpdateEventInputResolver {
	return &updateEventInputResolver{r}
}

func (r *Resolver) UpdateScanZoneInput() generated.UpdateScanZoneInputResolver {
	return &updateScanZoneInputResolver{r}
}

func (r *Resolver) UpdateTicketTypeInput() generated.UpdateTicketTypeInputResolver {
	return &updateTicketTypeInputResolver{r}
}

type (
	customerResolver              struct{ *Resolver }
	eventResolver                 struct{ *Resolver }
	scanZoneResolver              struct{ *Resolver }
	ticketTypeResolver            struct{ *Resolver }
	updateCustomerInputResolver   struct{ *Resolver }
	updateEventInputResolver      struct{ *Resolver }
	updateScanZoneInputResolver   struct{ *Resolver }
	updateTicketTypeInputResolver struct{ *Resolver }
)
