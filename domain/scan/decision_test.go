package scan

import (
	_ "embed"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"ticketgate/domain/catalog"
	"ticketgate/domain/moment"
	"ticketgate/domain/texts"
	"ticketgate/domain/ticket"
)

// Each line of decisions.tsv is a decision: the result, how the question differs from the default one, and why. In
// the default question, the valid ticket T1 for event E1 enters at noon, and everything is allowed.
//
//go:embed testdata/decisions.tsv
var goldenDecisions string

func TestDecisions(t *testing.T) {
	t.Parallel()
	rows := 0
	for line := range strings.Lines(goldenDecisions) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		rows++
		parts := strings.Split(line, "\t")
		q := questionOf(t, parts[1])
		decision := Decide(q)
		got := "APPROVED"
		if !decision.Approved() {
			got = string(decision.Reason)
		}
		if got != parts[0] {
			t.Errorf("%s: %s, want %s (%s)\n%+v", parts[2], got, parts[0], parts[1], decision.Rules)
		}
		if len(decision.Rules) != len(rules) {
			t.Errorf("%s: got %d rules", parts[2], len(decision.Rules))
		}
		timed := decision.Reason == OutsideEventTime && q.Event != nil ||
			decision.Reason == OutsideTimeslot && *q.Ticket.SlotStartTime != "noon"
		if window := decision.Window(); (window != nil) != timed || timed && window.Holds(q.At) {
			t.Errorf("%s: got window %v", parts[2], window)
		}
	}
	if rows < 200 {
		t.Errorf("got only %d decisions", rows)
	}
}

// questionOf parses the second column.
func questionOf(t *testing.T, text string) Question {
	t.Helper()
	v := map[string]string{
		"ask": "E1", "dir": "IN", "at": "2026-11-27T12:00:00.000Z", "device": "all", "assigned": "E1", "allow": "all",
		"scan": "both", "status": "VALID", "of": "E1", "start": "2026-11-27T12:00:00Z",
	}
	for word := range strings.FieldsSeq(text) {
		if name, value, ok := strings.Cut(word, "="); ok {
			v[name] = value
		}
	}
	q := Question{Direction: Direction(v["dir"]), At: parseTime(t, v["at"]), Device: deviceOf(v["device"])}
	if v["ask"] != "-" {
		q.EventID = v["ask"]
	}
	if v["group"] != "none" {
		q.Config = configOf(v)
	}
	if v["event"] != "none" {
		q.Event = &catalog.Event{ID: v["ask"], Start: parseTime(t, v["start"])}
		q.Above = listOf(v["above"])
		if v["end"] != "" {
			end := parseTime(t, v["end"])
			q.Event.End = &end
		}
	}
	if v["ticket"] != "none" {
		q.Ticket = &ticket.Ticket{
			ID: "X", EventID: v["of"], TicketTypeID: "T1", Status: ticket.Status(v["status"]),
			SlotStartTime: texts.Shown(v["slot"]), ExcludedEventIDs: listOf(v["excluded"]),
		}
	}
	if v["expires"] != "" && q.Ticket != nil {
		expires := parseTime(t, v["expires"])
		q.Ticket.ExpiresAt = &expires
	}
	past := listOf(v["past"])
	passes := make([]Pass, 0, len(past))
	for _, pass := range past {
		direction, at, _ := strings.Cut(pass, "@")
		passes = append(passes, Pass{Direction: Direction(direction), At: parseTime(t, "2026-11-27T"+at+"Z")})
	}
	q.History = Count(passes)
	return q
}

func deviceOf(events string) *Device {
	switch events {
	case "any":
		return nil
	case "none":
		return &Device{Active: true}
	}
	return &Device{Active: true, AccessAllEvents: events == "all", Events: listOf(events)}
}

