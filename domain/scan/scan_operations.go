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

// Scans is what can be done at a gate, and with what happened there; see NewScans.
type Scans struct {
	Store LogStore
	Gates Gates
	Now   func() time.Time

	shared *batch.Groups[ids.Seller, call, outcome]
}

// maxBarcode is the longest code of a ticket, in characters: a longer one is no ticket's.
const maxBarcode = 255

// checkCode notes a code that can't be what a reader has read. A code of any length can be: one that no ticket can have
// is an unknown one (decisions 6.4).
func checkCode(problems *domain.Problems, code string) {
	const path = "barcode"
	if code == "" {
		problems.Add(path, "must not be empty")
	}
	problems.Text(path, code)
}

// findable leaves out the codes that no ticket can have: of what the log keeps of them, a ticket may have the beginning.
func findable(codes []string) []string {
	return slices.DeleteFunc(codes, func(code string) bool { return utf8.RuneCountInString(code) > maxBarcode })
}

// Attempt is a code that is held to a gate.
type Attempt struct {
	Barcode string
	// EventID is where it wants in; empty is the ticket's own event.
	EventID   string
	Direction Direction // IN when empty
	// DeviceID or ScanGroupID say whose rules hold; a device that calls itself needs neither.
	DeviceID    string
	ScanGroupID string
}

func (a *Attempt) check() error {
	var problems domain.Problems
	checkCode(&problems, a.Barcode)
	if a.EventID != "" {
		problems.Reference("eventId", a.EventID)
	}
	if a.Direction == "" {
		a.Direction = In
	}
	checkName(&problems, "direction", a.Direction, a.Direction.Names())
	return problems.Err()
}

// Scan asks whether a ticket may pass now, and lets it: whatever the answer, the scan is stored and published. A device
// scans for itself; a key with scans:create and a session with MANAGER name a device or a scan group. A device that could not
// call itself is VALIDATION_FAILED.
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
		err = domain.Invalid("deviceId", "contradicts the state of the access user, which is inactive or has expired and can't scan; "+
			"reactivate it, or name a scan group instead")
	}
	if err != nil {
		return Answer{}, err
	}
	return s.share(ctx, call{Attempt: input, seller: actor.SellerID, gate: gate, bare: !seesTickets(ctx)})
}

// gate is whose rules hold for a call. What names two gates is refused: nobody could tell by which of them it was decided.
func (s Scans) gate(ctx context.Context, actor *domain.Actor, deviceID, groupID string) (place, error) {
	if actor.Kind == domain.DeviceActor {
		if deviceID != "" && deviceID != actor.ID {
			return place{}, domain.Invalid("deviceId", "contradicts the header token, which is that of access user "+actor.ID+
				"; leave it out")
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
			err = domain.Invalid("scanGroupId", "contradicts access user "+deviceID+", "+ofGroup(gate.Device.GroupID())+"; leave it out")
		}
		return place{device: &gate.Device, group: gate.Group}, err
	case groupID != "":
		group, err := s.Store.Group(ctx, actor.SellerID, groupID)
		if domain.HasCode(err, domain.CodeNotFound) {
			err = domain.Invalid("scanGroupId", "does not exist")
		}
		return place{group: &group}, err
	}
	return place{}, domain.Invalid("deviceId", "is required, or scanGroupId, unless a device calls")
}

// ofGroup says which scan group a device is in.
func ofGroup(id string) string {
	if id == "" {
		return "which has no scan group"
	}
	return "whose scan group is " + id
}

// place is where scans are made: a device with its scan group, or a scan group alone.
type place struct {
	device *Device // nil: a scan group alone
	group  *Group  // nil: none
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

// shown is a ticket as this place may see it after a decision, or nothing.
func (p place) shown(found *ticket.Record, reason Reason) (*ticket.Record, error) {
	switch {
	case found == nil || reason == EventNotAssigned:
		return nil, nil //nolint:nilnil // nothing to show is no mistake
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

// List returns the seller's scan log, in either order: scans:list, or a session with VIEWER.
func (s Scans) List(ctx context.Context, filter Filter, page domain.Page) (domain.List[Scan], error) {
	return domain.ReadPage(ctx, domain.ListScans, s.Store.Scans, filter, page)
}

// Watch tells the mark of the seller's scan log and each new one: another text whenever a scan was written. Scans:list, or a
// session with VIEWER, as long as that holds.
func (s Scans) Watch(ctx context.Context) (<-chan string, error) {
	return domain.Watch(ctx, func(ctx context.Context) (string, error) {
		actor, err := domain.Authorize(ctx, domain.WatchScans)
		if err != nil {
			return "", err
		}
		return s.Store.ScansMark(ctx, actor.SellerID)
	})
}

// Get returns one scan: scans:list, or a session with VIEWER.
func (s Scans) Get(ctx context.Context, id string) (Scan, error) {
	return domain.Read(ctx, domain.GetScan, s.Store.Scan, id)
}

// Annul takes an approved scan back, once: who is inside is counted without it. Its own device may, and a session with
// MANAGER; to another device it is not there.
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
		tx.Answer(annulled)
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
		return domain.InvalidState("The scan was annulled already")
	case s.Result != Approved:
		return domain.InvalidState("A declined scan can't be annulled: it let nobody in or out")
	}
	by := actor.ID
	if actor.Kind == domain.SystemActor {
		by = "system"
	}
	s.AnnulledAt, s.AnnulledBy, s.UpdatedAt = &now, &by, domain.NextUpdate(now.Time, s.UpdatedAt)
	return nil
}

// uncount takes a scan out of the history that it belongs to, and marks the other scans there anew.
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
