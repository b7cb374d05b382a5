package scan_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/moment"
	"ticketgate/domain/scan"
)

// made returns an approved offline scan.
func made(id, barcode string, at time.Time, direction scan.Direction) scan.Uploaded {
	return scan.Uploaded{ID: &id, Barcode: barcode, ScannedAt: moment.New(at), Type: scan.OK, Direction: &direction}
}

func (w *fixture) upload(device scan.Device, scans ...scan.Uploaded) []scan.Receipt {
	w.T.Helper()
	upload, err := w.scans.Upload(w.from(device), "E1", "", scans)
	if err != nil || upload.Status != "OK" || len(upload.Scans) != len(scans) {
		w.T.Fatalf("%+v, %v", upload, err)
	}
	return upload.Scans
}

func TestARepeatedUploadCountsOnce(t *testing.T) {
	t.Parallel()
	w, device := newGateDevice(t)
	w.ticket("2", nil)
	nameless := scan.Uploaded{Barcode: "B-2", ScannedAt: moment.New(w.now.Add(-time.Minute)), Type: scan.OK}
	batch := []scan.Uploaded{
		made("a", "B-1", w.now.Add(-time.Minute), scan.In), made("a", "B-1", w.now.Add(-time.Minute), scan.In), nameless,
		made("b", "B-1", w.now.Add(-time.Second), scan.In),
	}
	for round := range 3 {
		got := w.upload(device, batch...)
		if got[2].ID == "" || got[2].Duplicate != (round > 0) {
			t.Errorf("round %d: without an id: %+v", round, got[2])
		}
		got[2].ID = ""
		again := round > 0
		want := []scan.Receipt{
			{ID: "a", Duplicate: again}, {ID: "a", Duplicate: true}, {Duplicate: again}, {ID: "b", Duplicate: again, Conflict: true},
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("round %d: got %v, want %v", round, got, want)
		}
	}
	if n := w.Count("SELECT count(*) FROM scans"); n != 3 {
		t.Errorf("got %d stored scans, want 3", n)
	}
	if n := w.Count("SELECT count(*) FROM events WHERE type = 'scan.created'"); n != 3 {
		t.Errorf("got %d published scans, want 3", n)
	}
}

// While the log has a scan, uploading it again changes nothing.
func TestClaimsAreRetainedLikeScans(t *testing.T) {
	t.Parallel()
	w, device := newGateDevice(t)
	batch := made("a", "B-1", w.now.Add(-time.Minute), scan.In)
	w.upload(device, batch)
	day := 24 * time.Hour
	for _, later := range []struct {
		after     time.Duration
		duplicate bool
	}{{0, true}, {365 * day, true}, {367 * day, false}} {
		if err := w.Store.PurgeClaims(t.Context(), w.now.Add(later.after)); err != nil {
			t.Fatal(err)
		}
		if got := w.upload(device, batch); got[0].Duplicate != later.duplicate {
			t.Errorf("after %s: got %+v", later.after, got[0])
		}
	}
}

// A scan that a device approved stays approved.
func TestConflictIsFlaggedAndNotRewritten(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	device := w.device("Door", w.group(nil), scan.Full)
	w.ticket("1", func(d map[string]any) { d["status"] = "INVALID" })
	fail := made("f", "unknown", w.now.Add(-time.Second), scan.In)
	fail.Type = scan.Fail
	got := w.upload(device, made("a", "B-1", w.now.Add(-time.Hour), scan.In), fail, made("u", "unknown", w.now.Add(-time.Second), scan.In))
	if !got[0].Conflict || got[1].Conflict || !got[2].Conflict {
		t.Errorf("got receipts %+v", got)
	}
	yes := true
	list, err := w.scans.List(w.As(seller), scan.Filter{Conflict: &yes, DeviceID: device.ID}, domain.Page{Limit: 10})
	if err != nil || len(list.Items) != 2 {
		t.Fatalf("%+v, %v", list.Items, err)
	}
	first := list.Items[0]
	if first.Result != scan.Approved || *first.Reason != scan.TicketInvalid || !first.Offline || *first.ClientID != "a" ||
		!first.Time.Equal(w.now.Add(-time.Hour)) {
		t.Errorf("got %+v", first)
	}
	if inside := w.inside(); inside != "1 -=1" {
		t.Errorf("got %s inside", inside)
	}
}

