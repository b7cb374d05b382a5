package scan

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/catalog"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/secrets"
	"ticketgate/domain/ticket"
)

// GroupStore reads and writes scan groups. A record of another seller is NOT_FOUND.
type GroupStore interface {
	catalog.Reader
	InTx(ctx context.Context, f func(Tx) error) error
	Group(ctx context.Context, seller ids.Seller, id string) (Group, error)
	Groups(ctx context.Context, seller ids.Seller, filter GroupFilter, page domain.Page) (domain.List[Group], error)
	GroupsByID(ctx context.Context, seller ids.Seller, ids []string) (map[string]Group, error)
	// GroupsOfEvents returns a page of each event's scan groups, in one query. Every event has a list.
	GroupsOfEvents(
		ctx context.Context, seller ids.Seller, events []string, filter GroupFilter, page domain.Page,
	) (map[string]domain.List[Group], error)
}

// Tx reads and writes scans, devices and scan groups within a transaction.
type Tx interface {
	domain.Tx
	catalog.Reader
	GroupTx
	DeviceTx
	LogTx
	PlaceTx
}

// GroupTx writes scan groups. A change takes effect on every process before the call that made it returns (KEY-1).
type GroupTx interface {
	InsertGroup(ctx context.Context, group Group) error
	// GroupForUpdate locks the group until the transaction ends.
	GroupForUpdate(ctx context.Context, seller ids.Seller, id string) (Group, error)
	UpdateGroup(ctx context.Context, group Group) error
	// DeleteGroup returns INVALID_STATE while a device uses the group.
	DeleteGroup(ctx context.Context, seller ids.Seller, id string) error
}

// DeviceStore reads and writes devices. A record of another seller is NOT_FOUND.
type DeviceStore interface {
	deviceReferences
	InTx(ctx context.Context, f func(Tx) error) error
	// WaitingDevice returns the device that waits for a code, or NOT_FOUND if the code is unknown, used or expired.
	WaitingDevice(ctx context.Context, code secrets.Digest, now moment.DateTime) (Device, error)
	Device(ctx context.Context, seller ids.Seller, id string) (Device, error)
	Devices(ctx context.Context, seller ids.Seller, filter DeviceFilter, page domain.Page) (domain.List[Device], error)
	DevicesByID(ctx context.Context, seller ids.Seller, ids []string) (map[string]Device, error)
	// DevicesOfGroups returns a page of each scan group's devices, in one query. Every group has a list.
	DevicesOfGroups(
		ctx context.Context, seller ids.Seller, groups []string, filter DeviceFilter, page domain.Page,
	) (map[string]domain.List[Device], error)
	// AllDevices returns all devices of a seller, oldest first.
	AllDevices(ctx context.Context, seller ids.Seller) ([]Device, error)
	SellerName(ctx context.Context, seller ids.Seller) (string, error)
	// EventNames returns the seller's events with these ids, in order of creation.
	EventNames(ctx context.Context, seller ids.Seller, ids []string) ([]EventName, error)
	// AllEventNames returns all events that can be scanned. If gathering is set, it adds the ROOT and GROUP events.
	AllEventNames(ctx context.Context, seller ids.Seller, gathering bool) ([]EventName, error)
	ChainStore
}

// deviceReferences reads the records that a device can refer to.
type deviceReferences interface {
	EventsByID(ctx context.Context, seller ids.Seller, ids []string) (map[string]catalog.Event, error)
	// HasGroup reports whether the seller has the scan group. In a transaction, it locks the group until the end.
	HasGroup(ctx context.Context, seller ids.Seller, id string) (bool, error)
}

// DeviceTx writes devices. A change takes effect on every process before the call that made it returns (KEY-1).
type DeviceTx interface {
	InsertDevice(ctx context.Context, device Device, token secrets.Digest) error
	// DeviceForUpdate locks the device until the transaction ends.
	DeviceForUpdate(ctx context.Context, seller ids.Seller, id string) (Device, error)
	UpdateDevice(ctx context.Context, device Device) error
	DeleteDevice(ctx context.Context, seller ids.Seller, id string) error
	deviceReferences
	// ReplaceToken stores a new token. The previous token and pairing code are invalid.
	ReplaceToken(ctx context.Context, device Device, token secrets.Digest) error
	// AwaitPairing removes the device's token and stores a pairing code.
	AwaitPairing(ctx context.Context, device Device, code secrets.Digest) error
	// DeviceByCode is WaitingDevice, and locks the device.
	DeviceByCode(ctx context.Context, code secrets.Digest, now moment.DateTime) (Device, error)
}

