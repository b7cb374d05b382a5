package program

import (
	"context"
	"net/http"
	"time"

	"ticketgate/domain"
	"ticketgate/graph/edge"
)

// keyUsage records the calls of each API key, in both APIs.
type keyUsage struct {
	note func(call *domain.KeyCall, status int, at time.Time)
}

// Begin records the call after it has ended: the key and the permissions that authentication and authorization have
// added to the context.
func (u keyUsage) Begin(r *http.Request) (context.Context, func(edge.RequestResult)) {
	used := domain.CallOf(r.Context()).Key
	return r.Context(), func(answered edge.RequestResult) { u.note(used, answered.Status, time.Now()) }
}
