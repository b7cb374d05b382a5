package scan

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/texts"
)

// maxUploaded is the maximum number of scans per upload.
const maxUploaded = 1000

// Verdict is the decision of an offline device.
type Verdict string

// The verdicts.
const (
	OK   Verdict = "OK"
	Fail Verdict = "FAIL"
)

// Names returns all verdicts.
func (Verdict) Names() []string { return []string{string(OK), string(Fail)} }

// Uploaded is a scan that a device made while it was offline.
type Uploaded struct {
	// ID is the device's id of the scan. A scan without one is identified by its content.
	ID *string `json:"id"`
	// TicketID identifies the ticket if its code has changed since the device last synchronized.
	TicketID  *string         `json:"ticketId"`
	Barcode   string          `json:"barcode"`
	ScannedAt moment.DateTime `json:"scanned_at"`
	Type      Verdict         `json:"type"`
	Direction *Direction      `json:"direction"` // IN by default
	// Unread is a VALIDATION_FAILED error with the fields that could not be read, or nil.
	Unread error `json:"-"`
}

// Upload is the response to uploaded scans.
type Upload struct {
	Status string    `json:"status"`
	Scans  []Receipt `json:"scans"`
}

// Receipt is the result of one uploaded scan. Receipts are in the order of the upload.
type Receipt struct {
	// ID is the device's id of the scan, or the server's if it has none.
	ID        string `json:"id"`
	Duplicate bool   `json:"duplicate"`
	// Conflict reports whether the rules would have decided otherwise. The device's decision stays.
	Conflict bool `json:"conflict"`
	// Error says why the scan was not stored. The other scans are (GATE-5).
	Error *Fault `json:"error,omitempty"`
}

// Fault holds the errors of one uploaded scan.
type Fault struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	// Details have paths relative to the scan.
	Details []domain.FieldError `json:"details"`
}

// Claim records that a device uploaded a scan under a key. Content is a digest of the scan.
type Claim struct {
	Key      string
	ScanID   string
	Content  string
	Conflict bool
}

// offline is one scan of an upload.
type offline struct {
	Uploaded
	index     int // in the upload
	direction Direction
	key       string // of the claim
	content   string
	at        moment.DateTime
	ahead     bool
	scanID    string
}

// Upload stores scans that a device made while it was offline, with its decisions and times. Scans that were uploaded
// before are duplicates and change nothing. Invalid scans get an error, and the others are stored. An unknown event is
// NOT_FOUND. A key with scans:create, or a session with role MANAGER, names the device, which may be inactive now.
func (s Scans) Upload(ctx context.Context, eventID, deviceID string, scans []Uploaded) (Upload, error) {
	actor, err := domain.Authorize(ctx, domain.UploadScans)
	if err != nil {
		return Upload{}, err
	}
	if len(scans) == 0 || len(scans) > maxUploaded {
		return Upload{}, domain.Invalid("scans", fmt.Sprintf("must have 1 to %d entries, not %d", maxUploaded, len(scans)))
	}
	if deviceID == "" && actor.Kind != domain.DeviceActor {
		return Upload{}, domain.Invalid("deviceId", "is required unless a device calls")
	}
	gate, err := s.gate(ctx, actor, deviceID, "")
	if err != nil {
		return Upload{}, err
	}
	faults := make([]*Fault, len(scans))
	for i := range scans {
		faults[i] = scans[i].fault()
	}
	var upload Upload
	err = s.Store.InLongTx(ctx, actor.SellerID, len(scans), func(ctx context.Context, tx Tx) error {
		if err := tx.WaitForUploads(ctx); err != nil {
			return err
		}
		run := recording{tx: tx, seller: actor.SellerID, gate: gate, now: moment.New(s.Now())}
		receipts, err := run.offline(ctx, eventID, prepared(scans, faults, eventID, run.now), len(scans))
		for i, fault := range faults {
			if fault != nil && err == nil {
				receipts[i] = Receipt{ID: texts.Of(scans[i].ID), Error: fault}
			}
		}
		upload = Upload{Status: "OK", Scans: receipts}
		tx.SetResponse(upload)
		return err
	})
	if err != nil {
		return Upload{}, err
	}
	return upload, nil
}

// fault returns the errors of a scan, or nil. A field that could not be read gets no second error.
func (u *Uploaded) fault() *Fault {
	var errs domain.FieldErrors
	errs.Under("", u.Unread)
	unread := domain.AsError(u.Unread)
	check := func(path string, note func(*domain.FieldErrors)) {
		said := func(f domain.FieldError) bool { return f.Path == path }
		if u.Unread == nil || len(unread.Fields) > 0 && !slices.ContainsFunc(unread.Fields, said) {
			note(&errs)
		}
	}
	check("barcode", func(p *domain.FieldErrors) { checkCode(p, u.Barcode) })
	if u.ID != nil {
		check("id", func(p *domain.FieldErrors) { p.Reference("id", *u.ID) })
	}
	if u.TicketID != nil {
		check("ticketId", func(p *domain.FieldErrors) { p.Reference("ticketId", *u.TicketID) })
	}
	check("type", func(p *domain.FieldErrors) { checkName(p, "type", u.Type, OK.Names()) })
	if u.Direction != nil {
		check("direction", func(p *domain.FieldErrors) { checkName(p, "direction", *u.Direction, In.Names()) })
	}
	if !errs.Any() {
		return nil
	}
	err := domain.AsError(errs.Err())
	return &Fault{
		Code: string(domain.CodeValidationFailed), Message: err.Message, Details: append([]domain.FieldError{}, err.Fields...),
	}
}

