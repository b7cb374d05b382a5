package scan

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ticket"
)

// maxUploaded is how many scans a device hands in at once (decisions 6.3).
const maxUploaded = 1000

// Verdict is what a device decided while it was offline.
type Verdict string

// The verdicts.
const (
	OK   Verdict = "OK"
	Fail Verdict = "FAIL"
)

// Names lists the verdicts.
func (Verdict) Names() []string { return []string{string(OK), string(Fail)} }

// Uploaded is a scan that a device made while it was offline.
type Uploaded struct {
	// ID is the device's own. A scan without one is known by what it says.
	ID *string `json:"id"`
	// TicketID finds the ticket when its code has changed since the device last synchronised.
	TicketID  *string         `json:"ticketId"`
	Barcode   string          `json:"barcode"`
	ScannedAt domain.DateTime `json:"scanned_at"`
	Type      Verdict         `json:"type"`
	Direction *Direction      `json:"direction"` // IN when absent
}

// Upload is the answer to scans that were handed in.
type Upload struct {
	Status string    `json:"status"`
	Scans  []Receipt `json:"scans"`
}

// Receipt says what became of one scan, in the order in which they were handed in.
type Receipt struct {
	// ID is the device's own id of the scan, or ours where it has none.
	ID        string `json:"id"`
	Duplicate bool   `json:"duplicate"`
	// Conflict says that the rules would have decided otherwise; the scan stays as the device decided.
	Conflict bool `json:"conflict"`
}

// Claim is a scan that was handed in under a key of its device, once.
type Claim struct {
	Key      string
	ScanID   string
	Conflict bool
}

// offline is one scan of an upload.
type offline struct {
	Uploaded
	direction Direction
	key       string // among the scans of the device
	at        domain.DateTime
	ahead     bool
	scanID    string
}

// Upload stores scans that a device made while it was offline, as it decided them and at its own times. Scans that were
// handed in before are duplicates and change nothing. An event that is not there is NOT_FOUND (decisions 1.1). A key with
// scans:create and a session with MANAGER name the device, which may be inactive by now.
func (s Scans) Upload(ctx context.Context, eventID, deviceID string, scans []Uploaded) (Upload, error) {
	actor, err := domain.Authorize(ctx, domain.UploadScans)
	if err != nil {
		return Upload{}, err
	}
	if err := checkUpload(scans); err != nil {
		return Upload{}, err
	}
	if deviceID == "" && actor.Kind != domain.DeviceActor {
		return Upload{}, domain.Invalid("deviceId", "is required, unless a device calls")
	}
	gate, err := s.gate(ctx, actor, deviceID, "")
	if err != nil {
		return Upload{}, err
	}
	var upload Upload
	err = s.Store.InLongTx(ctx, actor.SellerID, len(scans), func(ctx context.Context, tx Tx) error {
		if err := tx.WaitForUploads(ctx); err != nil {
			return err
		}
		run := recording{tx: tx, seller: actor.SellerID, gate: gate, now: domain.NewDateTime(s.Now())}
		receipts, err := run.offline(ctx, eventID, prepared(scans, eventID, run.now))
		upload = Upload{Status: "OK", Scans: receipts}
		tx.Answer(upload)
		return err
	})
	if err != nil {
		return Upload{}, err
	}
	return upload, nil
}

func checkUpload(scans []Uploaded) error {
	var problems domain.Problems
	if len(scans) == 0 || len(scans) > maxUploaded {
		problems.Add("scans", fmt.Sprintf("must be 1 to %d, not %d", maxUploaded, len(scans)))
		return problems.Err()
	}
	for i, one := range scans {
		path := domain.IndexPath("", i)
		checkCode(&problems, path+".barcode", one.Barcode)
		if one.ID != nil {
			problems.Reference(path+".id", *one.ID)
		}
		if one.TicketID != nil {
			problems.Reference(path+".ticketId", *one.TicketID)
		}
		checkName(&problems, path+".type", one.Type, OK.Names())
		if one.Direction != nil {
			checkName(&problems, path+".direction", *one.Direction, In.Names())
		}
	}
	return problems.Err()
}

