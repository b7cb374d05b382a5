package scan

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ticketgate/domain"
	"ticketgate/domain/catalog"
	"ticketgate/domain/ids"
)

// maxNamedInAll is the maximum number of ticket types of all events of a scan group together.
const maxNamedInAll = 10_000

// The longest windows: a year in minutes and in hours.
const (
	maxMinutes = 525_600
	maxHours   = 8_760
)

func (c *Config) check(path string, problems *domain.Problems) {
	checkName(problems, domain.JoinPath(path, "mode"), c.Mode, c.Mode.Names())
	if c.ScanTypes != nil && !c.ScanTypes.Checkin && !c.ScanTypes.Checkout {
		problems.Add(domain.JoinPath(path, "scanTypes"), "must set checkin or checkout to true")
	}
	if !c.countable(path, problems) {
		return
	}
	first := map[string]string{}
	for i := range c.Events {
		here := domain.IndexPath(domain.JoinPath(path, "events"), i)
		c.Events[i].check(here, problems)
		if earlier, ok := first[c.Events[i].EventID]; ok {
			problems.Add(here+".eventId", "is the same as in "+earlier)
			continue
		}
		first[c.Events[i].EventID] = here
	}
}

// countable reports whether the lists are short enough to check, and adds an error for each that is not.
func (c *Config) countable(path string, problems *domain.Problems) bool {
	fits := problems.Count(domain.JoinPath(path, "events"), len(c.Events), maxNamed)
	if c.TapAndGo != nil {
		fits = problems.Count(domain.JoinPath(path, "tapAndGo.eventIds"), len(c.TapAndGo.EventIDs), maxNamed) && fits
	}
	named := 0
	for i := range c.Events {
		named += len(c.Events[i].AllowedTicketTypeIDs)
	}
	if named > maxNamedInAll {
		problems.Add(domain.JoinPath(path, "events"),
			fmt.Sprintf("must name at most %d ticket types together, not %d", maxNamedInAll, named))
	}
	return fits && named <= maxNamedInAll
}

func (e *EventSettings) check(path string, problems *domain.Problems) {
	if slot := e.TimeslotSettings; slot != nil {
		checkAmount(problems, path+".timeslotSettings.beforeMinutes", slot.BeforeMinutes, maxMinutes)
		checkAmount(problems, path+".timeslotSettings.afterMinutes", slot.AfterMinutes, maxMinutes)
	}
	if window := e.EventTimeSettings; window != nil {
		checkAmount(problems, path+".eventTimeSettings.beforeHours", window.BeforeHours, maxHours)
		checkAmount(problems, path+".eventTimeSettings.afterHours", window.AfterHours, maxHours)
	}
}

// checkAmount adds an error for an amount outside 0 to most, or NaN. It changes -0 to 0.
func checkAmount(problems *domain.Problems, path string, amount *float64, most float64) {
	switch {
	case amount == nil:
	case *amount >= 0 && *amount <= most:
		*amount += 0
	default:
		problems.Add(path, fmt.Sprintf("must be a number from 0 to %.0f", most))
	}
}

func (s *DeviceSettings) check(path string, problems *domain.Problems) {
	if colors := s.ColorSettings; colors != nil {
		for _, color := range [...]struct {
			name  string
			sent  *Color
			names []string
		}{
			{"success", colors.Success, []string{string(Green)}},
			{"declined", colors.Declined, []string{string(Red)}},
			{"repeated", colors.Repeated, Green.Names()},
			{"highlighted", colors.Highlighted, Green.Names()},
			{"actionRequired", colors.ActionRequired, Green.Names()},
		} {
			if color.sent != nil {
				checkName(problems, path+".colorSettings."+color.name, *color.sent, color.names)
			}
		}
	}
	checkInterval(problems, path+".scanRevealInterval", s.ScanRevealInterval, revealIntervals)
	checkInterval(problems, path+".ticketSyncInterval", s.TicketSyncInterval, syncIntervals)
}

