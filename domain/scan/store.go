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

// GroupStore is what scan groups need of a database. What another seller has is NOT_FOUND.
type GroupStore interface {
	catalog.Reader
	InTx(ctx context.Context, f func(Tx) error) error
	Group(ctx context.Context, seller ids.Seller, id string) (Group, error)
	Groups(ctx context.Context, seller ids.Seller, filter GroupFilter, page domain.Page) (domain.List[Group], error)
	GroupsByID(ctx context.Context, seller ids.Seller, ids []string) (map[string]Group, error)
	// GroupsOfEvents reads a page of each event's scan groups in one query. Every event has a list.
	GroupsOfEvents(
		ctx context.Context, seller ids.Seller, events []string, filter GroupFilter, page domain.Page,
	) (map[string]domain.List[Group], error)
}

// Tx is what a transaction offers to this area.
type Tx interface {
	domain.Tx
	catalog.Reader
	GroupTx
	DeviceTx
	LogTx
	PlaceTx
}

// GroupTx writes scan groups. What a change may no longer allow holds on every process once it is answered.
type GroupTx interface {
	InsertGroup(ctx context.Context, group Group) error
	// GroupForUpdate keeps others from changing the group until the transaction ends.
	GroupForUpdate(ctx context.Context, seller ids.Seller, id string) (Group, error)
	UpdateGroup(ctx context.Context, group Group) error
	// DeleteGroup is INVALID_STATE while a device uses the group.
	DeleteGroup(ctx context.Context, seller ids.Seller, id string) error
}

// DeviceStore is what devices need of a database. What another seller has is NOT_FOUND.
type DeviceStore interface {
	deviceReferences
	InTx(ctx context.Context, f func(Tx) error) error
	// WaitingDevice finds the device that waits for a code; NOT_FOUND when none does, or no longer.
	WaitingDevice(ctx context.Context, code secrets.Digest, now moment.DateTime) (Device, error)
	Device(ctx context.Context, seller ids.Seller, id string) (Device, error)
	Devices(ctx context.Context, seller ids.Seller, filter DeviceFilter, page domain.Page) (domain.List[Device], error)
	DevicesByID(ctx context.Context, seller ids.Seller, ids []string) (map[string]Device, error)
	// DevicesOfGroups reads a page of each scan group's devices in one query. Every group has a list.
	DevicesOfGroups(
		ctx context.Context, seller ids.Seller, groups []string, filter DeviceFilter, page domain.Page,
	) (map[string]domain.List[Device], error)
	// AllDevices are all of a seller, oldest first.
	AllDevices(ctx context.Context, seller ids.Seller) ([]Device, error)
	SellerName(ctx context.Context, seller ids.Seller) (string, error)
	// EventNames are those of the seller's events with the ids, by creation.
	EventNames(ctx context.Context, seller ids.Seller, ids []string) ([]EventName, error)
	// AllEventNames are those of all events that can be scanned or, if gathering, of the ROOT and GROUP events as well.
	AllEventNames(ctx context.Context, seller ids.Seller, gathering bool) ([]EventName, error)
	ChainStore
}

// deviceReferences reads what a device can name.
type deviceReferences interface {
	EventsByID(ctx context.Context, seller ids.Seller, ids []string) (map[string]catalog.Event, error)
	// HasGroup tells whether the seller has the scan group. In a transaction it keeps it until the end.
	HasGroup(ctx context.Context, seller ids.Seller, id string) (bool, error)
}

// DeviceTx writes devices. What a change may no longer allow holds on every process once it is answered.
type DeviceTx interface {
	InsertDevice(ctx context.Context, device Device, token secrets.Digest) error
	// DeviceForUpdate keeps others from changing the device until the transaction ends.
	DeviceForUpdate(ctx context.Context, seller ids.Seller, id string) (Device, error)
	UpdateDevice(ctx context.Context, device Device) error
	DeleteDevice(ctx context.Context, seller ids.Seller, id string) error
	deviceReferences
	// ReplaceToken gives the device another token; its old one and a code that waits are dead.
	ReplaceToken(ctx context.Context, device Device, token secrets.Digest) error
	// AwaitPairing takes the device's token away and lets it pair with a code.
	AwaitPairing(ctx context.Context, device Device, code secrets.Digest) error
	// DeviceByCode finds the device that waits for a code and locks it; NOT_FOUND when none does, or no longer.
	DeviceByCode(ctx context.Context, code secrets.Digest, now moment.DateTime) (Device, error)
}

