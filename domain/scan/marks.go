package scan

import "ticketgate/domain/moment"

// Judged is an offline scan with the values that its mark depends on. Except for Reason, everything is as it was at the
// upload, since later changes of the ticket or scan group don't affect past scans.
type Judged struct {
	Pass
	// Approved is the device's decision.
	Approved bool
	// Multi reports whether multiple check-ins were enabled.
	Multi bool
	// Late reports whether a later scan of the ticket was counted before.
	Late bool
	// Held is the first rule that fails regardless of the ticket's history, HeldInside the same for a ticket that is
	// inside.
	Held, HeldInside Reason
	// Reason is the first rule that fails, by everything known now.
	Reason Reason
}

// Conflict reports whether the device's decision differs from that of the rules.
func (j *Judged) Conflict() bool { return j.Approved != (j.Reason == "") }

// reasonAfter returns the first rule that fails after a history.
func (j *Judged) reasonAfter(h History) Reason {
	held := j.Held
	if h.Inside > 0 {
		held = j.HeldInside
	}
	switch {
	case held != "":
		return held
	case j.Direction == In && h.used(j.Multi):
		return AlreadyCheckedIn
	case j.Direction == Out && h.Inside == 0:
		return NotCheckedIn
	}
	return ""
}

// marks returns the reason of each judged scan at one place, by scan id. The result depends on all scans counted there,
// not on their order of arrival (GATE-3).
func marks(passes []Pass, judged []Judged) map[string]Reason {
	reasons := make(map[string]Reason, len(judged))
	admitted := make(map[string]Judged, len(judged))
	for _, item := range judged {
		if item.Approved {
			admitted[item.ScanID] = item
		}
	}
	ordered := sorted(passes)
	histories := make([]History, 1, len(ordered)+1) // before each pass, and after the last
	var entries offlineEntries
	for _, pass := range ordered {
		h := histories[len(histories)-1]
		item, offline := admitted[pass.ScanID]
		if offline {
			reasons[pass.ScanID] = item.reasonAfter(h)
		} else if pass.Direction == In {
			entries.markConflicts(reasons)
		}
		entries.add(pass, item, offline)
		histories = append(histories, h.Then(pass))
	}
	for _, item := range judged {
		if !item.Approved {
			reasons[item.ScanID] = refusal(&item, ordered, histories)
		}
	}
	return reasons
}

// refusal returns the reason of a scan that the device declined. Device clocks have whole seconds, so among passes at
// the same time it uses the position where the refusal is right, if there is one.
func refusal(judged *Judged, ordered []Pass, histories []History) Reason {
	at := 0
	for at < len(ordered) && ordered[at].At.Before(judged.At.Time) {
		at++
	}
	reason := judged.reasonAfter(histories[at])
	for ; reason == "" && at < len(ordered) && ordered[at].At.Equal(judged.At.Time); at++ {
		reason = judged.reasonAfter(histories[at+1])
	}
	return reason
}

// offlineEntries holds the entries that devices granted offline and that a later entry at the gate can prove wrong. The
// gate did not know of them, or it would have declined.
type offlineEntries struct {
	once   []Judged // of scan groups without multiple check-ins, which allow one entry
	inside []Judged // of other groups, people who have not left; zero if granted at the gate
}

// add adds a pass.
func (e *offlineEntries) add(pass Pass, judged Judged, offline bool) {
	switch {
	case pass.Direction == Out:
		if n := len(e.inside); n > 0 {
			e.inside = e.inside[:n-1]
		}
	case offline && !judged.Multi:
		e.once = append(e.once, judged)
		e.inside = append(e.inside, Judged{})
	default:
		e.inside = append(e.inside, judged)
	}
}

// markConflicts marks the entries that a later entry at the gate proves to be of another person.
func (e *offlineEntries) markConflicts(reasons map[string]Reason) {
	for _, list := range [...][]Judged{e.once, e.inside} {
		for _, judged := range list {
			if judged.Late && reasons[judged.ScanID] == "" {
				reasons[judged.ScanID] = AlreadyCheckedIn
			}
		}
	}
}

// Mark is the derived reason and conflict flag of an offline scan.
type Mark struct {
	ScanID   string
	Reason   Reason
	Conflict bool
}

// derive derives the marks of the judged scans again, and returns those that changed.
func derive(passes []Pass, judged []Judged) []Mark {
	reasons := marks(passes, judged)
	var changed []Mark
	for i := range judged {
		item := &judged[i]
		if reason := reasons[item.ScanID]; reason != item.Reason {
			item.Reason = reason
			changed = append(changed, Mark{item.ScanID, reason, item.Conflict()})
		}
	}
	return changed
}

// held returns the first rule that fails, except those about history, with this number of people inside.
func (q Question) held(inside int) Reason {
	q.History = History{Checkins: inside, Inside: inside}
	for _, rule := range Decide(q).Rules {
		if rule.Outcome == Failed && rule.Reason != AlreadyCheckedIn && rule.Reason != NotCheckedIn {
			return rule.Reason
		}
	}
	return ""
}

// judged returns an uploaded scan with the values that its mark depends on.
func (q Question) judged(scanID string, approved bool) Judged {
	judged := Judged{Pass: Pass{scanID, q.At, q.Direction}, Approved: approved, Multi: q.multi(), Held: q.held(0)}
	judged.HeldInside = judged.Held
	if q.Direction == Out && judged.Held != "" {
		judged.HeldInside = q.held(1)
	}
	return judged
}

// isLate reports whether one of the passes is later than at.
func isLate(passes []Pass, at moment.DateTime) bool {
	for _, pass := range passes {
		if pass.At.After(at.Time) {
			return true
		}
	}
	return false
}
