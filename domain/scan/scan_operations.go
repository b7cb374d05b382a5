package scan

import (
	"context"
	"slices"
	"time"
	"unicode/utf8"

	"ticketgate/domain"
	"ticketgate/domain/batch"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/ticket"
)

// Scans implements the operations on scans. Create it with NewScans.
type Scans struct {
	Store LogStore
	Gates Gates
	Now   func() time.Time

	shared *batch.Groups[ids.Seller, call, outcome]
}

// maxBarcode is the maximum length of a ticket's code, in characters.
const maxBarcode = 255

// checkCode adds an error for a text that no reader can have read. Any length is allowed: a code that is too long for a
// ticket is unknown (GATE-17).
func checkCode(errs *domain.FieldErrors, code string) {
	const path = "barcode"
	if code == "" {
		errs.Add(path, "must not be empty")
	}
	errs.Text(path, code)
}

// findable returns the codes that a ticket can have. It drops longer ones, since a ticket may have the truncated code.
func findable(codes []string) []string {
	return slices.DeleteFunc(codes, func(code string) bool { return utf8.RuneCountInString(code) > maxBarcode })
}

// Attempt is a scan at a gate.
type Attempt struct {
	Barcode string
	// EventID is the event to enter or leave. If it is empty, the ticket's own event is used.
	EventID   string
	Direction Direction // IN by default
	// DeviceID or ScanGroupID select the rules that apply. A calling device needs neither.
	DeviceID    string
	ScanGroupID string
}

func (a *Attempt) check() error {
	var errs domain.FieldErrors
	checkCode(&errs, a.Barcode)
	if a.EventID != "" {
		errs.Reference("eventId", a.EventID)
	}
	if a.Direction == "" {
		a.Direction = In
	}
	checkName(&errs, "direction", a.Direction, a.Direction.Names())
	return errs.Err()
}

// Scan decides whether a ticket is admitted now. Whatever the result, it stores and publishes the scan. A device scans
// for itself. A key with scans:create, or a session with role MANAGER, names a device or a scan group. A device that
// could not call itself is VALIDATION_FAILED.
func (s Scans) Scan(ctx context.Context, input Attempt) (Answer, error) {
	actor, err := domain.Authorize(ctx, domain.ScanTicket)
	if err != nil {
		return Answer{}, err
	}
	if err := input.check(); err != nil {
		return Answer{}, err
	}
	gate, err := s.gate(ctx, actor, input.DeviceID, input.ScanGroupID)
	if err == nil && gate.device != nil && !gate.device.worksAt(moment.New(s.Now())) {
		err = domain.Invalid("deviceId", "cannot be used, because the access user is inactive or expired. "+
			"Activate it, or specify a scan group instead")
	}
	if err != nil {
		return Answer{}, err
	}
	return s.share(ctx, call{Attempt: input, seller: actor.SellerID, gate: gate, bare: !seesTickets(ctx)})
}

// gate returns the gate whose rules apply to a call. A call that names two different gates is rejected (GATE-10).
func (s Scans) gate(ctx context.Context, actor *domain.Actor, deviceID, groupID string) (place, error) {
	if actor.Kind == domain.DeviceActor {
		if deviceID != "" && deviceID != actor.ID {
			return place{}, domain.Invalid("deviceId", "does not match the header token, which belongs to access user "+actor.ID+
				". Omit it")
		}
		deviceID = actor.ID
	}
	switch {
	case deviceID != "":
		gate, err := s.Gates.Gate(ctx, actor.SellerID, deviceID)
		if domain.HasCode(err, domain.CodeNotFound) {
			err = domain.Invalid("deviceId", "does not exist")
		}
		if err == nil && groupID != "" && groupID != gate.Device.GroupID() {
			err = domain.Invalid("scanGroupId", "does not match access user "+deviceID+", "+ofGroup(gate.Device.GroupID())+". Omit it")
		}
		return place{device: &gate.Device, group: gate.Group}, err
	case groupID != "":
		group, err := s.Store.Group(ctx, actor.SellerID, groupID)
		if domain.HasCode(err, domain.CodeNotFound) {
			err = domain.Invalid("scanGroupId", "does not exist")
		}
		return place{group: &group}, err
	}
	return place{}, domain.Invalid("deviceId", "or scanGroupId is required unless a device calls")
}

// ofGroup describes a device's scan group for an error.
func ofGroup(id string) string {
	if id == "" {
		return "which has no scan group"
	}
	return "whose scan group is " + id
}

// place is where scans are made: a device with its scan group, or only a scan group.
type place struct {
	device *Device // nil for a scan group only
	group  *Group  // nil if there is none
}

func (p place) config() *Config {
	if p.group == nil {
		return nil
	}
	return p.group.ScanConfig
}

func (p place) zoneID() string {
	if config := p.config(); config != nil && config.ScanZoneID != nil {
		return *config.ScanZoneID
	}
	return ""
}