// prepared returns the valid scans with their keys and times. Times in the future become now. Several of them keep
// their order, a millisecond apart.
func prepared(scans []Uploaded, faults []*Fault, eventID string, now moment.DateTime) []offline {
	list := make([]offline, 0, len(scans))
	var ahead []*offline
	for i, uploaded := range scans {
		if faults[i] != nil {
			continue
		}
		list = append(list, offline{Uploaded: uploaded, index: i, direction: In, at: uploaded.ScannedAt, scanID: ids.New(now.Time)})
		o := &list[len(list)-1]
		if uploaded.Direction != nil {
			o.direction = *uploaded.Direction
		}
		said := Said{eventID, o.Barcode, o.ScannedAt, o.Type, o.direction}
		o.content = said.Digest(texts.Of(uploaded.TicketID))
		if o.key = "content " + said.Digest(""); uploaded.ID != nil {
			o.key = "id " + *uploaded.ID
		}
		if o.at.After(now.Time) {
			o.ahead = true
			ahead = append(ahead, o)
		}
	}
	slices.SortStableFunc(ahead, func(a, b *offline) int { return a.ScannedAt.Compare(b.ScannedAt.Time) })
	for i, o := range ahead {
		o.at = moment.New(now.Add(-time.Duration(len(ahead)-1-i) * time.Millisecond))
	}
	return list
}

// Said is the content of an uploaded scan, except its ticketId.
type Said struct {
	EventID   string
	Barcode   string
	ScannedAt moment.DateTime
	Type      Verdict
	Direction Direction
}

// Digest returns a digest of the content. Two codes scanned in the same second have different digests.
func (s Said) Digest(ticketID string) string {
	said := []string{s.EventID, s.Barcode, s.ScannedAt.String(), string(s.Type), string(s.Direction)}
	if ticketID != "" {
		said = append(said, ticketID)
	}
	sum := sha256.Sum256([]byte(strings.Join(said, "\x00")))
	return hex.EncodeToString(sum[:])
}

// asLogged returns the digest of the logged form of the scan, for claims stored without a digest.
func (o *offline) asLogged(eventID string) string {
	return Said{eventID, texts.Truncate(o.Barcode, maxBarcode), o.ScannedAt, o.Type, o.direction}.Digest("")
}

// offline stores scans in the order of their times and returns receipts in the order of the upload.
func (r *recording) offline(ctx context.Context, eventID string, list []offline, size int) ([]Receipt, error) {
	device := *r.gate.device
	device.Active, device.Expires = true, nil // it is assumed to have been active when it scanned
	at := Question{Device: &device, Config: r.gate.config(), EventID: eventID}
	if err := r.locate(ctx, &at); err != nil {
		return nil, err
	}
	if at.Event == nil {
		return nil, domain.NotFound("Event")
	}
	fresh, known, err := r.claim(ctx, eventID, list)
	if err != nil {
		return nil, err
	}
	conflicts, err := r.decideAll(ctx, at, fresh)
	if err != nil {
		return nil, err
	}
	receipts := make([]Receipt, size)
	for _, item := range list {
		claim := known[item.key]
		receipt := Receipt{ID: claim.ScanID, Duplicate: claim.ScanID != item.scanID, Conflict: claim.Conflict}
		if now, marked := conflicts[claim.ScanID]; marked {
			receipt.Conflict = now
		}
		if item.ID != nil {
			receipt.ID = *item.ID
		}
		receipts[item.index] = receipt
	}
	return receipts, nil
}

// claim returns the scans that were not uploaded before, by the device or earlier in the same upload, and the claims by
// key. Different content under a used id is a different scan (GATE-4).
func (r *recording) claim(ctx context.Context, eventID string, list []offline) ([]offline, map[string]Claim, error) {
	all := make([]*offline, len(list))
	for i := range list {
		all[i] = &list[i]
	}
	known, err := r.claimed(ctx, all)
	if err != nil {
		return nil, nil, err
	}
	var others []*offline
	for _, item := range all {
		if content := known[item.key].Content; content != item.content && content != item.asLogged(eventID) {
			item.key += " " + item.content
			others = append(others, item)
		}
	}
	other, err := r.claimed(ctx, others)
	if err != nil {
		return nil, nil, err
	}
	maps.Copy(known, other)
	var fresh []offline
	for _, item := range list {
		if known[item.key].ScanID == item.scanID {
			fresh = append(fresh, item)
		}
	}
	slices.SortStableFunc(fresh, func(a, b offline) int { return a.at.Compare(b.at.Time) })
	return fresh, known, nil
}

func (r *recording) claimed(ctx context.Context, list []*offline) (map[string]Claim, error) {
	if len(list) == 0 {
		return map[string]Claim{}, nil
	}
	claims := make([]Claim, len(list))
	for i, item := range list {
		claims[i] = Claim{Key: item.key, ScanID: item.scanID, Content: item.content}
	}
	return r.tx.ClaimScans(ctx, r.seller, r.gate.device.ID, claims)
}