// Gates tells what a device may do. Its answers may come from memory, but a change of a device or its scan group shows
// in them on every process from the moment the change was answered (decisions 4.7).
type Gates interface {
	Gate(ctx context.Context, seller ids.Seller, deviceID string) (Gate, error)
}

// LogStore is what scans need of a database. What another seller has is NOT_FOUND.
type LogStore interface {
	EdgeStore
	InTx(ctx context.Context, f func(Tx) error) error
	// InLongTx is InTx for work on so many rows: more than share.Ordinary of them wait for the seller's share and are then
	// done whatever becomes of the caller. The context of f is the one to go on with.
	InLongTx(ctx context.Context, seller ids.Seller, rows int, f func(context.Context, Tx) error) error
	// Undone reports whether nothing remains of a transaction that ended with an error.
	Undone(err error) bool
	// Trace names what a call is part of, for the jobs of its events; empty if there is nothing.
	Trace(ctx context.Context) string
	Group(ctx context.Context, seller ids.Seller, id string) (Group, error)
	Scan(ctx context.Context, seller ids.Seller, id string) (Scan, error)
	ScansByID(ctx context.Context, seller ids.Seller, ids []string) (map[string]Scan, error)
	Scans(ctx context.Context, seller ids.Seller, filter Filter, page domain.Page) (domain.List[Scan], error)
	// ScansMark is another text whenever a scan was written.
	ScansMark(ctx context.Context, seller ids.Seller) (string, error)
	Occupancy(ctx context.Context, seller ids.Seller, eventID string) (Occupancy, error)
	// ScansPerMinute counts the scans of each minute since a time, oldest first; minutes without any are left out.
	ScansPerMinute(ctx context.Context, seller ids.Seller, since moment.DateTime) ([]Minute, error)
	// ScansPerDevice counts the scans that devices made since a time; who made none is left out.
	ScansPerDevice(ctx context.Context, seller ids.Seller, ids []string, since moment.DateTime) (map[string]int, error)
}

// EdgeStore reads what many objects lead to (GRAPH-1).
type EdgeStore interface {
	// ScansOfGroups reads a page of each scan group's scans in one query. Every group has a list.
	ScansOfGroups(
		ctx context.Context, seller ids.Seller, groups []string, filter Filter, page domain.Page,
	) (map[string]domain.List[Scan], error)
	// ScansOfDevices reads a page of each device's scans in one query. Every device has a list.
	ScansOfDevices(
		ctx context.Context, seller ids.Seller, devices []string, filter Filter, page domain.Page,
	) (map[string]domain.List[Scan], error)
	// ScansOfTickets reads a page of each ticket's scans in one query. Every ticket has a list.
	ScansOfTickets(
		ctx context.Context, seller ids.Seller, tickets []string, filter Filter, page domain.Page,
	) (map[string]domain.List[Scan], error)
	// Occupancies counts the tickets of events in one query. Every event has an occupancy, whether it exists or not.
	Occupancies(ctx context.Context, seller ids.Seller, events []string) (map[string]Occupancy, error)
	// Presences tells where tickets are. Every ticket has a presence.
	Presences(ctx context.Context, seller ids.Seller, tickets []string) (map[string]Presence, error)
	// CheckedInOfTypes counts the VALID tickets of each ticket type that have a check-in.
	CheckedInOfTypes(ctx context.Context, seller ids.Seller, types []string) (map[string]int, error)
	// InsideOfTypes counts the VALID tickets of each ticket type that are inside a zone of any event.
	InsideOfTypes(ctx context.Context, seller ids.Seller, types []string) (map[string]int, error)
}

