package db

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/scan"
	"ticketgate/domain/texts"
)

type scanGroupRow struct {
	bun.BaseModel `bun:"table:scan_groups,alias:g"`

	ID             string     `bun:"id,pk"`
	SellerID       ids.Seller `bun:"seller_id"`
	Name           string     `bun:"name"`
	NameFolded     string     `bun:"name_folded"`
	ScanConfig     *string    `bun:"scan_config"`
	DeviceSettings *string    `bun:"device_settings"`
	ScanZoneID     *string    `bun:"scan_zone_id"`
	CreatedAt      time.Time  `bun:"created_at"`
	UpdatedAt      time.Time  `bun:"updated_at"`
}

const scanGroupName = "Scan group"

// groupEventRow is a row of scan_group_events: an event in a scan group's configuration.
type groupEventRow struct {
	bun.BaseModel `bun:"table:scan_group_events,alias:n"`

	GroupID  string     `bun:"scan_group_id,pk"`
	SellerID ids.Seller `bun:"seller_id"`
	EventID  string     `bun:"event_id,pk"`
}

// groupTicketTypeRow is a row of scan_group_ticket_types: a ticket type in a scan group's configuration.
type groupTicketTypeRow struct {
	bun.BaseModel `bun:"table:scan_group_ticket_types,alias:n"`

	GroupID      string     `bun:"scan_group_id,pk"`
	SellerID     ids.Seller `bun:"seller_id"`
	TicketTypeID string     `bun:"ticket_type_id,pk"`
}

var (
	scanGroups       = &source[scanGroupRow]{}
	groupEvents      = &source[groupEventRow]{}
	groupTicketTypes = &source[groupTicketTypeRow]{}
)

// scanStore implements the stores of package scan.
type scanStore struct {
	catalogReader
	transactor[scan.Tx]
}

// ScanGroups returns the store of scan groups.
func (s *Store) ScanGroups() scan.GroupStore { return s.scans() }

func (s *Store) scans() scanStore {
	in := transactor[scan.Tx]{s, func(tx *Tx) scan.Tx { return scanTx{tx, catalogReader{tx.store, tx}} }}
	return scanStore{catalogReader{s, s.sql}, in}
}

// scanTx implements the transactions of package scan.
type scanTx struct {
	*Tx
	catalogReader
}

// Group reads one scan group of a seller.
func (s scanStore) Group(ctx context.Context, seller ids.Seller, id string) (scan.Group, error) {
	return scanGroup(ctx, s.Store, s.sql, seller, id, "")
}

// GroupForUpdate reads a scan group and locks its row.
func (tx scanTx) GroupForUpdate(ctx context.Context, seller ids.Seller, id string) (scan.Group, error) {
	return scanGroup(ctx, tx.store, tx, seller, id, "UPDATE")
}

func scanGroup(ctx context.Context, s *Store, on conn, seller ids.Seller, id, lock string) (scan.Group, error) {
	return readOne(ctx, s, on, scanGroups.of(seller).withID(id).forUpdate(lock), scanGroupName, scanGroupRow.group)
}

// Groups lists a seller's scan groups, oldest first.
func (s scanStore) Groups(
	ctx context.Context, seller ids.Seller, filter scan.GroupFilter, page domain.Page,
) (domain.List[scan.Group], error) {
	return groupsWhere(seller, filter).page(ctx, s.Store, page)
}

// GroupsByID returns a seller's scan groups by id.
func (s scanStore) GroupsByID(ctx context.Context, seller ids.Seller, ids []string) (map[string]scan.Group, error) {
	found, err := scanGroups.of(seller).withIDs(ids).counted(ctx, s.Store, s.sql)
	return byID(found, err, scanGroupRow.group, func(g scan.Group) string { return g.ID })
}

// GroupsOfEvents reads one page of scan groups for each event. Groups that name the event only for tap and go are left
// out, since they don't scan it.
func (s scanStore) GroupsOfEvents(
	ctx context.Context, seller ids.Seller, events []string, filter scan.GroupFilter, page domain.Page,
) (map[string]domain.List[scan.Group], error) {
	const condition = `g.id IN (SELECT n.scan_group_id FROM scan_group_events n WHERE n.seller_id = $1 AND n.event_id = parent.id)
		AND EXISTS (SELECT FROM json_array_elements(g.scan_config -> 'events') AS c (settings)
			WHERE c.settings ->> 'eventId' = parent.id)`
	return groupsWhere(seller, filter).within(ctx, s.Store, condition, events, page)
}

