package scan

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/catalog"
)

// GroupStore is what scan groups need of a database. What another seller has is NOT_FOUND.
type GroupStore interface {
	InTx(ctx context.Context, f func(Tx) error) error
	Group(ctx context.Context, seller domain.SellerID, id string) (Group, error)
	Groups(ctx context.Context, seller domain.SellerID, filter GroupFilter, page domain.Page) (domain.List[Group], error)
}

// Tx is what a transaction offers to this area.
type Tx interface {
	domain.Tx
	catalog.Reader
	GroupTx
	DeviceTx
}

// GroupTx writes scan groups. What a change may no longer allow holds on every process once it is answered.
type GroupTx interface {
	InsertGroup(ctx context.Context, group Group) error
	// GroupForUpdate keeps others from changing the group until the transaction ends.
	GroupForUpdate(ctx context.Context, seller domain.SellerID, id string) (Group, error)
	UpdateGroup(ctx context.Context, group Group) error
	// DeleteGroup is INVALID_STATE while a device uses the group.
	DeleteGroup(ctx context.Context, seller domain.SellerID, id string) error
}

// DeviceStore is what devices need of a database. What another seller has is NOT_FOUND.
type DeviceStore interface {
	InTx(ctx context.Context, f func(Tx) error) error
	Device(ctx context.Context, seller domain.SellerID, id string) (Device, error)
	Devices(ctx context.Context, seller domain.SellerID, filter DeviceFilter, page domain.Page) (domain.List[Device], error)
	// AllDevices are all of a seller, oldest first.
	AllDevices(ctx context.Context, seller domain.SellerID) ([]Device, error)
	SellerName(ctx context.Context, seller domain.SellerID) (string, error)
	// EventNames are those of the seller's events with the ids, or of all that can be scanned when ids is nil, by creation.
	EventNames(ctx context.Context, seller domain.SellerID, ids []string) ([]EventName, error)
}

// DeviceTx writes devices. What a change may no longer allow holds on every process once it is answered.
type DeviceTx interface {
	InsertDevice(ctx context.Context, device Device, token domain.Digest) error
	// DeviceForUpdate keeps others from changing the device until the transaction ends.
	DeviceForUpdate(ctx context.Context, seller domain.SellerID, id string) (Device, error)
	UpdateDevice(ctx context.Context, device Device) error
	DeleteDevice(ctx context.Context, seller domain.SellerID, id string) error
	// HasGroup tells whether the seller has the scan group, and keeps it until the transaction ends.
	HasGroup(ctx context.Context, seller domain.SellerID, id string) (bool, error)
	// ReplaceToken gives the device another token; its old one and a code that waits are dead.
	ReplaceToken(ctx context.Context, device Device, token domain.Digest) error
	// AwaitPairing takes the device's token away and lets it pair with a code.
	AwaitPairing(ctx context.Context, device Device, code domain.Digest) error
	// DeviceByCode finds the device that waits for a code and locks it; NOT_FOUND when none does, or no longer.
	DeviceByCode(ctx context.Context, code domain.Digest, now domain.DateTime) (Device, error)
}

// Gates tells what a device may do. Its answers may come from memory, but a change of a device or its scan group shows
// in them on every process from the moment the change was answered (decisions 4.7).
type Gates interface {
	Gate(ctx context.Context, seller domain.SellerID, deviceID string) (Gate, error)
}