// Gates returns devices with their scan groups. It may cache them, but a change is visible on every process as soon as
// the call that made it returns (KEY-1).
type Gates interface {
	Gate(ctx context.Context, seller ids.Seller, deviceID string) (Gate, error)
}

// LogStore reads and writes scans. A record of another seller is NOT_FOUND.
type LogStore interface {
	EdgeStore
	InTx(ctx context.Context, f func(Tx) error) error
	// InLongTx is InTx for work on this number of rows. More than share.Ordinary rows wait for the seller's share, and
	// then run to the end even if the caller leaves. Use the context that f gets.
	InLongTx(ctx context.Context, seller ids.Seller, rows int, f func(context.Context, Tx) error) error
	// Undone reports whether a transaction that ended with this error has left no effect.
	Undone(err error) bool
	// Trace returns the id of the trace that a call belongs to, for the jobs of its events. It is empty if there is
	// none.
	Trace(ctx context.Context) string
	Group(ctx context.Context, seller ids.Seller, id string) (Group, error)
	Scan(ctx context.Context, seller ids.Seller, id string) (Scan, error)
	ScansByID(ctx context.Context, seller ids.Seller, ids []string) (map[string]Scan, error)
	Scans(ctx context.Context, seller ids.Seller, filter Filter, page domain.Page) (domain.List[Scan], error)
	// ScansMark returns a text that changes whenever a scan is stored.
	ScansMark(ctx context.Context, seller ids.Seller) (string, error)
	Occupancy(ctx context.Context, seller ids.Seller, eventID string) (Occupancy, error)
	// ScansPerMinute counts the scans of each minute since a time, oldest first. It omits minutes without scans.
	ScansPerMinute(ctx context.Context, seller ids.Seller, since moment.DateTime) ([]Minute, error)
	// ScansPerDevice counts the scans of each device since a time. It omits devices without scans.
	ScansPerDevice(ctx context.Context, seller ids.Seller, ids []string, since moment.DateTime) (map[string]int, error)
}

// EdgeStore reads records that many objects lead to, in one query (GRAPH-1).
type EdgeStore interface {
	// ScansOfGroups returns a page of each scan group's scans. Every group has a list.
	ScansOfGroups(
		ctx context.Context, seller ids.Seller, groups []string, filter Filter, page domain.Page,
	) (map[string]domain.List[Scan], error)
	// ScansOfDevices returns a page of each device's scans. Every device has a list.
	ScansOfDevices(
		ctx context.Context, seller ids.Seller, devices []string, filter Filter, page domain.Page,
	) (map[string]domain.List[Scan], error)
	// ScansOfTickets returns a page of each ticket's scans. Every ticket has a list.
	ScansOfTickets(
		ctx context.Context, seller ids.Seller, tickets []string, filter Filter, page domain.Page,
	) (map[string]domain.List[Scan], error)
	// Occupancies counts the tickets of events. Every event has an occupancy, even if it does not exist.
	Occupancies(ctx context.Context, seller ids.Seller, events []string) (map[string]Occupancy, error)
	// Presences returns where tickets are. Every ticket has a presence.
	Presences(ctx context.Context, seller ids.Seller, tickets []string) (map[string]Presence, error)
	// CheckedInOfTypes counts the VALID tickets of each ticket type that were ever checked in.
	CheckedInOfTypes(ctx context.Context, seller ids.Seller, types []string) (map[string]int, error)
	// InsideOfTypes counts the VALID tickets of each ticket type that are inside a zone of any event.
	InsideOfTypes(ctx context.Context, seller ids.Seller, types []string) (map[string]int, error)
}

