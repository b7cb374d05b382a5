package scan

import (
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/secrets"
)

// Devices implements the operations on a seller's devices.
type Devices struct {
	Store DeviceStore
	Now   func() time.Time
}

// Create creates a device and returns it with its token. It requires accessUsers:create, or a session with role
// MANAGER.
func (s Devices) Create(ctx context.Context, input NewDevice) (Device, error) {
	actor, err := domain.Authorize(ctx, domain.CreateDevice)
	if err != nil {
		return Device{}, err
	}
	now := s.Now()
	device := Device{
		ID: ids.New(now), SellerID: actor.SellerID, Active: true, Events: []string{},
		CreatedAt: moment.New(now), UpdatedAt: moment.New(now),
	}
	device.renew()
	if _, err := device.with(ctx, s.Store, input.change()); err != nil {
		return Device{}, err
	}
	err = s.Store.InTx(ctx, func(tx Tx) (err error) {
		if device, err = device.with(ctx, tx, input.change()); err != nil {
			return err
		}
		if err := tx.InsertDevice(ctx, device, secrets.DigestOf(device.Token)); err != nil {
			return err
		}
		tx.SetResponse(device)
		return auditedDevice(ctx, tx, domain.CreateDevice, nil, &device)
	})
	if err != nil {
		return Device{}, err
	}
	return device, nil
}

// renew gives the device a new token and invalidates its pairing code.
func (d *Device) renew() {
	d.Token = secrets.New(secrets.Device)
	d.Hint, d.PairingExpiresAt = secrets.Hint(d.Token), nil
}

// with returns the changed device, or all errors of the change.
func (d Device) with(ctx context.Context, from deviceReferences, change DeviceChange) (Device, error) {
	var errs domain.FieldErrors
	d.apply(change, &errs)
	var named references
	if sent := change.Events.Or(nil); len(sent) <= maxNamed { // a longer list is not looked up (LIMIT-11)
		for i, id := range sent {
			named.note(&named.events, domain.IndexPath("events", i), id, &errs)
		}
	}
	events, err := from.EventsByID(ctx, d.SellerID, idsOf(named.events))
	if err != nil {
		return Device{}, err
	}
	checkKnown(&errs, named.events, events)
	if sent := change.DeviceSettings.Value; sent != nil && sent.ScanGroupID != nil {
		if err := checkGroup(ctx, from, d.SellerID, *sent.ScanGroupID, &errs); err != nil {
			return Device{}, err
		}
	}
	return d, errs.Err()
}

func checkGroup(
	ctx context.Context, from deviceReferences, seller ids.Seller, id string, errs *domain.FieldErrors,
) error {
	const path = "deviceSettings.scanGroupId"
	var named references
	if named.note(&named.events, path, id, errs); len(named.events) == 0 {
		return nil
	}
	exists, err := from.HasGroup(ctx, seller, id)
	if err == nil && !exists {
		errs.Add(path, "does not exist")
	}
	return err
}

// List returns the seller's devices, oldest first. It requires accessUsers:list, or a session with role VIEWER.
func (s Devices) List(ctx context.Context, filter DeviceFilter, page domain.Page) (domain.List[Device], error) {
	actor, err := domain.Authorize(ctx, domain.ListDevices)
	if err != nil {
		return domain.List[Device]{}, err
	}
	return s.Store.Devices(ctx, actor.SellerID, filter, page)
}

// All returns all of the seller's devices. It has the same requirements as List.
func (s Devices) All(ctx context.Context) ([]Device, error) {
	actor, err := domain.Authorize(ctx, domain.ListDevices)
	if err != nil {
		return nil, err
	}
	return s.Store.AllDevices(ctx, actor.SellerID)
}

// Get returns a device. It requires accessUsers:list, or a session with role VIEWER.
func (s Devices) Get(ctx context.Context, id string) (Device, error) {
	return domain.Read(ctx, domain.GetDevice, s.Store.Device, id)
}

// Update changes a device. An update without changes writes nothing. It requires accessUsers:update, or a session with
// role MANAGER.
func (s Devices) Update(ctx context.Context, id string, input DeviceChange) (Device, error) {
	return s.records().Update(ctx, domain.UpdateDevice, id, input.ExpectedUpdatedAt, func(tx Tx, before Device) (Device, error) {
		if tx == nil {
			return before.with(ctx, s.Store, input)
		}
		return before.with(ctx, tx, input)
	})
}

// Delete removes a device and returns it. Its scans remain. It requires accessUsers:update, or a session with role
// MANAGER.
func (s Devices) Delete(ctx context.Context, id string, expected *moment.DateTime) (Device, error) {
	return s.records().Delete(ctx, domain.DeleteDevice, id, expected)
}

