package rest

import (
	"net/http"
)

// lookUpTicket reads the code from the path and the event from the query.
func lookUpTicket(s Services) endpoint {
	return func(r *http.Request) (any, error) {
		code, err := pathValue(r, "externalCode")
		if err != nil {
			return nil, err
		}
		query := readQuery(r, "eventId")
		if err := query.errs.Err(); err != nil {
			return nil, err
		}
		return s.Query.TicketLookup(r.Context(), code, query.text("eventId"))
	}
}