// shown returns a ticket as this place may see it after a decision, or nil.
func (p place) shown(found *ticket.Record, reason Reason) (*ticket.Record, error) {
	switch {
	case found == nil || reason == EventNotAssigned:
		return nil, nil //nolint:nilnil // there is nothing to show
	case p.device == nil:
		return found, nil
	case reason == WrongEvent && !p.device.MayUse(found.EventID):
		return nil, nil //nolint:nilnil // as above
	case p.device.Restricted():
		restricted, err := WithoutContact(*found)
		return &restricted, err
	}
	return found, nil
}

// List returns the seller's scan log, in either order. It requires scans:list, or a session with role VIEWER.
func (s Scans) List(ctx context.Context, filter Filter, page domain.Page) (domain.List[Scan], error) {
	return domain.ReadPage(ctx, domain.ListScans, s.Store.Scans, filter, page)
}

// Watch sends the mark of the seller's scan log, and each later mark. The mark changes whenever a scan is stored. It
// requires scans:list, or a session with role VIEWER, for as long as it runs.
func (s Scans) Watch(ctx context.Context) (<-chan string, error) {
	return domain.Watch(ctx, func(ctx context.Context) (string, error) {
		actor, err := domain.Authorize(ctx, domain.WatchScans)
		if err != nil {
			return "", err
		}
		return s.Store.ScansMark(ctx, actor.SellerID)
	})
}

// Get returns a scan. It requires scans:list, or a session with role VIEWER.
func (s Scans) Get(ctx context.Context, id string) (Scan, error) {
	return domain.Read(ctx, domain.GetScan, s.Store.Scan, id)
}

// Annul annuls an approved scan, once. The scan no longer counts for who is inside. The scan's own device may call it,
// or a session with role MANAGER. For other devices the scan is NOT_FOUND.
func (s Scans) Annul(ctx context.Context, id string) (Scan, error) {
	actor, err := domain.Authorize(ctx, domain.AnnulScan)
	if err != nil {
		return Scan{}, err
	}
	annulled, err := s.Store.Scan(ctx, actor.SellerID, id)
	if err != nil {
		return Scan{}, err
	}
	if actor.Kind == domain.DeviceActor && (annulled.DeviceID == nil || *annulled.DeviceID != actor.ID) {
		return Scan{}, domain.NotFound("Scan")
	}
	err = s.Store.InTx(ctx, func(tx Tx) error {
		if annulled, err = tx.ScanForUpdate(ctx, actor.SellerID, id); err != nil {
			return err
		}
		if err := annulled.annul(actor, moment.New(s.Now())); err != nil {
			return err
		}
		if err := uncount(ctx, tx, annulled); err != nil {
			return err
		}
		if err := tx.UpdateScan(ctx, annulled); err != nil {
			return err
		}
		tx.SetResponse(annulled)
		return tx.Audit(ctx, domain.Change{
			SellerID: actor.SellerID, Action: domain.AnnulScan, Object: "scan", ObjectID: id,
			Before: map[string]any{"annulled": false}, After: map[string]any{"annulled": true},
		})
	})
	if err != nil {
		return Scan{}, err
	}
	return annulled, nil
}

func (s *Scan) annul(actor *domain.Actor, now moment.DateTime) error {
	switch {
	case s.AnnulledAt != nil:
		return domain.InvalidState("The scan was already annulled")
	case s.Result != Approved:
		return domain.InvalidState("A declined scan cannot be annulled")
	}
	by := actor.ID
	if actor.Kind == domain.SystemActor {
		by = "system"
	}
	s.AnnulledAt, s.AnnulledBy, s.UpdatedAt = &now, &by, domain.NextUpdate(now.Time, s.UpdatedAt)
	return nil
}

// uncount removes a scan from its history, and derives the marks of the other scans there again.
func uncount(ctx context.Context, tx Tx, scan Scan) error {
	place, counted := scan.place()
	if !counted {
		return nil
	}
	places := []Place{place}
	if _, err := tx.LockPlaces(ctx, scan.SellerID, places); err != nil {
		return err
	}
	if err := tx.DeletePass(ctx, scan.SellerID, scan.ID); err != nil {
		return err
	}
	passes, err := tx.Passes(ctx, scan.SellerID, places)
	if err != nil {
		return err
	}
	judged, err := tx.Judged(ctx, scan.SellerID, places)
	if err != nil {
		return err
	}
	changed := map[string]Mark{}
	for _, mark := range derive(passes[place], judged[place]) {
		changed[mark.ScanID] = mark
	}
	if err := tx.UpdateMarks(ctx, scan.SellerID, changed, scan.UpdatedAt); err != nil {
		return err
	}
	return tx.UpdatePlaces(ctx, scan.SellerID, map[Place]History{place: Count(passes[place])})
}