func configOf(v map[string]string) *Config {
	config := &Config{
		Mode: "default", EnableMultiCheckin: yes(v["multi"]), CheckTimeslots: yes(v["slots"]),
		ScanTypes: map[string]*Types{
			"in": {Checkin: true}, "out": {Checkout: true}, "both": {Checkin: true, Checkout: true},
		}[v["scan"]],
	}
	if v["assigned"] == "absent" || v["assigned"] == "none" {
		return config
	}
	for _, id := range listOf(v["assigned"]) {
		settings := EventSettings{EventID: id}
		if strings.HasPrefix(v["allow"], "all") {
			settings.AllowAllTicketTypes = yes("yes")
		}
		switch v["allow"] {
		case "all", "absent":
		case "no", "none":
			settings.AllowAllTicketTypes = yes("no")
		case "all+T2":
			settings.AllowedTicketTypeIDs = []string{"T2"}
		default:
			settings.AllowedTicketTypeIDs = listOf(v["allow"])
		}
		if before, after, ok := strings.Cut(v["minutes"], "/"); ok {
			settings.TimeslotSettings = &TimeslotSettings{BeforeMinutes: amount(before), AfterMinutes: amount(after)}
		}
		if before, after, ok := strings.Cut(v["hours"], "/"); ok {
			settings.EventTimeSettings = &EventTimeSettings{
				Active: v["active"] == "yes", BeforeHours: amount(before), AfterHours: amount(after),
			}
		}
		config.Events = append(config.Events, settings)
	}
	return config
}

func yes(text string) *bool {
	if text == "" {
		return nil
	}
	value := text == "yes"
	return &value
}

func amount(text string) *float64 {
	number, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nil
	}
	return &number
}

func listOf(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ",")
}

func parseTime(t *testing.T, text string) moment.DateTime {
	t.Helper()
	parsed, err := moment.Parse(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return parsed
}

// randomPasses returns passes of online and offline devices, some at the same time.
func randomPasses(random *rand.Rand) []Pass {
	passes := make([]Pass, random.IntN(10))
	for i := range passes {
		at := time.Date(2026, 11, 27, 8, random.IntN(8), 0, 0, time.UTC)
		passes[i] = Pass{ScanID: strconv.Itoa(i), At: moment.New(at), Direction: []Direction{In, Out}[random.IntN(2)]}
	}
	return passes
}

func TestArrivalOrderIsIgnored(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 5_000 {
		passes := randomPasses(random)
		want := Count(passes)
		shuffled := slices.Clone(passes)
		random.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		got := Count(shuffled)
		if got.Inside != want.Inside || got.Checkins != want.Checkins || (got.Last != nil && *got.Last != *want.Last) ||
			(got.FirstCheckin != nil && *got.FirstCheckin != *want.FirstCheckin) {
			t.Fatalf("%v gives %+v, but %+v in another order", passes, want, got)
		}
	}
}

// Passes at the same time are counted in an order that is possible for people, whatever order they arrive in.
func TestSimultaneousPasses(t *testing.T) {
	t.Parallel()
	at := moment.New(time.Date(2026, 11, 27, 17, 0, 0, 0, time.UTC))
	for _, row := range []struct{ before, during, want string }{
		{"", "IO", "IO"},
		{"", "OI", "IO"},
		{"I", "IO", "OI"},
		{"I", "OI", "OI"},
		{"", "IIO", "IOI"},
		{"", "OII", "IOI"},
		{"I", "OIO", "OIO"},
		{"I", "IOO", "OIO"},
		{"", "OOI", "IOO"},
		{"II", "OIO", "OOI"},
	} {
		var passes []Pass
		add := func(letters string, at moment.DateTime) {
			for _, letter := range letters {
				passes = append(passes, Pass{strconv.Itoa(len(passes)), at, map[rune]Direction{'I': In, 'O': Out}[letter]})
			}
		}
		add(row.during, at)
		add(row.before, moment.New(at.Add(-time.Second)))
		got := ""
		for _, pass := range sorted(passes) {
			got += string(pass.Direction[0])
		}
		if got != row.before+row.want {
			t.Errorf("%s and then %s: got %s", row.before, row.during, got)
		}
	}
}

// An online gate admits no one until as many people have left as offline devices have admitted.
func TestNoEntryWhileAnotherPersonIsInside(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	for range 5_000 {
		multi := random.IntN(2) == 0
		passes := randomPasses(random) // those that have arrived so far, in any order
		q := questionOf(t, "multi="+map[bool]string{true: "yes", false: "no"}[multi])
		q.History = Count(passes)
		approved := Decide(q).Approved()
		people, entered := 0, 0 // as a guard would count who sees everyone
		for _, pass := range sorted(passes) {
			if pass.Direction == In {
				people, entered = people+1, entered+1
			} else if people > 0 {
				people--
			}
		}
		if free := people == 0 && (multi || entered == 0); approved != free {
			t.Fatalf("multi %t, %d people inside, %d entered: approved is %t, passes are %v", multi, people, entered, approved, passes)
		}
		q.Direction = Out
		if out := Decide(q).Approved(); out != (people > 0) {
			t.Fatalf("%d people inside: exit approved is %t", people, out)
		}
	}
}