func groupsWhere(seller ids.Seller, filter scan.GroupFilter) listing[scanGroupRow, scan.Group] {
	q := scanGroups.of(seller).
		whereIf(filter.Name != "", "g.name_folded LIKE $", contains(texts.Fold(filter.Name)))
	return listing[scanGroupRow, scan.Group]{query: q, id: "g.id", item: scanGroupRow.group}
}

// InsertGroup stores a new scan group.
func (tx scanTx) InsertGroup(ctx context.Context, group scan.Group) error {
	created, err := scanGroupRowOf(group)
	if err != nil {
		return err
	}
	if err := tx.insert(ctx, created); err != nil {
		return err
	}
	return tx.noteReferences(ctx, group)
}

// UpdateGroup writes all columns of an existing scan group.
func (tx scanTx) UpdateGroup(ctx context.Context, group scan.Group) error {
	created, err := scanGroupRowOf(group)
	if err != nil {
		return err
	}
	if err := tx.update(ctx, scanGroupName, created); err != nil {
		return err
	}
	if _, err := groupEvents.of(group.SellerID).where("n.scan_group_id = $", group.ID).delete(ctx, tx.store, tx); err != nil {
		return err
	}
	if _, err := groupTicketTypes.of(group.SellerID).where("n.scan_group_id = $", group.ID).delete(ctx, tx.store, tx); err != nil {
		return err
	}
	if err := tx.noteReferences(ctx, group); err != nil {
		return err
	}
	return tx.bumpEpoch(ctx) // the cache of gates includes their groups
}

// noteReferences stores the events, tap-and-go events and ticket types of a configuration in tables with foreign keys.
func (tx scanTx) noteReferences(ctx context.Context, group scan.Group) error {
	events, types := group.ScanConfig.Names()
	toEvents := make([]groupEventRow, 0, len(events))
	for _, id := range slices.Compact(slices.Sorted(slices.Values(events))) {
		toEvents = append(toEvents, groupEventRow{GroupID: group.ID, SellerID: group.SellerID, EventID: id})
	}
	if err := insertAll(ctx, tx.Tx, toEvents); err != nil {
		return err
	}
	toTypes := make([]groupTicketTypeRow, 0, len(types))
	for _, id := range slices.Compact(slices.Sorted(slices.Values(types))) {
		toTypes = append(toTypes, groupTicketTypeRow{GroupID: group.ID, SellerID: group.SellerID, TicketTypeID: id})
	}
	return insertAll(ctx, tx.Tx, toTypes)
}

// DeleteGroup deletes a scan group. It fails if a device uses the group.
func (tx scanTx) DeleteGroup(ctx context.Context, seller ids.Seller, id string) error {
	return scanGroups.of(seller).withID(id).deleteOne(ctx, tx.store, tx, scanGroupName)
}

func scanGroupRowOf(g scan.Group) (*scanGroupRow, error) {
	config, err := jsonColumn(g.ScanConfig)
	if err != nil {
		return nil, err
	}
	settings, err := jsonColumn(g.DeviceSettings)
	var zone *string
	if g.ScanConfig != nil {
		zone = g.ScanConfig.ScanZoneID
	}
	return &scanGroupRow{
		ID: g.ID, SellerID: g.SellerID, Name: g.Name, NameFolded: texts.Fold(g.Name), ScanConfig: config,
		DeviceSettings: settings, ScanZoneID: zone, CreatedAt: g.CreatedAt.Time, UpdatedAt: g.UpdatedAt.Time,
	}, err
}

func (r scanGroupRow) group() (scan.Group, error) {
	config, err := readColumn[scan.Config](r.ScanConfig)
	if err != nil {
		return scan.Group{}, err
	}
	settings, err := readColumn[scan.DeviceSettings](r.DeviceSettings)
	return scan.Group{
		ID: r.ID, Name: r.Name, SellerID: r.SellerID, CreatedAt: moment.New(r.CreatedAt),
		UpdatedAt: moment.New(r.UpdatedAt), ScanConfig: config, DeviceSettings: settings,
	}, err
}

// jsonColumn returns an object as JSON for a nullable column, or nil if there is none.
func jsonColumn[T any](object *T) (*string, error) {
	if object == nil {
		return nil, nil //nolint:nilnil // no object, no text
	}
	raw, err := json.Marshal(object)
	text := string(raw)
	return &text, err
}

func readColumn[T any](column *string) (*T, error) {
	if column == nil {
		return nil, nil //nolint:nilnil // no text, no object
	}
	object := new(T)
	return object, json.Unmarshal([]byte(*column), object)
}