// A later check-in does not justify a scan that a device declined before it.
func TestALateRefusalIsCheckedAgainstEarlierScansOnly(t *testing.T) {
	t.Parallel()
	w, device := newGateDevice(t)
	w.scan(device, "B-1", scan.In)
	early, late := made("early", "B-1", w.now.Add(-time.Hour), scan.In), made("late", "B-1", w.now.Add(time.Second), scan.In)
	early.Type, late.Type = scan.Fail, scan.Fail
	w.now = w.now.Add(time.Minute)
	if got := w.upload(device, early, late); !got[0].Conflict || got[1].Conflict {
		t.Errorf("got receipts %+v", got)
	}
	_, err := w.scans.Occupancy(w.As(seller), "X1")
	domaintest.HasCode(t, "the call", err, domain.CodeNotFound) // belongs to another seller
}

func TestTimesInTheFutureAreClampedInOrder(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	device := w.device("Door", w.group(multi), scan.Full)
	w.ticket("1", nil)
	ahead := w.now.Add(time.Hour)
	got := w.upload(device, made("2", "B-1", ahead.Add(time.Minute), scan.Out), made("1", "B-1", ahead, scan.In))
	if got[0].Conflict || got[1].Conflict {
		t.Errorf("got receipts %+v", got)
	}
	list, err := w.scans.List(w.As(seller), scan.Filter{}, domain.Page{Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	for _, item := range list.Items {
		if !item.ClockAhead || item.Time.After(w.now) || !item.ScannedAt.After(w.now) {
			t.Errorf("got %+v", item)
		}
	}
	if inside := w.inside(); inside != "0 -=0" {
		t.Errorf("got %s inside", inside)
	}
	wants(t, w.scan(device, "B-1", scan.In), "GRANTED")
}

// If the device's clock stood still too, only the order of the upload shows which scan came first. In the wrong
// order, an exit and an entry at the same future time would be a conflict.
func TestFutureScansKeepGivenOrder(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	device := w.device("Door", w.group(multi), scan.Full)
	w.ticket("1", nil)
	ahead := w.now.Add(time.Hour)
	var given []scan.Uploaded
	for n, direction := range []scan.Direction{scan.In, scan.Out, scan.In, scan.Out, scan.In} {
		given = append(given, made(fmt.Sprint(n), "B-1", ahead, direction))
	}
	for _, receipt := range w.upload(device, given...) {
		if receipt.Conflict {
			t.Errorf("got a conflict: %+v", receipt)
		}
	}
	list, err := w.scans.List(w.As(seller), scan.Filter{}, domain.Page{Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(list.Items, func(a, b scan.Scan) int { return a.Time.Compare(b.Time.Time) })
	for n, item := range list.Items {
		if *item.ClientID != fmt.Sprint(n) {
			t.Errorf("scan %s has position %d", *item.ClientID, n)
		}
	}
	if inside := w.inside(); inside != "1 -=1" {
		t.Errorf("got %s inside", inside)
	}
}

func TestLateScansAreCountedInOrder(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	group := w.group(multi)
	online, offline := w.device("Online", group, scan.Full), w.device("Offline", group, scan.Full)
	w.ticket("1", nil)
	wants(t, w.scan(online, "B-1", scan.In), "GRANTED")
	entered := w.now
	// An exit before the entry has no effect, however late it arrives.
	got := w.upload(offline, made("a", "B-1", entered.Add(-time.Hour), scan.Out))
	if !got[0].Conflict {
		t.Error("an exit with no one inside is not marked as a conflict")
	}
	w.now = w.now.Add(time.Hour)
	wants(t, w.scan(online, "B-1", scan.In), "ALREADY_CHECKED_IN")
	w.upload(offline, made("b", "B-1", entered.Add(time.Minute), scan.Out))
	wants(t, w.scan(online, "B-1", scan.In), "GRANTED")
	late := w.upload(offline, made("c", "B-1", entered.Add(2*time.Minute), scan.In))
	if !late[0].Conflict {
		t.Error("a second person on the ticket is not marked as a conflict")
	}
	yes := true
	list, err := w.scans.List(w.As(seller), scan.Filter{Late: &yes}, domain.Page{Limit: 10})
	if err != nil || len(list.Items) != 2 || *list.Items[0].ClientID != "a" || *list.Items[1].ClientID != "c" {
		t.Errorf("the filter finds %+v, %v", list.Items, err)
	}
}

// The number of people inside does not depend on the order and batches in which scans arrive (GATE-3).
func TestOccupancyIgnoresArrivalOrder(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	random := rand.New(rand.NewPCG(7, 8))
	for _, id := range []string{"1", "2", "3", "4", "5"} {
		w.ticket(id, nil)
	}
	const minutes, tickets = 40, 5
	var ins, outs [minutes][tickets]int // counted independently of the code under test
	scans := make([]scan.Uploaded, 60)
	for i := range scans {
		ago, of, direction := random.IntN(minutes), random.IntN(tickets), scan.In
		if random.IntN(2) == 0 {
			direction = scan.Out
			outs[ago][of]++
		} else {
			ins[ago][of]++
		}
		scans[i] = made(strconv.Itoa(i), fmt.Sprint("B-", 1+of), w.now.Add(-time.Duration(ago)*time.Minute), direction)
	}
	inside := 0
	for of := range tickets {
		people := 0
		for ago := minutes - 1; ago >= 0; ago-- { // no one leaves an empty zone, unless someone enters at the same time
			people = max(0, people+ins[ago][of]-outs[ago][of])
		}
		inside += min(1, people)
	}
	want := fmt.Sprintf("%d Z=%d", inside, inside)
	for round := range 4 {
		zone := []string{"Z1", "Z2"}[round%2]
		w.Exec("DELETE FROM scan_places")
		w.Exec("DELETE FROM scan_passes")
		device := w.device(strconv.Itoa(round), w.group(inZone(zone)), scan.Full)
		random.Shuffle(len(scans), func(i, j int) { scans[i], scans[j] = scans[j], scans[i] })
		for rest := scans; len(rest) > 0; {
			n := min(len(rest), 1+random.IntN(20))
			w.upload(device, rest[:n]...)
			rest = rest[n:]
		}
		if got := strings.ReplaceAll(w.inside(), zone, "Z"); got != want {
			t.Errorf("round %d: got %s inside, want %s", round, got, want)
		}
	}
}

// A code that is too long for a ticket is unknown. The log stores its beginning, and other scans of the upload count
// (GATE-17).
func TestCodeOfAnyLengthIsStored(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	device := w.device("Door", w.group(nil), scan.Full)
	longest, over := strings.Repeat("é", 255), strings.Repeat("é", 256)
	w.ticket("1", nil)
	w.ticket("2", func(d map[string]any) { d["barcode"] = longest })
	w.ticket("3", func(d map[string]any) { d["barcode"] = strings.Repeat("é", 254) + "…" })
	got := w.upload(device, made("a", over, w.now.Add(-time.Hour), scan.In), made("b", "B-1", w.now.Add(-time.Hour), scan.In),
		made("c", over+"x", w.now.Add(-time.Hour), scan.In))
	if !got[0].Conflict || got[1].Conflict || got[2].Duplicate {
		t.Errorf("got receipts %+v", got)
	}
	wants(t, w.scan(device, over, scan.In), "UNKNOWN_CODE")
	wants(t, w.scan(device, longest, scan.In), "GRANTED")
	wants(t, w.scan(device, longest, scan.In), "ALREADY_CHECKED_IN")
	reasons := []scan.Reason{scan.AlreadyCheckedIn, scan.UnknownCode}
	either, err := w.scans.List(w.As(seller), scan.Filter{ReasonIn: reasons}, domain.Page{Limit: 10})
	if err != nil || len(either.Items) != 4 {
		t.Errorf("scans declined for %v: %+v, %v", reasons, either.Items, err)
	}
	now := moment.New(w.now)
	for _, c := range []struct {
		filter scan.Filter
		want   int
	}{
		{scan.Filter{TimeFrom: &now, ReasonIn: reasons}, 2},
		{scan.Filter{TimeUntil: &now, ReasonIn: reasons}, 2},
		{scan.Filter{TimeFrom: &now, Until: &now}, 0},
		{scan.Filter{From: &now, TimeUntil: &now}, 0},
	} {
		spanned, err := w.scans.List(w.As(seller), c.filter, domain.Page{Limit: 10})
		if err != nil || len(spanned.Items) != c.want {
			t.Errorf("%+v: got %d scans, want %d, %v", c.filter, len(spanned.Items), c.want, err)
		}
	}
	list, err := w.scans.List(w.As(seller), scan.Filter{Reason: scan.UnknownCode, ReasonIn: reasons}, domain.Page{Limit: 10})
	if err != nil || len(list.Items) != 3 {
		t.Fatalf("%+v, %v", list.Items, err)
	}
	for _, item := range list.Items {
		if item.Barcode != strings.Repeat("é", 254)+"…" || item.TicketID != nil {
			t.Errorf("the log has %q for ticket %v", item.Barcode, item.TicketID)
		}
	}
	simulated, err := w.scans.Simulate(w.As(seller), scan.Simulation{Barcode: &over, DeviceID: &device.ID})
	if err != nil || *simulated.Reason != scan.UnknownCode {
		t.Errorf("simulation returned %+v, %v", simulated, err)
	}
	_, err = w.scans.Scan(w.from(device), scan.Attempt{Barcode: ""})
	if paths := domaintest.Paths(err); paths != "barcode" {
		t.Errorf("got errors at %s", paths)
	}
}

// Invalid scans get an error, and the other scans are stored (GATE-5).
func TestUploadsAreChecked(t *testing.T) {
	t.Parallel()
	w, device := newGateDevice(t)
	sideways := scan.Direction("SIDEWAYS")
	longest, longer := strings.Repeat("é", 64), strings.Repeat("é", 65)
	at := w.now.Add(-time.Hour)
	unread := made("u", "B-1", at, scan.In)
	unread.Unread = domain.Invalid("scanned_at", "must be a date-time")
	got := w.upload(device,
		made(longest, "B-1", at, scan.In), scan.Uploaded{Barcode: "", Type: "YES", Direction: &sideways},
		made(longer, "B-1", at, scan.In), made("b", "B\x00", at, scan.In), made("c", "B\xff", at, scan.In), unread,
		made("d", "B-1", at.Add(time.Second), scan.In),
	)
	for i, want := range []string{"", "barcode type direction", "id", "barcode", "barcode", "scanned_at", ""} {
		paths := ""
		if fault := got[i].Error; fault != nil {
			paths = domaintest.Paths(&domain.Error{Fields: fault.Details})
			if fault.Code != string(domain.CodeValidationFailed) || fault.Message == "" || got[i].Duplicate || got[i].Conflict {
				t.Errorf("scan %d got receipt %+v", i, got[i])
			}
		}
		if paths != want {
			t.Errorf("scan %d has errors at %q, want %q", i, paths, want)
		}
	}
	if got[0].ID != longest || !got[6].Conflict {
		t.Errorf("the valid scans got receipts %+v, %+v", got[0], got[6])
	}
	if n := w.Count("SELECT count(*) FROM scans"); n != 2 {
		t.Errorf("got %d stored scans, want 2", n)
	}
	_, err := w.scans.Upload(w.As(seller), "E1", "", []scan.Uploaded{made("a", "B-1", at, scan.In)})
	if paths := domaintest.Paths(err); paths != "deviceId" || strings.Contains(err.Error(), "scanGroupId") {
		t.Errorf("without a device: %v", err)
	}
	for _, event := range []string{"nowhere", "X1", strings.Repeat("E", 65)} {
		for _, barcode := range []string{"B-1", ""} {
			_, err := w.scans.Upload(w.from(device), event, "", []scan.Uploaded{made("a", barcode, at, scan.In)})
			domaintest.HasCode(t, "the call", err, domain.CodeNotFound)
		}
		_, err = w.gate.EventTickets(w.from(device), scan.TicketSpan{EventID: event}, domain.Page{Limit: 1})
		domaintest.HasCode(t, "the call", err, domain.CodeNotFound)
	}
	for _, n := range []int{0, 1001} {
		_, err := w.scans.Upload(w.from(device), "E1", "", make([]scan.Uploaded, n))
		domaintest.HasCode(t, "the call", err, domain.CodeValidationFailed)
	}
}

// While a device was offline, a ticket got another code, and its old code went to another ticket. The scan belongs to
// the ticket that the device named.
func TestAnUploadedScanBelongsToTheNamedTicket(t *testing.T) {
	t.Parallel()
	w, device := newGateDevice(t)
	w.ticket("2", nil)
	uploaded := made("a", "B-2", w.now.Add(-time.Minute), scan.In)
	uploaded.TicketID = new("1")
	unknown := made("b", "B-2", w.now.Add(-time.Second), scan.In)
	unknown.TicketID = new("nobody's")
	if got := w.upload(device, uploaded, unknown); got[0].Conflict || got[1].Conflict {
		t.Errorf("got receipts %v", got)
	}
	for id, scanned := range map[string]string{"a": "1", "b": "2"} {
		if n := w.Count("SELECT count(*) FROM scans WHERE client_id = '" + id + "' AND ticket_id = '" + scanned + "'"); n != 1 {
			t.Errorf("scan %s of ticket %s: got %d, want 1", id, scanned, n)
		}
	}
}

// Device clocks have whole seconds, so people can enter and leave, or leave and return, within one. That is not a
// conflict, in any order of the upload.
func TestInAndOutWithinOneSecond(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	device := w.device("Door", w.group(multi), scan.Full)
	second := w.now.Add(-time.Minute)
	for i, row := range []struct {
		before, handedIn string // I and O were approved, i was declined
		next             string
	}{
		{"", "IO", "GRANTED"},
		{"", "OI", "GRANTED"},
		{"", "IOI", "ALREADY_CHECKED_IN"},
		{"", "IIO", "ALREADY_CHECKED_IN"},
		{"", "IiO", "GRANTED"},
		{"I", "IO", "ALREADY_CHECKED_IN"},
		{"I", "OI", "ALREADY_CHECKED_IN"},
		{"I", "OIO", "GRANTED"},
		{"I", "iOI", "ALREADY_CHECKED_IN"},
	} {
		id := strconv.Itoa(i)
		w.ticket(id, nil)
		scans := func(letters string, at time.Time) {
			list := make([]scan.Uploaded, len(letters))
			for n, letter := range letters {
				direction := map[rune]scan.Direction{'I': scan.In, 'i': scan.In, 'O': scan.Out}[letter]
				if list[n] = made(fmt.Sprint(id, letters, n), "B-"+id, at, direction); letter == 'i' {
					list[n].Type = scan.Fail
				}
			}
			if len(list) == 0 {
				return
			}
			for n, receipt := range w.upload(device, list...) {
				if receipt.Conflict {
					t.Errorf("%s and then %s: conflict at %d", row.before, row.handedIn, n)
				}
			}
		}
		scans(row.before, second.Add(-time.Second))
		scans(row.handedIn, second)
		wants(t, w.scan(device, "B-"+id, scan.In), row.next)
	}
}