// prepared gives each scan its key and its time. A time in the future becomes now; where several do, they keep their
// order, a millisecond apart.
func prepared(scans []Uploaded, eventID string, now domain.DateTime) []offline {
	list := make([]offline, len(scans))
	var ahead []*offline
	for i, one := range scans {
		o := &list[i]
		*o = offline{Uploaded: one, direction: In, at: one.ScannedAt, scanID: domain.NewID(now.Time)}
		if one.Direction != nil {
			o.direction = *one.Direction
		}
		if o.key = o.contentKey(eventID); one.ID != nil {
			o.key = "id " + *one.ID
		}
		if o.at.After(now.Time) {
			o.ahead = true
			ahead = append(ahead, o)
		}
	}
	slices.SortStableFunc(ahead, func(a, b *offline) int { return a.ScannedAt.Compare(b.ScannedAt.Time) })
	for i, o := range ahead {
		o.at = domain.NewDateTime(now.Add(-time.Duration(len(ahead)-1-i) * time.Millisecond))
	}
	return list
}

// contentKey tells scans without an id apart: two codes in the same second are two scans.
func (o *offline) contentKey(eventID string) string {
	said := []string{eventID, o.Barcode, o.ScannedAt.String(), string(o.Type), string(o.direction)}
	sum := sha256.Sum256([]byte(strings.Join(said, "\x00")))
	return "content " + hex.EncodeToString(sum[:])
}

// offline stores scans in the order of their times and answers in the order in which they came.
func (r *recording) offline(ctx context.Context, eventID string, list []offline) ([]Receipt, error) {
	device := *r.gate.device
	device.Active, device.Expires = true, nil // as far as anybody knows it was in order when it scanned
	at := Question{Device: &device, Config: r.gate.config(), EventID: eventID}
	if err := r.locate(ctx, &at); err != nil {
		return nil, err
	}
	if at.Event == nil {
		return nil, domain.NotFound("Event")
	}
	fresh, known, err := r.claim(ctx, list)
	if err != nil {
		return nil, err
	}
	conflicts, err := r.decideAll(ctx, at, fresh)
	if err != nil {
		return nil, err
	}
	receipts := make([]Receipt, len(list))
	for i, one := range list {
		claim := known[one.key]
		receipts[i] = Receipt{
			ID: claim.ScanID, Duplicate: claim.ScanID != one.scanID, Conflict: claim.Conflict || conflicts[claim.ScanID],
		}
		if one.ID != nil {
			receipts[i].ID = *one.ID
		}
	}
	return receipts, nil
}

// claim finds out which scans were not handed in before, by the device or earlier in the same list.
func (r *recording) claim(ctx context.Context, list []offline) ([]offline, map[string]Claim, error) {
	claims := make([]Claim, len(list))
	for i, one := range list {
		claims[i] = Claim{Key: one.key, ScanID: one.scanID}
	}
	known, err := r.tx.ClaimScans(ctx, r.gate.device.ID, claims)
	if err != nil {
		return nil, nil, err
	}
	var fresh []offline
	for _, one := range list {
		if known[one.key].ScanID == one.scanID {
			fresh = append(fresh, one)
		}
	}
	slices.SortStableFunc(fresh, func(a, b offline) int { return a.at.Compare(b.at.Time) })
	return fresh, known, nil
}

// decideAll puts scans at an event into the log and the histories that they belong to, and tells which are in conflict with
// the rules.
func (r *recording) decideAll(ctx context.Context, at Question, fresh []offline) (map[string]bool, error) {
	conflicts := map[string]bool{}
	if len(fresh) == 0 {
		return conflicts, nil
	}
	tickets, err := r.tickets(ctx, fresh)
	if err != nil {
		return nil, err
	}
	count, err := r.openPlaces(ctx, at.EventID, fresh, tickets)
	if err != nil {
		return nil, err
	}
	count.arrange(fresh, tickets, at.EventID, r.gate.zoneID())
	r.passes = map[Place][]Pass{}
	var conflicting []string
	for _, one := range fresh {
		q := at
		q.Ticket, q.Direction, q.At = tickets.of(one), one.direction, one.at
		made := r.scan(q, one.Barcode)
		made.ID, made.Offline, made.ScannedAt, made.ClockAhead, made.ClientID = one.scanID, true, &one.ScannedAt, one.ahead, one.ID
		count.decide(&made, q, one.Type == OK)
		if made.Conflict {
			conflicts[made.ID] = true
			conflicting = append(conflicting, made.ID)
		}
		if place, known := made.place(); known && made.Result == Approved {
			r.passes[place] = append(r.passes[place], Pass{made.ID, made.Time, one.direction})
		}
		r.scans = append(r.scans, made)
	}
	if err := r.store(ctx); err != nil {
		return nil, err
	}
	if err := r.tx.UpdatePlaces(ctx, r.seller, count.histories(r.passes)); err != nil {
		return nil, err
	}
	return conflicts, r.tx.MarkConflicts(ctx, r.gate.device.ID, conflicting)
}

