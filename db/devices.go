package db

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/scan"
	"ticketgate/domain/secrets"
	"ticketgate/domain/texts"
)

// deviceRow is a row of devices. It has the digest of either the token or the pairing code.
type deviceRow struct {
	bun.BaseModel `bun:"table:devices,alias:d"`

	ID               string     `bun:"id,pk"`
	SellerID         ids.Seller `bun:"seller_id"`
	Name             string     `bun:"name"`
	NameFolded       string     `bun:"name_folded"`
	AccessAllEvents  bool       `bun:"access_all_events"`
	EventIDs         []string   `bun:"event_ids,array"`
	ExpiresAt        *time.Time `bun:"expires_at"`
	Active           bool       `bun:"active"`
	IsIntegration    bool       `bun:"is_integration"`
	Settings         *string    `bun:"settings"`
	ScanGroupID      string     `bun:"scan_group_id,nullzero"`
	TokenDigest      []byte     `bun:"token_digest"`
	Hint             string     `bun:"hint"`
	PairingDigest    []byte     `bun:"pairing_digest"`
	PairingExpiresAt *time.Time `bun:"pairing_expires_at"`
	CreatedAt        time.Time  `bun:"created_at"`
	UpdatedAt        time.Time  `bun:"updated_at"`
	LastUsedAt       *time.Time `bun:"last_used_at,scanonly"`
}

const deviceName = "Access user"

// devices includes the time of last use, but not the digests.
var devices = &source[deviceRow]{
	columns: `d.id, d.seller_id, d.name, d.access_all_events, d.event_ids, d.expires_at, d.active, d.settings, d.hint,
		d.is_integration, d.pairing_expires_at, d.created_at, d.updated_at, u.last_used_at`,
	joins: []string{"LEFT JOIN device_uses u ON u.device_id = d.id"},
}

// deviceEventRow is a row of device_events: an event that a device's settings name.
type deviceEventRow struct {
	bun.BaseModel `bun:"table:device_events,alias:n"`

	DeviceID string     `bun:"device_id,pk"`
	SellerID ids.Seller `bun:"seller_id"`
	EventID  string     `bun:"event_id,pk"`
}

var deviceEvents = &source[deviceEventRow]{}

// Devices returns the store of devices.
func (s *Store) Devices() scan.DeviceStore { return s.scans() }

// Device reads one device of a seller.
func (s scanStore) Device(ctx context.Context, seller ids.Seller, id string) (scan.Device, error) {
	return device(ctx, s.Store, s.sql, devices.of(seller).withID(id))
}

// DeviceForUpdate reads a device and locks its row.
func (tx scanTx) DeviceForUpdate(ctx context.Context, seller ids.Seller, id string) (scan.Device, error) {
	return device(ctx, tx.store, tx, devices.of(seller).withID(id).forUpdate("UPDATE OF d"))
}

func waitingDevice(code secrets.Digest, now moment.DateTime) *query[deviceRow] {
	return devices.where("d.pairing_digest = $ AND d.pairing_expires_at > $", code[:], now.Time)
}

// WaitingDevice returns the device with an unexpired pairing code.
func (s scanStore) WaitingDevice(ctx context.Context, code secrets.Digest, now moment.DateTime) (scan.Device, error) {
	return device(ctx, s.Store, s.sql, waitingDevice(code, now))
}

// DeviceByCode is like WaitingDevice and locks the device's row.
func (tx scanTx) DeviceByCode(ctx context.Context, code secrets.Digest, now moment.DateTime) (scan.Device, error) {
	return device(ctx, tx.store, tx, waitingDevice(code, now).forUpdate("UPDATE OF d"))
}

// device reads the device that a query selects.
func device(ctx context.Context, s *Store, on conn, q *query[deviceRow]) (scan.Device, error) {
	return readOne(ctx, s, on, q, deviceName, deviceRow.device)
}

// Devices lists a seller's devices, oldest first.
func (s scanStore) Devices(
	ctx context.Context, seller ids.Seller, filter scan.DeviceFilter, page domain.Page,
) (domain.List[scan.Device], error) {
	return devicesWhere(seller, filter, equals("d.scan_group_id", filter.ScanGroupID)).page(ctx, s.Store, page)
}