// LogTx writes the scan log.
type LogTx interface {
	// SetResponseTo is SetResponse for one of several requests that share the transaction.
	SetResponseTo(request domain.IdempotentRequest, result any)
	// PublishAll is Publish for many events, in few statements.
	PublishAll(ctx context.Context, events []domain.Event) ([]string, error)
	// EventAndAbove returns an event and the ids of the ROOT and GROUP events above it, at any distance. The event is
	// nil if the seller does not have it.
	EventAndAbove(ctx context.Context, seller ids.Seller, id string) (*catalog.Event, []string, error)
	// EventsAndAbove is EventAndAbove for many events, by id. It omits those that the seller does not have.
	EventsAndAbove(ctx context.Context, seller ids.Seller, ids []string) (map[string]EventAndAbove, error)
	// KnownAtGate returns the tickets with these codes and their histories at the events, without locks.
	KnownAtGate(ctx context.Context, seller ids.Seller, held []Held) ([]Known, error)
	// TicketsByCode returns the seller's tickets with one of these barcodes or ids.
	TicketsByCode(ctx context.Context, seller ids.Seller, barcodes, ids []string) ([]ticket.Record, error)
	// WaitForUploads lets the transaction wait for concurrent uploads of the same tickets, for as long as a request
	// may take.
	WaitForUploads(ctx context.Context) error
	// ClaimScans stores claims of a device under their keys. It returns the claim stored under each key: the new one,
	// or the first one. A stored claim without a digest gets the digest of the logged scan.
	ClaimScans(ctx context.Context, seller ids.Seller, deviceID string, claims []Claim) (map[string]Claim, error)
	// MarkConflicts marks claimed scans as conflicting, for later uploads of the same scans.
	MarkConflicts(ctx context.Context, deviceID string, scanIDs []string) error
	InsertScans(ctx context.Context, scans []Scan) error
	// ScanForUpdate locks the scan until the transaction ends.
	ScanForUpdate(ctx context.Context, seller ids.Seller, id string) (Scan, error)
	// UpdateScan stores that a scan was annulled.
	UpdateScan(ctx context.Context, scan Scan) error
}

// PlaceTx stores the histories of tickets at events and zones. They are kept longer than the scan log.
type PlaceTx interface {
	// LockPlaces locks the places until the transaction ends, and returns their histories.
	LockPlaces(ctx context.Context, seller ids.Seller, places []Place) (map[Place]History, error)
	// InsertPlaces stores histories of new places, and returns the places that were still new. It waits only briefly
	// for other transactions.
	InsertPlaces(ctx context.Context, seller ids.Seller, histories map[Place]History) ([]Place, error)
	// LockFreePlaces is LockPlaces for the places that exist and are not locked by another transaction.
	LockFreePlaces(ctx context.Context, seller ids.Seller, places []Place) (map[Place]History, error)
	// History returns the history of a place, without a lock.
	History(ctx context.Context, seller ids.Seller, place Place) (History, error)
	// Passes returns the passes of places. For a consistent count, the places must be locked.
	Passes(ctx context.Context, seller ids.Seller, places []Place) (map[Place][]Pass, error)
	InsertPasses(ctx context.Context, seller ids.Seller, passes map[Place][]Pass) error
	// DeletePass removes the pass of a scan. The scan's mark is unchanged.
	DeletePass(ctx context.Context, seller ids.Seller, scanID string) error
	// Judged returns the offline scans at places with their current marks. The places must be locked.
	Judged(ctx context.Context, seller ids.Seller, places []Place) (map[Place][]Judged, error)
	InsertJudged(ctx context.Context, seller ids.Seller, judged map[Place][]Judged) error
	// UpdateMarks stores changed marks of offline scans, in the log and for later uploads of the same scans.
	UpdateMarks(ctx context.Context, seller ids.Seller, marks map[string]Mark, now moment.DateTime) error
	// UpdatePlaces stores the histories of locked places.
	UpdatePlaces(ctx context.Context, seller ids.Seller, histories map[Place]History) error
	// OtherZones returns the other zones of the event that the ticket is inside of.
	OtherZones(ctx context.Context, seller ids.Seller, place Place) ([]InsideZone, error)
}