// checkName adds an error if the value is not in the list, with a hint at the most similar one.
func checkName[T ~string](problems *domain.Problems, path string, sent T, names []string) {
	if slices.Contains(names, string(sent)) {
		return
	}
	message := "must be one of " + strings.Join(names, ", ")
	if len(names) == 1 {
		message = "must be " + names[0]
	}
	problems.Unknown(path, message, string(sent), names, "")
}

func checkInterval(problems *domain.Problems, path string, sent *int, allowed []int) {
	if sent == nil || slices.Contains(allowed, *sent) {
		return
	}
	names := make([]string, len(allowed))
	for i, seconds := range allowed {
		names[i] = strconv.Itoa(seconds)
	}
	problems.Add(path, "must be one of "+strings.Join(names, ", ")+" (seconds)")
}

// reference is an id in an input, with its path.
type reference struct{ path, id string }

// references are the ids in an input, by kind. They contain only ids that can exist.
type references struct{ events, tapAndGo, ticketTypes, zones []reference }

// note adds an id to a kind, or an error if it can't be an id.
func (*references) note(kind *[]reference, path, id string, problems *domain.Problems) {
	var wrong domain.Problems
	if wrong.Reference(path, id); wrong.Any() {
		problems.Under("", wrong.Err())
		return
	}
	*kind = append(*kind, reference{path, id})
}

func (c *Config) references(path string, problems *domain.Problems) references {
	var found references
	if !c.countable(path, &domain.Problems{}) { // check has added the errors
		return found
	}
	for i, event := range c.Events {
		here := domain.IndexPath(path+".events", i)
		found.note(&found.events, here+".eventId", event.EventID, problems)
		for n, id := range event.AllowedTicketTypeIDs {
			found.note(&found.ticketTypes, domain.IndexPath(here+".allowedTicketTypeIds", n), id, problems)
		}
	}
	if c.TapAndGo != nil {
		for i, id := range c.TapAndGo.EventIDs {
			found.note(&found.tapAndGo, domain.IndexPath(path+".tapAndGo.eventIds", i), id, problems)
		}
	}
	if c.ScanZoneID != nil {
		found.note(&found.zones, path+".scanZoneId", *c.ScanZoneID, problems)
	}
	return found
}

// checkReferences adds an error for each id that the seller doesn't have, and for each event that can't be scanned
// (GATE-15).
func (c *Config) checkReferences(
	ctx context.Context, reader catalog.Reader, seller ids.Seller, path string, problems *domain.Problems,
) error {
	if c == nil {
		return nil
	}
	named := c.references(path, problems)
	events, err := reader.EventsByID(ctx, seller, idsOf(named.events, named.tapAndGo))
	if err != nil {
		return err
	}
	types, err := reader.TicketTypesByID(ctx, seller, idsOf(named.ticketTypes))
	if err != nil {
		return err
	}
	zones, err := reader.ScanZonesByID(ctx, seller, idsOf(named.zones))
	if err != nil {
		return err
	}
	checkEvents(problems, named.events, events, func(e catalog.Event) bool { return !e.Type.Gathers() })
	checkEvents(problems, named.tapAndGo, events, func(e catalog.Event) bool { return e.Type != catalog.Group })
	checkKnown(problems, named.ticketTypes, types)
	checkKnown(problems, named.zones, zones)
	return nil
}

func checkEvents(
	problems *domain.Problems, named []reference, known map[string]catalog.Event, fits func(catalog.Event) bool,
) {
	checkKnown(problems, named, known)
	for _, one := range named {
		if event, ok := known[one.id]; ok && !fits(event) {
			problems.Add(one.path, fmt.Sprintf("must not be a %s event", event.Type))
		}
	}
}

func checkKnown[T any](problems *domain.Problems, named []reference, known map[string]T) {
	for _, one := range named {
		if _, ok := known[one.id]; !ok {
			problems.Add(one.path, "does not exist")
		}
	}
}

// idsOf returns the ids of the references without duplicates.
func idsOf(lists ...[]reference) []string {
	named := slices.Concat(lists...)
	all := make([]string, 0, len(named))
	for _, one := range named {
		all = append(all, one.id)
	}
	slices.Sort(all)
	return slices.Compact(all)
}
