package scan

import "ticketgate/domain/moment"

// Judged is an offline scan with what its mark depends on. Except for Reason, everything is as it was at the upload,
// since later changes of the ticket or scan group don't affect past scans.
type Judged struct {
	Pass
	// Approved is the device's decision.
	Approved bool
	// Multi is whether multiple check-ins were enabled.
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
	for _, one := range judged {
		if one.Approved {
			admitted[one.ScanID] = one
		}
	}
	ordered := sorted(passes)
	histories := make([]History, 1, len(ordered)+1) // before each pass, and after the last
	var entries crowd
	for _, pass := range ordered {
		h := histories[len(histories)-1]
		one, offline := admitted[pass.ScanID]
		if offline {
			reasons[pass.ScanID] = one.reasonAfter(h)
		} else if pass.Direction == In {
			entries.blame(reasons)
		}
		entries.follow(pass, one, offline)
		histories = append(histories, h.Then(pass))
	}
	for _, one := range judged {
		if !one.Approved {
			reasons[one.ScanID] = refusal(&one, ordered, histories)
		}
	}
	return reasons
}

// refusal returns the reason of a scan that the device declined. Device clocks have whole seconds, so among passes at
// the same time it uses the position where the refusal is right, if there is one.
func refusal(one *Judged, ordered []Pass, histories []History) Reason {
	at := 0
	for at < len(ordered) && ordered[at].At.Before(one.At.Time) {
		at++
	}
	reason := one.reasonAfter(histories[at])
	for ; reason == "" && at < len(ordered) && ordered[at].At.Equal(one.At.Time); at++ {
		reason = one.reasonAfter(histories[at+1])
	}
	return reason
}

// crowd holds the entries that devices granted offline and that a later entry at the gate can prove wrong. The gate did not
// know of them, or it would have declined.
type crowd struct {
	once   []Judged // of scan groups without multiple check-ins, which allow one entry
	inside []Judged // of other groups, people who have not left; zero if granted at the gate
}

// follow adds a pass.
func (c *crowd) follow(pass Pass, one Judged, offline bool) {
	switch {
	case pass.Direction == Out:
		if n := len(c.inside); n > 0 {
			c.inside = c.inside[:n-1]
		}
	case offline && !one.Multi:
		c.once = append(c.once, one)
		c.inside = append(c.inside, Judged{})
	default:
		c.inside = append(c.inside, one)
	}
}

// blame marks the entries that a later entry at the gate proves to be of another person.
func (c *crowd) blame(reasons map[string]Reason) {
	for _, list := range [...][]Judged{c.once, c.inside} {
		for _, one := range list {
			if one.Late && reasons[one.ScanID] == "" {
				reasons[one.ScanID] = AlreadyCheckedIn
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
		one := &judged[i]
		if reason := reasons[one.ScanID]; reason != one.Reason {
			one.Reason = reason
			changed = append(changed, Mark{one.ScanID, reason, one.Conflict()})
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

// judged returns an uploaded scan with what its mark depends on.
func (q Question) judged(scanID string, approved bool) Judged {
	one := Judged{Pass: Pass{scanID, q.At, q.Direction}, Approved: approved, Multi: q.multi(), Held: q.held(0)}
	one.HeldInside = one.Held
	if q.Direction == Out && one.Held != "" {
		one.HeldInside = q.held(1)
	}
	return one
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
