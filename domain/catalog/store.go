package catalog

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/ids"
)

// Reader is the catalog as other packages read it, with one query per call. Unknown ids and those of other sellers are
// absent from the map.
type Reader interface {
	EventsByID(ctx context.Context, seller ids.Seller, ids []string) (map[string]Event, error)
	// EventsBelow returns the events that refer to the event as their root or parent, oldest first.
	EventsBelow(ctx context.Context, seller ids.Seller, id string) ([]Event, error)
	TicketTypesByID(ctx context.Context, seller ids.Seller, ids []string) (map[string]TicketType, error)
	ScanZonesByID(ctx context.Context, seller ids.Seller, ids []string) (map[string]ScanZone, error)
}

// Store is the database access of the catalog. Records of other sellers are NOT_FOUND.
type Store interface {
	placeReader
	EdgeStore
	InTx(ctx context.Context, f func(Tx) error) error

	Event(ctx context.Context, seller ids.Seller, id string) (Event, error)
	Events(ctx context.Context, seller ids.Seller, filter EventFilter, page domain.Page) (domain.List[Event], error)
	TicketType(ctx context.Context, seller ids.Seller, id string) (TicketType, error)
	TicketTypes(ctx context.Context, seller ids.Seller, filter TicketTypeFilter, page domain.Page) (domain.List[TicketType], error)
	ScanZone(ctx context.Context, seller ids.Seller, id string) (ScanZone, error)
	ScanZones(ctx context.Context, seller ids.Seller, filter ScanZoneFilter, page domain.Page) (domain.List[ScanZone], error)
	Customer(ctx context.Context, seller ids.Seller, id string) (Customer, error)
	Customers(ctx context.Context, seller ids.Seller, filter CustomerFilter, page domain.Page) (domain.List[Customer], error)
}

// EdgeStore reads records for many objects at once (GRAPH-1).
type EdgeStore interface {
	EventsByID(ctx context.Context, seller ids.Seller, ids []string) (map[string]Event, error)
	TicketTypesByID(ctx context.Context, seller ids.Seller, ids []string) (map[string]TicketType, error)
	CustomersByID(ctx context.Context, seller ids.Seller, ids []string) (map[string]Customer, error)
	ScanZonesByID(ctx context.Context, seller ids.Seller, ids []string) (map[string]ScanZone, error)
	// EventsByTransaction reads the events of the transactions, keyed by transaction _id.
	EventsByTransaction(ctx context.Context, seller ids.Seller, transactions []string) (map[string]Event, error)
	// TicketTypesOfEvents reads a page of each event's ticket types in one query. Every event has a list.
	TicketTypesOfEvents(
		ctx context.Context, seller ids.Seller, events []string, filter TicketTypeFilter, page domain.Page,
	) (map[string]domain.List[TicketType], error)
	// TicketTypesOfScanGroups reads a page of the ticket types that each scan group admits, in one query. Every group
	// has a list.
	TicketTypesOfScanGroups(
		ctx context.Context, seller ids.Seller, groups []string, filter TicketTypeFilter, page domain.Page,
	) (map[string]domain.List[TicketType], error)
	// EventsOfScanGroups reads a page of each scan group's events in one query. Every group has a list.
	EventsOfScanGroups(
		ctx context.Context, seller ids.Seller, groups []string, filter EventFilter, page domain.Page,
	) (map[string]domain.List[Event], error)
	// EventsOfDevices reads a page of each device's events in one query. Every device has a list.
	EventsOfDevices(
		ctx context.Context, seller ids.Seller, devices []string, filter EventFilter, page domain.Page,
	) (map[string]domain.List[Event], error)
	// EventsOfEvents reads a page of the events that refer to each event as their parent or root, in one query. Every
	// event has a list.
	EventsOfEvents(
		ctx context.Context, seller ids.Seller, events []string, filter EventFilter, page domain.Page,
	) (map[string]domain.List[Event], error)
	// ScanZonesOfEvents reads a page of each event's scan zones in one query. Every event has a list.
	ScanZonesOfEvents(
		ctx context.Context, seller ids.Seller, events []string, filter ScanZoneFilter, page domain.Page,
	) (map[string]domain.List[ScanZone], error)
}

// Tx is a database transaction on the catalog. Methods with the suffix ForUpdate lock the row until it ends. If the
// seller already has the _id or does not have the event, inserts return VALIDATION_FAILED.
type Tx interface {
	domain.Tx
	placeReader
	EventTx

	InsertTicketType(ctx context.Context, ticketType TicketType) error
	TicketTypeForUpdate(ctx context.Context, seller ids.Seller, id string) (TicketType, error)
	UpdateTicketType(ctx context.Context, ticketType TicketType) error
	// TicketTypesOf returns up to most ticket types of an event, oldest first.
	TicketTypesOf(ctx context.Context, seller ids.Seller, eventID string, most int) ([]TicketType, error)
	// DeleteTicketType deletes a ticket type. It returns INVALID_STATE if anything refers to it.
	DeleteTicketType(ctx context.Context, seller ids.Seller, id string) error

	InsertScanZone(ctx context.Context, zone ScanZone) error
	ScanZoneForUpdate(ctx context.Context, seller ids.Seller, id string) (ScanZone, error)
	UpdateScanZone(ctx context.Context, zone ScanZone) error

	InsertCustomer(ctx context.Context, customer Customer) error
	CustomerForUpdate(ctx context.Context, seller ids.Seller, id string) (Customer, error)
	UpdateCustomer(ctx context.Context, customer Customer) error
}

// EventTx writes events.
type EventTx interface {
	// LockPlaces serializes transactions that change the seller's event hierarchy.
	LockPlaces(ctx context.Context, seller ids.Seller) error
	InsertEvent(ctx context.Context, event Event) error
	EventForUpdate(ctx context.Context, seller ids.Seller, id string) (Event, error)
	UpdateEvent(ctx context.Context, event Event) error
	// NotifyDevices adds a change to the devices' feed, since gates now decide differently about the event and those
	// below it.
	NotifyDevices(ctx context.Context, event Event) error
	// DeleteEvent deletes an event with its ticket types and scan zones. It returns INVALID_STATE if anything else
	// refers to it.
	DeleteEvent(ctx context.Context, seller ids.Seller, id string) error
}