// DevicesByID returns a seller's devices by id.
func (s scanStore) DevicesByID(ctx context.Context, seller ids.Seller, ids []string) (map[string]scan.Device, error) {
	found, err := devices.of(seller).withIDs(ids).counted(ctx, s.Store, s.sql)
	return byID(found, err, deviceRow.device, func(d scan.Device) string { return d.ID })
}

// DevicesOfGroups reads one page of devices for each scan group.
func (s scanStore) DevicesOfGroups(
	ctx context.Context, seller ids.Seller, groups []string, filter scan.DeviceFilter, page domain.Page,
) (map[string]domain.List[scan.Device], error) {
	return devicesWhere(seller, filter).within(ctx, s.Store, "d.scan_group_id = parent.id", groups, page)
}

func devicesWhere(seller ids.Seller, f scan.DeviceFilter, leading ...filter) listing[deviceRow, scan.Device] {
	q := devices.of(seller).filteredBy(leading, others(leading, equals("d.scan_group_id", f.ScanGroupID),
		holding("d.name_folded", f.Name), whether("d.active", f.Active),
		at("coalesce(u.last_used_at, '-infinity') < $", f.UnusedSince))...)
	return listing[deviceRow, scan.Device]{query: q, id: "d.id", item: deviceRow.device}
}

// AllDevices returns all devices of a seller.
func (s scanStore) AllDevices(ctx context.Context, seller ids.Seller) ([]scan.Device, error) {
	return readAll(ctx, s.Store, s.sql, devices.of(seller).orderBy("d.id"), deviceRow.device)
}

// InsertDevice stores a new device and the digest of its token.
func (tx scanTx) InsertDevice(ctx context.Context, d scan.Device, token secrets.Digest) error {
	created, err := deviceRowOf(d)
	if err != nil {
		return err
	}
	created.TokenDigest = token[:]
	if err := tx.insert(ctx, created); err != nil {
		return err
	}
	return tx.noteEvents(ctx, d)
}

// noteEvents stores the events of a device in device_events, which has foreign keys.
func (tx scanTx) noteEvents(ctx context.Context, d scan.Device) error {
	events := make([]deviceEventRow, len(d.Events))
	for i, id := range d.Events {
		events[i] = deviceEventRow{DeviceID: d.ID, SellerID: d.SellerID, EventID: id}
	}
	return insertAll(ctx, tx.Tx, events)
}

// UpdateDevice writes the columns that an update of a device can change.
func (tx scanTx) UpdateDevice(ctx context.Context, d scan.Device) error {
	created, err := deviceRowOf(d)
	if err != nil {
		return err
	}
	err = tx.update(ctx, deviceName, created, "name", "name_folded", "access_all_events", "event_ids", "expires_at", "active", "settings",
		"scan_group_id", "updated_at", "is_integration")
	if err != nil {
		return err
	}
	if _, err := deviceEvents.of(d.SellerID).where("n.device_id = $", d.ID).delete(ctx, tx.store, tx); err != nil {
		return err
	}
	if err := tx.noteEvents(ctx, d); err != nil {
		return err
	}
	return tx.bumpEpoch(ctx)
}

// ReplaceToken stores the digest of a new token and removes the old token or code.
func (tx scanTx) ReplaceToken(ctx context.Context, d scan.Device, token secrets.Digest) error {
	return tx.replaceSecrets(ctx, d, token[:], nil)
}

// AwaitPairing stores the digest of a pairing code and removes the token.
func (tx scanTx) AwaitPairing(ctx context.Context, d scan.Device, code secrets.Digest) error {
	return tx.replaceSecrets(ctx, d, nil, code[:])
}

// replaceSecrets sets both digests, one of which is nil. It advances the credential epoch, so that no process accepts
// the old token from its cache once the change has returned (AUTH-5).
func (tx scanTx) replaceSecrets(ctx context.Context, d scan.Device, token, code []byte) error {
	changed := &deviceRow{
		ID: d.ID, SellerID: d.SellerID, TokenDigest: token, PairingDigest: code, Hint: d.Hint,
		PairingExpiresAt: instant(d.PairingExpiresAt), UpdatedAt: d.UpdatedAt.Time,
	}
	err := tx.update(ctx, deviceName, changed, "token_digest", "pairing_digest", "hint", "pairing_expires_at", "updated_at")
	if err != nil {
		return err
	}
	return tx.bumpEpoch(ctx)
}

