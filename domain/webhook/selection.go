package webhook

import (
	"fmt"
	"io"
	"strconv"

	"ticketgate/domain"
	"ticketgate/domain/decode"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/texts"
)

// Selection holds the event types that a webhook selects, with value true. In JSON it lists every type, in the order of
// domain.EventKinds.
type Selection map[domain.EventType]bool

// NewSelection selects the given types.
func NewSelection(types []domain.EventType) Selection {
	selected := make(Selection, len(types))
	for _, wanted := range types {
		selected[wanted] = true
	}
	return selected
}

// Types returns the selected types, in the order of domain.EventKinds.
func (s Selection) Types() []domain.EventType {
	types := make([]domain.EventType, 0, len(s))
	for _, kind := range domain.EventKinds() {
		if s[kind.Type] {
			types = append(types, kind.Type)
		}
	}
	return types
}

// MarshalJSON writes every event type with true or false.
func (s Selection) MarshalJSON() ([]byte, error) {
	text := []byte{'{'}
	for i, kind := range domain.EventKinds() {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(ecmajson.AppendString(text, string(kind.Type)), ':')
		text = strconv.AppendBool(text, s[kind.Type])
	}
	return append(text, '}'), nil
}

// MarshalGQL writes the same map as a GraphQL scalar, since the dots in type names are not allowed in GraphQL names.
func (s Selection) MarshalGQL(w io.Writer) {
	text, _ := s.MarshalJSON() // never fails
	_, _ = w.Write(text)
}

// UnmarshalGQL reads the map from a GraphQL literal or variable.
func (s *Selection) UnmarshalGQL(v any) error {
	return decode.Input(v, (*map[domain.EventType]bool)(s))
}

// check adds an error for each unknown event type, with the most similar known one.
func (s Selection) check(errs *domain.FieldErrors) {
	if !errs.Count("events", len(s), maxSelected) {
		return
	}
	for _, name := range sortedNames(s) {
		if name.Valid() {
			continue
		}
		refuseType(errs, typePath(string(name)), name)
	}
}

// maxSelected is well above the number of event types.
const maxSelected = 1000

// maxNameShown limits how much of a wrong name an error repeats, in bytes.
const maxNameShown = 64

func typePath(name string) string {
	return fmt.Sprintf("events[%q]", texts.Shorten(name, maxNameShown))
}

func refuseType(errs *domain.FieldErrors, path string, unknown domain.EventType) {
	kinds := domain.EventKinds()
	names := make([]string, len(kinds))
	for i, kind := range kinds {
		names[i] = string(kind.Type)
	}
	errs.Unknown(path, "is not an event type", string(unknown), names, "The query eventTypes lists all event types")
}
