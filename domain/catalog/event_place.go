package catalog

import (
	"context"
	"slices"

	"ticketgate/domain"
	"ticketgate/domain/ids"
)

// checkPlace notes what the event alone shows to be wrong with its root and parent.
func (e *Event) checkPlace(problems *domain.Problems) {
	if e.RootEventID != nil && e.Type == Root {
		problems.Add("rootEventId", "must be absent: a ROOT event is a root itself")
	}
	for _, above := range [...]struct {
		path string
		id   *string
	}{{"rootEventId", e.RootEventID}, {"parentEventId", e.ParentEventID}} {
		if above.id != nil && *above.id == e.ID {
			problems.Add(above.path, "must name another event")
		}
	}
}

// above are the ids of the events that this one stands below.
func (e *Event) above() []string {
	var ids []string
	for _, id := range []*string{e.RootEventID, e.ParentEventID} {
		if id != nil {
			ids = append(ids, *id)
		}
	}
	return ids
}

// opensLike tells whether gates decide as they did in an older state of the event: nothing else of it is a rule of theirs
// than when it is, and which events it stands below, whose tickets open it.
func (e *Event) opensLike(before Event) bool {
	return slices.Equal(e.above(), before.above()) &&
		e.Start.Equal(before.Start.Time) && e.Ends().Equal(before.Ends().Time)
}

// placeReader reads what the place of an event depends on.
type placeReader interface {
	Reader
	// StandsBelow reports whether one of the events is the other or is below it, by root or parent, at any distance.
	StandsBelow(ctx context.Context, seller ids.Seller, ids []string, other string) (bool, error)
}

// checkOthers notes a root or parent that is not there, is another seller's, gathers no events, or is below the event
// itself. An id that can't be one was noted before.
func (e *Event) checkOthers(ctx context.Context, from placeReader, _ *Event, problems *domain.Problems) error {
	ids := slices.DeleteFunc(e.above(), func(id string) bool { return !plausible(id) })
	if len(ids) == 0 {
		return nil
	}
	known, err := from.EventsByID(ctx, e.SellerID, ids)
	if err != nil {
		return err
	}
	var wrong domain.Problems
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
			wrong.Add(e.lowestPath(), "must not name an event that stands below this one")
		}
	}
	problems.Further(wrong.Err())
	return nil
}

// lowestPath is the member that a circle is put right with.
func (e *Event) lowestPath() string {
	if e.ParentEventID != nil {
		return "parentEventId"
	}
	return "rootEventId"
}

func checkKind(problems *domain.Problems, path string, known map[string]Event, id, wanted string, kinds ...EventType) {
	event, ok := known[id]
	if !ok {
		problems.Add(path, "does not exist")
		return
	}
	if !slices.Contains(kinds, event.Type) {
		problems.Add(path, "must name "+wanted+", not one of type "+string(event.Type))
	}
}
