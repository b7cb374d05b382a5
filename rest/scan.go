package rest

import (
	"net/http"
	"slices"
	"strings"

	"ticketgate/domain"
	"ticketgate/domain/decode"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/moment"
	"ticketgate/domain/scan"
	"ticketgate/domain/texts"
	"ticketgate/graph/edge"
)

func scanGroupFilter(q *listQuery) scan.GroupFilter { return scan.GroupFilter{Name: q.text("name")} }

// listDevices returns all devices as a bare array.
func listDevices(devices scan.Devices) endpoint {
	return func(r *http.Request) (any, error) {
		query := readListQuery(r)
		if err := query.errs.Err(); err != nil {
			return nil, err
		}
		list, err := devices.All(r.Context())
		return list, err
	}
}

// listDeviceTickets returns the tickets that a device synchronizes.
func listDeviceTickets(gate scan.AtGate) endpoint {
	return func(r *http.Request) (any, error) {
		eventID, err := pathValue(r, "eventId")
		if err != nil {
			return nil, err
		}
		return withList(gate.EventTickets, func(q *listQuery) scan.TicketSpan {
			return scan.TicketSpan{
				EventID: eventID, From: q.instant("from"), Until: q.instant("until"), IncludeRootEvents: q.boolean(includeRootEvents),
			}
		}, "from", "until", includeRootEvents)(r)
	}
}

// includeRootEvents is the parameter that also selects tickets of the events above a device's events.
const includeRootEvents = "includeRootEvents"

// listDeviceEvents returns a bare array.
func listDeviceEvents(s Services) endpoint {
	return func(r *http.Request) (any, error) {
		query := readListQuery(r, includeRootEvents)
		include := query.boolean(includeRootEvents)
		if err := query.errs.Err(); err != nil {
			return nil, err
		}
		return s.Query.AccessUserEvents(r.Context(), include)
	}
}

// deviceTicket returns one ticket. It is not a list, so unknown parameters are ignored.
func deviceTicket(s Services) endpoint {
	return func(r *http.Request) (any, error) {
		barcode, err := pathValue(r, "barcode")
		if err != nil {
			return nil, err
		}
		return s.Query.AccessUserTicket(r.Context(), barcode, texts.Shown(r.URL.Query().Get("eventId")))
	}
}

// instant returns a date-time parameter, nil if it is empty.
func (q *listQuery) instant(name string) *moment.DateTime {
	text := q.text(name)
	if text == "" {
		return nil
	}
	when, err := moment.Parse(text)
	switch {
	case err == nil:
		return &when
	case strings.Contains(text, " "): // before the offset
		q.errs.AddHint(name, err.Error()+"; write + as %2B", plusHint)
	default:
		q.errs.Add(name, err.Error())
	}
	return nil
}

// scanTicket needs no body: the code is in the path, everything else in the query.
func scanTicket(s Services) endpoint {
	return func(r *http.Request) (any, error) {
		barcode, err := pathValue(r, "barcode")
		if err != nil {
			return nil, err
		}
		query := readQuery(r, "eventId", "direction", "deviceId", "scanGroupId")
		if err := query.errs.Err(); err != nil {
			return nil, err
		}
		return s.Mutation.ScanTicket(r.Context(), scan.Attempt{
			Barcode: barcode, EventID: query.text("eventId"), Direction: scan.Direction(query.text("direction")),
			DeviceID: query.text("deviceId"), ScanGroupID: query.text("scanGroupId"),
		})
	}
}

// uploadScans reads a JSON array, the only body that is not an object (BODY-4).
func uploadScans(s Services) endpoint {
	return func(r *http.Request) (any, error) {
		eventID, err := pathValue(r, "eventId")
		if err != nil {
			return nil, err
		}
		query := readQuery(r, "deviceId")
		if err := query.errs.Err(); err != nil {
			return nil, err
		}
		body, err := readText(r)
		if err != nil {
			return nil, err
		}
		elements, err := edge.ParseElements(body)
		if err != nil {
			return nil, err
		}
		return s.Mutation.UploadScans(r.Context(), eventID, texts.Shown(query.text("deviceId")), readScans(elements))
	}
}

// readFeed returns the changes that devices poll every few seconds.
func readFeed(s Services) endpoint {
	return func(r *http.Request) (any, error) {
		query := readListQuery(r, "after", "limit")
		after, limit := query.integer("after"), query.integer("limit")
		if err := query.errs.Err(); err != nil {
			return nil, err
		}
		return s.Query.AccessUserFeed(r.Context(), after, limit)
	}
}

// readScans reads the scans of an upload independently: a fault of one does not prevent the others from being stored
// (GATE-5). Unknown fields are ignored, because devices send what they have stored. A field that differs from a known
// one in case only is a fault; so is, in any field, a text or number that JSON readers interpret differently.
func readScans(list []ecmajson.Element) []scan.Uploaded {
	scans := make([]scan.Uploaded, len(list))
	for i, element := range list {
		scans[i] = readScan(element)
	}
	return scans
}

func readScan(element ecmajson.Element) scan.Uploaded {
	var read scan.Uploaded
	var faults domain.FieldErrors
	decode.OpenObject(&faults, element.Value, &read)
	if read.Unread = faults.Err(); len(element.Problems) == 0 {
		return read
	}
	var errs domain.FieldErrors
	for _, problem := range element.Problems {
		errs.Add(problem.Path, problem.Message)
	}
	errs.Merge(read.Unread)
	read.Unread = errs.Err()
	if slices.ContainsFunc(element.Problems, func(p ecmajson.Problem) bool { return p.Path == "id" }) {
		read.ID = nil
	}
	return read
}
