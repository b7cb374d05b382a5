package catalog

import (
	"context"
	"slices"

	"ticketgate/domain"
	"ticketgate/domain/ids"
)

// checkPlace adds the errors of root and parent that can be found without reading other records.
func (e *Event) checkPlace(errs *domain.FieldErrors) {
	if e.RootEventID != nil && e.Type == Root {
		errs.Add("rootEventId", "must be omitted for a ROOT event")
	}
	for _, above := range [...]struct {
		path string
		id   *string
	}{{"rootEventId", e.RootEventID}, {"parentEventId", e.ParentEventID}} {
		if above.id != nil && *above.id == e.ID {
			errs.Add(above.path, "must not be the event itself")
		}
	}
}

// above returns the ids of the event's root and parent.
func (e *Event) above() []string {
	var ids []string
	for _, id := range []*string{e.RootEventID, e.ParentEventID} {
		if id != nil {
			ids = append(ids, *id)
		}
	}
	return ids
}

// opensLike reports whether gates decide as they did before a change of the event. Their decisions depend only on its
// times and on the events above it, whose tickets also admit to it.
func (e *Event) opensLike(before Event) bool {
	return slices.Equal(e.above(), before.above()) &&
		e.Start.Equal(before.Start.Time) && e.Ends().Equal(before.Ends().Time)
}

// placeReader reads the records that determine an event's place in the hierarchy.
type placeReader interface {
	Reader
	// StandsBelow reports whether one of the events is other or lies below it, at any depth.
	StandsBelow(ctx context.Context, seller ids.Seller, ids []string, other string) (bool, error)
}

// checkOthers adds an error if the root or parent does not exist, has the wrong type or lies below the event itself
// (CATALOG-3). Malformed ids already have an error.
func (e *Event) checkOthers(ctx context.Context, from placeReader, _ *Event, errs *domain.FieldErrors) error {
	ids := slices.DeleteFunc(e.above(), func(id string) bool { return !plausible(id) })
	if len(ids) == 0 {
		return nil
	}
	known, err := from.EventsByID(ctx, e.SellerID, ids)
	if err != nil {
		return err
	}
	var wrong domain.FieldErrors
	if e.RootEventID != nil {
		checkKind(&wrong, "rootEventId", known, *e.RootEventID, "a ROOT event", Root)
	}
	if e.ParentEventID != nil {
		checkKind(&wrong, "parentEventId", known, *e.ParentEventID, "a GROUP or ROOT event", Group, Root)
	}
	if !wrong.Any() && e.Type.Gathers() {
		circular, err := from.StandsBelow(ctx, e.SellerID, ids, e.ID)
		if err != nil {
			return err
		}
		if circular {
			wrong.Add(e.lowestPath(), "must not be an event below this one")
		}
	}
	errs.Merge(wrong.Err())
	return nil
}

// lowestPath returns the field to change in order to break a cycle.
func (e *Event) lowestPath() string {
	if e.ParentEventID != nil {
		return "parentEventId"
	}
	return "rootEventId"
}

func checkKind(errs *domain.FieldErrors, path string, known map[string]Event, id, wanted string, kinds ...EventType) {
	event, ok := known[id]
	if !ok {
		errs.Add(path, "does not exist")
		return
	}
	if !slices.Contains(kinds, event.Type) {
		errs.Add(path, "must be "+wanted+", not one of type "+string(event.Type))
	}
}
