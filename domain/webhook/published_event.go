package webhook

import (
	"fmt"
	"slices"
	"strings"

	"ticketgate/domain"
	"ticketgate/domain/decode"
	"ticketgate/domain/document"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ids"
)

// NewEvent is an event published by one of the platform's other services.
type NewEvent struct {
	SellerID ids.Seller       `json:"sellerId"`
	Type     domain.EventType `json:"type"`
	Data     ecmajson.Value   `json:"data"`
}

func (e NewEvent) event(of ids.Seller, data ecmajson.Value) domain.Event {
	return domain.Event{SellerID: of, Type: e.Type, Data: data.Print()}
}

// maxPublished is the maximum number of events per call.
const maxPublished = 500

// NewEvents are several events of a seller, published by one of the platform's other services.
type NewEvents struct {
	SellerID ids.Seller    `json:"sellerId"`
	Events   []EventOfMany `json:"events"`
}

// EventOfMany is one event of NewEvents.
type EventOfMany struct {
	Type domain.EventType `json:"type"`
	Data ecmajson.Value   `json:"data"`
}

// check returns the events to publish, or all errors of all events.
func (n NewEvents) check(of ids.Seller, resources Resources) ([]domain.Event, error) {
	var errs domain.FieldErrors
	if count := len(n.Events); count == 0 || count > maxPublished {
		errs.Add("events", fmt.Sprintf("must have 1 to %d entries, not %d", maxPublished, count))
		return nil, errs.Err()
	}
	events := make([]domain.Event, len(n.Events))
	for i, eventOfMany := range n.Events {
		input := NewEvent{Type: eventOfMany.Type, Data: eventOfMany.Data}
		data, err := input.check(resources)
		errs.Under(domain.IndexPath("events", i), err)
		if err == nil {
			events[i] = input.event(of, data)
		}
	}
	return events, errs.Err()
}

// PublishedEvent identifies a stored event.
type PublishedEvent struct {
	ID string `json:"id"`
}

// Resources maps a field of data to the definition of its resource. A resource without a definition may be any object.
type Resources map[string]*document.Definition

// listField is the only field of data that is an array of resources. listed is the resource of its elements.
const (
	listField = "tickets"
	listed    = "ticket"
)

// check validates data against the event type and the definitions of its resources, and returns it in canonical form.
// Data must be an object that has each resource under its singular name, and no other fields. Ids are not looked up
// (WEBHOOK-6).
func (e NewEvent) check(resources Resources) (ecmajson.Value, error) {
	faults := domain.FieldErrors{Bounded: true}
	kind, ok := e.Type.Kind()
	if !ok {
		refuseType(&faults, "type", e.Type)
		return e.Data, faults.Err()
	}
	if e.Data.Kind() != ecmajson.Object {
		faults.Add("data", "must be an object with "+strings.Join(kind.Data, " and "))
		return e.Data, faults.Err()
	}
	fields := make([]ecmajson.Field, 0, len(kind.Data))
	for _, name := range kind.Data {
		if value, sent := e.Data.Field(name); sent {
			fields = append(fields, ecmajson.Field{Name: name, Value: checkField(&faults, resources, name, value)})
		} else {
			faults.Add(domain.JoinPath("data", name), "is required")
		}
	}
	e.checkStatus(&faults, kind.Data[0])
	for _, field := range e.Data.Fields() {
		if !slices.Contains(kind.Data, field.Name) {
			faults.AddHint(domain.JoinPath("data", field.Name), domain.UnknownField,
				fmt.Sprintf("The fields of %s are %s", e.Type, strings.Join(kind.Data, ", ")))
		}
	}
	return ecmajson.NewObject(fields), faults.Err()
}

// checkStatus adds an error if the resource's status contradicts the event type. A missing status is fine, since the
// type implies it.
func (e NewEvent) checkStatus(faults *domain.FieldErrors, resource string) {
	const field = "status"
	told, _ := e.Data.Field(resource)
	status, given := told.Field(field)
	path, wanted := domain.JoinPath(domain.JoinPath("data", resource), field), e.Type.Statuses()
	switch {
	case !given || faults.Has(path): // already checked by the definition
	case wanted != nil && !slices.Contains(wanted, status.Text()):
		faults.Add(path, fmt.Sprintf("must be %s in %s", strings.Join(wanted, " or "), e.Type))
	case e.Type.Contradicts(status.Text()):
		faults.Add(path, fmt.Sprintf("must not be %s in %s", status.Text(), e.Type))
	}
}

func checkField(faults *domain.FieldErrors, resources Resources, name string, value ecmajson.Value) ecmajson.Value {
	path := domain.JoinPath("data", name)
	if name != listField {
		return checkResource(faults, path, resources[name], value)
	}
	if value.Kind() != ecmajson.Array {
		faults.Add(path, "must be an array of objects")
		return value
	}
	elements := make([]ecmajson.Value, len(value.Elements()))
	for i, element := range value.Elements() {
		if faults.Full() {
			break
		}
		elements[i] = checkResource(faults, domain.IndexPath(path, i), resources[listed], element)
	}
	return ecmajson.NewArray(elements)
}

func checkResource(faults *domain.FieldErrors, path string, of *document.Definition, value ecmajson.Value) ecmajson.Value {
	switch {
	case value.Kind() != ecmajson.Object:
		faults.Add(path, "must be an object")
		return value
	case of == nil:
		return value
	}
	return decode.Document(faults, path, of, value, decode.Whole)
}
