package rest

import (
	"net/http"

	"ticketgate/domain"
	"ticketgate/domain/scan"
)

func scanGroupFilter(q *listQuery) scan.GroupFilter { return scan.GroupFilter{Name: q.text("name")} }

// listDevices answers with a bare array (decisions 6.3).
func listDevices(devices scan.Devices) endpoint {
	return func(r *http.Request) (any, error) {
		query := readListQuery(r)
		if err := query.problems.Err(); err != nil {
			return nil, err
		}
		list, err := devices.All(r.Context())
		return list, err
	}
}

// listDeviceTickets is what a device synchronises with.
func listDeviceTickets(gate scan.AtGate) endpoint {
	return func(r *http.Request) (any, error) {
		eventID, err := pathValue(r, "eventId")
		if err != nil {
			return nil, err
		}
		return withList(gate.EventTickets, func(q *listQuery) scan.TicketSpan {
			return scan.TicketSpan{EventID: eventID, From: q.instant("from"), Until: q.instant("until")}
		}, "from", "until")(r)
	}
}

// instant reads a date-time; an empty one is none.
func (q *listQuery) instant(name string) *domain.DateTime {
	text := q.text(name)
	if text == "" {
		return nil
	}
	moment, err := domain.ParseDateTime(text)
	if err != nil {
		q.problems.Add(name, err.Error())
		return nil
	}
	return &moment
}