// DeleteDevice deletes a device. Its scans keep its id and name.
func (tx scanTx) DeleteDevice(ctx context.Context, seller ids.Seller, id string) error {
	if err := devices.of(seller).withID(id).deleteOne(ctx, tx.store, tx, deviceName); err != nil {
		return err
	}
	return tx.bumpEpoch(ctx)
}

// HasGroup reports whether the seller has the scan group.
func (s scanStore) HasGroup(ctx context.Context, seller ids.Seller, id string) (bool, error) {
	_, err := scanGroup(ctx, s.Store, s.sql, seller, id, "")
	if domain.HasCode(err, domain.CodeNotFound) {
		return false, nil
	}
	return err == nil, err
}

// HasGroup reports whether the seller has the scan group, and locks the group against deletion.
func (tx scanTx) HasGroup(ctx context.Context, seller ids.Seller, id string) (bool, error) {
	found, err := scanGroups.of(seller).withID(id).forUpdate("KEY SHARE").rows(ctx, tx.store, tx)
	return len(found) == 1, err
}

// SellerName returns the name of a device's seller.
func (s scanStore) SellerName(ctx context.Context, seller ids.Seller) (string, error) {
	found, err := sellers.all().withID(string(seller)).row(ctx, s.Store, s.sql, "Seller")
	return found.Name, err
}

// EventNames returns the names of a seller's events by id.
func (s scanStore) EventNames(ctx context.Context, seller ids.Seller, ids []string) ([]scan.EventName, error) {
	return s.eventNames(ctx, eventNames.of(seller).withIDs(textArray(ids)))
}

// AllEventNames returns the names of all of the seller's events that can be scanned. If gathering is set, it includes
// the events that group them.
func (s scanStore) AllEventNames(ctx context.Context, seller ids.Seller, gathering bool) ([]scan.EventName, error) {
	return s.eventNames(ctx, eventNames.of(seller).whereIf(!gathering, "e.type IN ('SINGLE', 'RECURRENCE')"))
}

var eventNames = &source[catalogEventRow]{columns: "e.id, e.name"}

func (s scanStore) eventNames(ctx context.Context, q *query[catalogEventRow]) ([]scan.EventName, error) {
	return readAll(ctx, s.Store, s.sql, q.orderBy("e.created_at, e.id"), func(r catalogEventRow) (scan.EventName, error) {
		return scan.EventName{ID: r.ID, Name: r.Name}, nil
	})
}

func deviceRowOf(d scan.Device) (*deviceRow, error) {
	settings, err := jsonColumn(d.DeviceSettings)
	return &deviceRow{
		ID: d.ID, SellerID: d.SellerID, Name: d.Name, NameFolded: texts.Fold(d.Name), AccessAllEvents: d.AccessAllEvents,
		EventIDs: d.Events, ExpiresAt: instant(d.Expires), Active: d.Active, Settings: settings, ScanGroupID: d.GroupID(),
		IsIntegration: d.IsIntegration, Hint: d.Hint, PairingExpiresAt: instant(d.PairingExpiresAt),
		CreatedAt: d.CreatedAt.Time, UpdatedAt: d.UpdatedAt.Time,
	}, err
}

func (r deviceRow) device() (scan.Device, error) {
	settings, err := readColumn[scan.AccessSettings](r.Settings)
	if r.EventIDs == nil {
		r.EventIDs = []string{}
	}
	return scan.Device{
		ID: r.ID, SellerID: r.SellerID, Name: r.Name, AccessAllEvents: r.AccessAllEvents, Events: r.EventIDs,
		Expires: optionalTime(r.ExpiresAt), Active: r.Active, DeviceSettings: settings, Hint: r.Hint,
		IsIntegration: r.IsIntegration, PairingExpiresAt: optionalTime(r.PairingExpiresAt), LastUsedAt: optionalTime(r.LastUsedAt),
		CreatedAt: moment.New(r.CreatedAt), UpdatedAt: moment.New(r.UpdatedAt),
	}, err
}