// LogTx writes the scan log.
type LogTx interface {
	// AnswerTo is Answer for one of several requests whose changes share the transaction.
	AnswerTo(request domain.IdempotentRequest, result any)
	// PublishAll is Publish for many events in few statements.
	PublishAll(ctx context.Context, events []domain.Event) ([]string, error)
	// EventAndAbove reads an event and the ids of the ROOT and GROUP events that it stands below, at any distance; nil when
	// the seller has no such event.
	EventAndAbove(ctx context.Context, seller ids.Seller, id string) (*catalog.Event, []string, error)
	// EventsAndAbove is EventAndAbove for many events, by their ids; those that the seller lacks are left out.
	EventsAndAbove(ctx context.Context, seller ids.Seller, ids []string) (map[string]EventAndAbove, error)
	// KnownAtGate finds the tickets that have codes, and what each did at its event. Nothing is locked.
	KnownAtGate(ctx context.Context, seller ids.Seller, held []Held) ([]Known, error)
	// TicketsByCode finds the seller's tickets that have one of the barcodes or ids.
	TicketsByCode(ctx context.Context, seller ids.Seller, barcodes, ids []string) ([]ticket.Record, error)
	// WaitForUploads lets the transaction wait for others that hand in scans of the same tickets, as long as a request may take.
	WaitForUploads(ctx context.Context) error
	// ClaimScans notes scans of a device under their keys, and returns what is noted under each: the claim itself, or the
	// one that was first. A claim that was noted without a digest gets that of what the log keeps of its scan.
	ClaimScans(ctx context.Context, seller ids.Seller, deviceID string, claims []Claim) (map[string]Claim, error)
	// MarkConflicts notes that claimed scans are in conflict, for those who hand them in again.
	MarkConflicts(ctx context.Context, deviceID string, scanIDs []string) error
	InsertScans(ctx context.Context, scans []Scan) error
	// ScanForUpdate keeps others from changing the scan until the transaction ends.
	ScanForUpdate(ctx context.Context, seller ids.Seller, id string) (Scan, error)
	// UpdateScan stores that a scan was annulled.
	UpdateScan(ctx context.Context, scan Scan) error
}

// PlaceTx keeps what tickets did at events in zones. It outlives the scan log.
type PlaceTx interface {
	// LockPlaces keeps others from changing the places until the transaction ends, and returns their histories.
	LockPlaces(ctx context.Context, seller ids.Seller, places []Place) (map[Place]History, error)
	// InsertPlaces stores histories of places that nothing was counted at, and returns those that were still new. It waits
	// only a moment for other transactions.
	InsertPlaces(ctx context.Context, seller ids.Seller, histories map[Place]History) ([]Place, error)
	// LockFreePlaces is LockPlaces for those of the places that are there, and that no other transaction has locked.
	LockFreePlaces(ctx context.Context, seller ids.Seller, places []Place) (map[Place]History, error)
	// History is that of a place, without a lock.
	History(ctx context.Context, seller ids.Seller, place Place) (History, error)
	// Passes are those of places; what counts in them must be locked.
	Passes(ctx context.Context, seller ids.Seller, places []Place) (map[Place][]Pass, error)
	InsertPasses(ctx context.Context, seller ids.Seller, passes map[Place][]Pass) error
	// DeletePass takes back what counts of a scan; its mark stays as it is.
	DeletePass(ctx context.Context, seller ids.Seller, scanID string) error
	// Judged are the offline scans at places, as their marks are now; the places must be locked.
	Judged(ctx context.Context, seller ids.Seller, places []Place) (map[Place][]Judged, error)
	InsertJudged(ctx context.Context, seller ids.Seller, judged map[Place][]Judged) error
	// UpdateMarks stores marks of offline scans that have changed, for the log and for those who hand the scans in again.
	UpdateMarks(ctx context.Context, seller ids.Seller, marks map[string]Mark, now moment.DateTime) error
	// UpdatePlaces stores the histories of locked places.
	UpdatePlaces(ctx context.Context, seller ids.Seller, histories map[Place]History) error
	// OtherZones are the zones of the event but this one that the ticket is inside of.
	OtherZones(ctx context.Context, seller ids.Seller, place Place) ([]InsideZone, error)
}
