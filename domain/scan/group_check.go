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

func (c *Config) check(path string, errs *domain.FieldErrors) {
	checkName(errs, domain.JoinPath(path, "mode"), c.Mode, c.Mode.Names())
	if c.ScanTypes != nil && !c.ScanTypes.Checkin && !c.ScanTypes.Checkout {
		errs.Add(domain.JoinPath(path, "scanTypes"), "must set checkin or checkout to true")
	}
	if !c.countable(path, errs) {
		return
	}
	first := map[string]string{}
	for i := range c.Events {
		here := domain.IndexPath(domain.JoinPath(path, "events"), i)
		c.Events[i].check(here, errs)
		if earlier, ok := first[c.Events[i].EventID]; ok {
			errs.Add(here+".eventId", "is the same as in "+earlier)
			continue
		}
		first[c.Events[i].EventID] = here
	}
}

// countable reports whether the lists are short enough to check, and adds an error for each that is not.
func (c *Config) countable(path string, errs *domain.FieldErrors) bool {
	fits := errs.Count(domain.JoinPath(path, "events"), len(c.Events), maxNamed)
	if c.TapAndGo != nil {
		fits = errs.Count(domain.JoinPath(path, "tapAndGo.eventIds"), len(c.TapAndGo.EventIDs), maxNamed) && fits
	}
	named := 0
	for i := range c.Events {
		named += len(c.Events[i].AllowedTicketTypeIDs)
	}
	if named > maxNamedInAll {
		errs.Add(domain.JoinPath(path, "events"),
			fmt.Sprintf("must name at most %d ticket types together, not %d", maxNamedInAll, named))
	}
	return fits && named <= maxNamedInAll
}

func (e *EventSettings) check(path string, errs *domain.FieldErrors) {
	if slot := e.TimeslotSettings; slot != nil {
		checkAmount(errs, path+".timeslotSettings.beforeMinutes", slot.BeforeMinutes, maxMinutes)
		checkAmount(errs, path+".timeslotSettings.afterMinutes", slot.AfterMinutes, maxMinutes)
	}
	if window := e.EventTimeSettings; window != nil {
		checkAmount(errs, path+".eventTimeSettings.beforeHours", window.BeforeHours, maxHours)
		checkAmount(errs, path+".eventTimeSettings.afterHours", window.AfterHours, maxHours)
	}
}

// checkAmount adds an error for an amount outside 0 to most, or NaN. It changes -0 to 0.
func checkAmount(errs *domain.FieldErrors, path string, amount *float64, most float64) {
	switch {
	case amount == nil:
	case *amount >= 0 && *amount <= most:
		*amount += 0
	default:
		errs.Add(path, fmt.Sprintf("must be a number from 0 to %.0f", most))
	}
}

func (s *DeviceSettings) check(path string, errs *domain.FieldErrors) {
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
				checkName(errs, path+".colorSettings."+color.name, *color.sent, color.names)
			}
		}
	}
	checkInterval(errs, path+".scanRevealInterval", s.ScanRevealInterval, revealIntervals)
	checkInterval(errs, path+".ticketSyncInterval", s.TicketSyncInterval, syncIntervals)
}

// checkName adds an error if the value is not in the list, with a hint at the most similar one.
func checkName[T ~string](errs *domain.FieldErrors, path string, sent T, names []string) {
	if slices.Contains(names, string(sent)) {
		return
	}
	message := "must be one of " + strings.Join(names, ", ")
	if len(names) == 1 {
		message = "must be " + names[0]
	}
	errs.Unknown(path, message, string(sent), names, "")
}

func checkInterval(errs *domain.FieldErrors, path string, sent *int, allowed []int) {
	if sent == nil || slices.Contains(allowed, *sent) {
		return
	}
	names := make([]string, len(allowed))
	for i, seconds := range allowed {
		names[i] = strconv.Itoa(seconds)
	}
	errs.Add(path, "must be one of "+strings.Join(names, ", ")+" (seconds)")
}

// reference is an id in an input, with its path.
type reference struct{ path, id string }

// references are the ids in an input, by kind. They contain only ids that can exist.
type references struct{ events, tapAndGo, ticketTypes, zones []reference }

// note adds an id to a kind, or an error if it can't be an id.
func (*references) note(kind *[]reference, path, id string, errs *domain.FieldErrors) {
	var wrong domain.FieldErrors
	if wrong.Reference(path, id); wrong.Any() {
		errs.Under("", wrong.Err())
		return
	}
	*kind = append(*kind, reference{path, id})
}

func (c *Config) references(path string, errs *domain.FieldErrors) references {
	var found references
	if !c.countable(path, &domain.FieldErrors{}) { // check has added the errors
		return found
	}
	for i, event := range c.Events {
		here := domain.IndexPath(path+".events", i)
		found.note(&found.events, here+".eventId", event.EventID, errs)
		for n, id := range event.AllowedTicketTypeIDs {
			found.note(&found.ticketTypes, domain.IndexPath(here+".allowedTicketTypeIds", n), id, errs)
		}
	}
	if c.TapAndGo != nil {
		for i, id := range c.TapAndGo.EventIDs {
			found.note(&found.tapAndGo, domain.IndexPath(path+".tapAndGo.eventIds", i), id, errs)
		}
	}
	if c.ScanZoneID != nil {
		found.note(&found.zones, path+".scanZoneId", *c.ScanZoneID, errs)
	}
	return found
}

// checkReferences adds an error for each id that the seller doesn't have, and for each event that can't be scanned
// (GATE-15).
func (c *Config) checkReferences(
	ctx context.Context, reader catalog.Reader, seller ids.Seller, path string, errs *domain.FieldErrors,
) error {
	if c == nil {
		return nil
	}
	named := c.references(path, errs)
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
	checkEvents(errs, named.events, events, func(e catalog.Event) bool { return !e.Type.Gathers() })
	checkEvents(errs, named.tapAndGo, events, func(e catalog.Event) bool { return e.Type != catalog.Group })
	checkKnown(errs, named.ticketTypes, types)
	checkKnown(errs, named.zones, zones)
	return nil
}

func checkEvents(
	errs *domain.FieldErrors, named []reference, known map[string]catalog.Event, fits func(catalog.Event) bool,
) {
	checkKnown(errs, named, known)
	for _, item := range named {
		if event, ok := known[item.id]; ok && !fits(event) {
			errs.Add(item.path, fmt.Sprintf("must not be a %s event", event.Type))
		}
	}
}

func checkKnown[T any](errs *domain.FieldErrors, named []reference, known map[string]T) {
	for _, item := range named {
		if _, ok := known[item.id]; !ok {
			errs.Add(item.path, "does not exist")
		}
	}
}

// idsOf returns the ids of the references without duplicates.
func idsOf(lists ...[]reference) []string {
	named := slices.Concat(lists...)
	all := make([]string, 0, len(named))
	for _, item := range named {
		all = append(all, item.id)
	}
	slices.Sort(all)
	return slices.Compact(all)
}