func (s Devices) records() domain.Records[Device, Tx] {
	return domain.Records[Device, Tx]{
		Now: s.Now, InTx: s.Store.InTx, Read: s.Store.Device, Lock: Tx.DeviceForUpdate, Replace: Tx.UpdateDevice, Remove: Tx.DeleteDevice,
		UpdatedAt: func(d *Device) *moment.DateTime { return &d.UpdatedAt },
		Same:      func(before, after *Device) bool { return equalJSON(before.audited(), after.audited()) },
		Follow:    auditedDevice,
	}
}

var auditedDevice = domain.Audited[Device, Tx]((*Device).auditEntry, func(d, _ *Device) any { return d.audited() })

// RenewToken gives a device a new token and returns the device with it. The old token is invalid on every process
// before RenewToken returns (KEY-1). It requires accessUsers:update, or a session with role MANAGER.
func (s Devices) RenewToken(ctx context.Context, id string) (Device, error) {
	return s.move(ctx, domain.RenewDeviceToken, id, func(tx Tx, device Device) (Device, error) {
		device.renew()
		device.UpdatedAt = domain.NextUpdate(s.Now(), device.UpdatedAt)
		tx.SetResponse(device)
		return device, tx.ReplaceToken(ctx, device, secrets.DigestOf(device.Token))
	})
}

// IssuePairingCode issues a code with which a device can be paired once, within a day. The device keeps its id and
// scans. Its previous token and code are invalid before IssuePairingCode returns. It requires accessUsers:update, or a
// session with role MANAGER.
func (s Devices) IssuePairingCode(ctx context.Context, id string) (PairingCode, error) {
	var code PairingCode
	_, err := s.move(ctx, domain.IssuePairingCode, id, func(tx Tx, device Device) (Device, error) {
		now := s.Now()
		code = newPairingCode(device.ID, now)
		device.Hint, device.PairingExpiresAt = "", &code.ExpiresAt
		device.UpdatedAt = domain.NextUpdate(now, device.UpdatedAt)
		tx.SetResponse(code)
		return device, tx.AwaitPairing(ctx, device, codeDigest(code.Code))
	})
	if err != nil {
		return PairingCode{}, err
	}
	return code, nil
}

// Pair exchanges a pairing code for a token. Anyone may call it, at a limited rate. If the token would not
// authenticate, the error is INVALID_STATE, and the code remains valid.
func (s Devices) Pair(ctx context.Context, input Pairing) (Device, error) {
	if _, err := domain.Authorize(ctx, domain.PairDevice); err != nil {
		return Device{}, err
	}
	if _, err := s.waiting(ctx, s.Store.WaitingDevice, input); err != nil {
		return Device{}, err
	}
	var paired Device
	err := s.Store.InTx(ctx, func(tx Tx) error {
		found, err := s.waiting(ctx, tx.DeviceByCode, input)
		if err != nil {
			return err
		}
		paired = found
		paired.renew()
		paired.UpdatedAt = domain.NextUpdate(s.Now(), found.UpdatedAt)
		if err := tx.ReplaceToken(ctx, paired, secrets.DigestOf(paired.Token)); err != nil {
			return err
		}
		tx.SetResponse(paired)
		return auditedDevice(ctx, tx, domain.PairDevice, &found, &paired)
	})
	if err != nil {
		return Device{}, err
	}
	return paired, nil
}

// waiting returns the device that waits for a code, or an error if it can't be paired.
func (s Devices) waiting(
	ctx context.Context, find func(context.Context, secrets.Digest, moment.DateTime) (Device, error), by Pairing,
) (Device, error) {
	now := moment.New(s.Now())
	found, err := find(ctx, codeDigest(by.Code), now)
	if domain.HasCode(err, domain.CodeNotFound) {
		return Device{}, domain.Invalid("code", "is unknown, expired or already used. Request a new code")
	}
	if err == nil && !found.worksAt(now) {
		err = domain.InvalidState("This access user is inactive or expired. Activate it first; the pairing code remains valid")
	}
	return found, err
}

// move changes a device in a transaction and audits the change.
func (s Devices) move(
	ctx context.Context, op domain.Operation, id string, change func(Tx, Device) (Device, error),
) (Device, error) {
	actor, err := domain.Authorize(ctx, op)
	if err != nil {
		return Device{}, err
	}
	var after Device
	err = s.Store.InTx(ctx, func(tx Tx) error {
		before, err := tx.DeviceForUpdate(ctx, actor.SellerID, id)
		if err != nil {
			return err
		}
		if after, err = change(tx, before); err != nil {
			return err
		}
		return auditedDevice(ctx, tx, op, &before, &after)
	})
	if err != nil {
		return Device{}, err
	}
	return after, nil
}

func (d *Device) auditEntry(action domain.Operation) domain.Change {
	return domain.Change{SellerID: d.SellerID, Action: action, Object: "accessUser", ObjectID: d.ID}
}
