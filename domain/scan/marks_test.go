package scan

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"ticketgate/domain/moment"
)

// randomJudged returns offline scans, some of them declined, some at the same time.
func randomJudged(random *rand.Rand) []Judged {
	multi := random.IntN(2) == 0
	list := make([]Judged, random.IntN(10))
	for i := range list {
		list[i] = Judged{
			Pass: Pass{
				ScanID: strconv.Itoa(i), Direction: []Direction{In, Out}[random.IntN(2)],
				At: moment.New(time.Date(2026, 11, 27, 8, random.IntN(8), 0, 0, time.UTC)),
			},
			Approved: random.IntN(4) > 0, Multi: multi,
		}
		if random.IntN(5) == 0 {
			list[i].Held = TicketInvalid
			if list[i].Direction == In {
				list[i].HeldInside = TicketInvalid
			}
		}
	}
	return list
}

func passesOf(judged []Judged) []Pass {
	var passes []Pass
	for _, item := range judged {
		if item.Approved {
			passes = append(passes, item.Pass)
		}
	}
	return passes
}

// Scans get the same marks in the end, whatever order and batches they arrive in (GATE-3).
func TestMarksIgnoreArrivalOrder(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(9, 10))
	for range 3_000 {
		whole := randomJudged(random)
		want := marks(passesOf(whole), whole)
		arriving := slices.Clone(whole)
		random.Shuffle(len(arriving), func(i, j int) { arriving[i], arriving[j] = arriving[j], arriving[i] })
		got := map[string]Reason{}
		for n := range arriving {
			for _, mark := range derive(passesOf(arriving[:n+1]), arriving[:n+1]) {
				got[mark.ScanID] = mark.Reason
			}
		}
		for _, item := range whole {
			if got[item.ScanID] != want[item.ScanID] {
				t.Fatalf("scan %s is marked %q, but %q in a single batch: %+v", item.ScanID, got[item.ScanID], want[item.ScanID], whole)
			}
		}
	}
}

// Of several people on one ticket, all but one are marked. Nothing is marked if each enters after the previous one
// left.
func TestSecondEntryIsMarked(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 6))
	for range 3_000 {
		judged := slices.DeleteFunc(randomJudged(random), func(j Judged) bool { return !j.Approved || j.Held != "" })
		reasons := marks(passesOf(judged), judged)
		surplus, h := 0, History{}
		for _, pass := range sorted(passesOf(judged)) {
			if pass.Direction == In && h.used(judged[0].Multi) {
				surplus++
			}
			h = h.Then(pass)
		}
		marked := 0
		for _, reason := range maps.All(reasons) {
			if reason == AlreadyCheckedIn {
				marked++
			}
		}
		if marked != surplus {
			t.Fatalf("%d of %d extra people are marked: %+v", marked, surplus, judged)
		}
	}
}

// The scans of offline devices and, in brackets, of the gate. Upper case was approved, lower case declined.
func TestMarks(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, scans string
		multi       bool
		want        string // the mark of each offline scan
	}{
		{"exit after its entry", "IO", true, "ok ok"},
		{"exit without an entry", "O", true, "NOT_CHECKED_IN"},
		{"two exits after one entry", "IOO", true, "ok ok NOT_CHECKED_IN"},
		{"two people", "II", true, "ok ALREADY_CHECKED_IN"},
		{"entry after leaving", "IOI", true, "ok ok ok"},
		{"entry after leaving, one entry allowed", "IOI", false, "ok ok ALREADY_CHECKED_IN"},
		{"an entry unknown to the gate", "I(I)", true, "ALREADY_CHECKED_IN"},
		{"the same, one entry allowed", "I(I)", false, "ALREADY_CHECKED_IN"},
		{"an exit before the gate's entry", "IO(I)", true, "ok ok"},
		{"the same, one entry allowed", "IO(I)", false, "ALREADY_CHECKED_IN ok"},
		{"an entry after the gate's", "(I)I", true, "ALREADY_CHECKED_IN"},
		{"an exit after the gate's entry", "(I)O", true, "ok"},
		{"three people", "II(I)", true, "ALREADY_CHECKED_IN ALREADY_CHECKED_IN"},
		{"a correct decline", "Ii", true, "ok ALREADY_CHECKED_IN"},
		{"a wrong decline", "i", true, "ok"},
		{"a declined exit of a person inside", "Io", true, "ok ok"},
		{"a declined exit with no one inside", "o", true, "NOT_CHECKED_IN"},
	} {
		var passes []Pass
		var judged []Judged
		atGate := false
		for i, letter := range row.scans {
			if letter == '(' || letter == ')' {
				atGate = letter == '('
				continue
			}
			direction := map[rune]Direction{'I': In, 'i': In, 'O': Out, 'o': Out}[letter]
			pass := Pass{strconv.Itoa(i), moment.New(time.Unix(int64(i), 0)), direction}
			approved := letter == 'I' || letter == 'O'
			if approved {
				passes = append(passes, pass)
			}
			if !atGate {
				judged = append(judged, Judged{Pass: pass, Approved: approved, Multi: row.multi, Late: true})
			}
		}
		reasons, got := marks(passes, judged), ""
		for i, item := range judged {
			reason := string(reasons[item.ScanID])
			if reason == "" {
				reason = "ok"
			}
			if i > 0 {
				got += " "
			}
			got += reason
		}
		if got != row.want {
			t.Errorf("%s (%s, multi %t): got %s, want %s", row.name, row.scans, row.multi, got, row.want)
		}
	}
	known := Judged{Pass: Pass{ScanID: "a", Direction: In}, Approved: true, Multi: true}
	later := Pass{"b", moment.New(time.Unix(1, 0)), In}
	if reasons := marks([]Pass{known.Pass, later}, []Judged{known}); fmt.Sprint(reasons) != "map[a:]" {
		t.Errorf("an entry known to the gate is marked: %v", reasons)
	}
}