// codes are tickets by barcode and by id.
type codes struct{ byBarcode, byID map[string]*ticket.Ticket }

// of is the ticket of a scan: the one that the device knew it by, else the one that has the code. While the device was away the
// ticket may have got another code, and its own may be another ticket's by now.
func (c codes) of(one offline) *ticket.Ticket {
	if one.TicketID != nil {
		if found, ok := c.byID[*one.TicketID]; ok {
			return found
		}
	}
	return c.byBarcode[one.Barcode]
}

func (r *recording) tickets(ctx context.Context, list []offline) (codes, error) {
	barcodes, ids := make([]string, 0, len(list)), []string{}
	for _, one := range list {
		barcodes = append(barcodes, one.Barcode)
		if one.TicketID != nil {
			ids = append(ids, *one.TicketID)
		}
	}
	found, err := r.tx.TicketsByCode(ctx, r.seller, findable(barcodes), ids)
	tickets := codes{map[string]*ticket.Ticket{}, map[string]*ticket.Ticket{}}
	for i := range found {
		tickets.byBarcode[found[i].Barcode], tickets.byID[found[i].ID] = &found[i].Ticket, &found[i].Ticket
	}
	return tickets, err
}

// counting is the passes of the places that an upload touches.
type counting struct{ passes map[Place][]Pass }

// openPlaces locks all places of an upload, in one order, and reads what was counted there.
func (r *recording) openPlaces(ctx context.Context, eventID string, list []offline, tickets codes) (counting, error) {
	met := map[Place]bool{}
	var places []Place
	for _, one := range list {
		found := tickets.of(one)
		if found == nil {
			continue
		}
		if place := (Place{found.ID, eventID, r.gate.zoneID()}); !met[place] {
			met[place] = true
			places = append(places, place)
		}
	}
	if len(places) == 0 {
		return counting{map[Place][]Pass{}}, nil
	}
	if _, err := r.tx.LockPlaces(ctx, r.seller, places); err != nil {
		return counting{}, err
	}
	passes, err := r.tx.Passes(ctx, r.seller, places)
	return counting{passes}, err
}

// arrange puts what a device let pass with one ticket into the order in which it will be counted, see sorted. What it refused
// keeps its place among it: it is held to what the device knew by then.
func (c counting) arrange(fresh []offline, tickets codes, eventID, zoneID string) {
	indexes := map[Place][]int{}
	for i, one := range fresh {
		if found := tickets.of(one); found != nil && one.Type == OK {
			place := Place{found.ID, eventID, zoneID}
			indexes[place] = append(indexes[place], i)
		}
	}
	for place, at := range indexes {
		passes, scans := slices.Clone(c.passes[place]), map[string]offline{}
		for _, i := range at {
			passes = append(passes, Pass{fresh[i].scanID, fresh[i].at, fresh[i].direction})
			scans[fresh[i].scanID] = fresh[i]
		}
		for _, pass := range sorted(passes) {
			if one, isNew := scans[pass.ScanID]; isNew {
				fresh[at[0]], at = one, at[1:]
			}
		}
	}
}

// decide settles a scan as its device decided, and notes where the rules say otherwise.
func (c counting) decide(made *Scan, q Question, approved bool) {
	place, known := made.place()
	passes := c.passes[place]
	pass := Pass{made.ID, made.Time, q.Direction}
	q.History = before(passes, pass)
	reason := Decide(q).Reason
	if reason == "" && known && approved && crowds(passes, pass, q.multi()) {
		reason = AlreadyCheckedIn
	}
	made.settle(reason, approved)
	made.Conflict = approved != (reason == "")
	for _, other := range passes {
		made.Late = made.Late || other.At.After(made.Time.Time)
	}
	if known && approved {
		c.passes[place] = append(passes, pass)
	}
}

// histories are those of the places at which something was added.
func (c counting) histories(added map[Place][]Pass) map[Place]History {
	histories := make(map[Place]History, len(added))
	for place := range added {
		histories[place] = Count(c.passes[place])
	}
	return histories
}
