package main

import (
	"context"
	"net/http"
	"time"

	"ticketgate/domain"
	"ticketgate/graph/edge"
)

// keyUsage counts what each API key does, in both APIs.
type keyUsage struct {
	note func(call *domain.KeyCall, status int, at time.Time)
}

// Begin gives the request a place where authentication and authorization leave what they did with a key.
func (u keyUsage) Begin(r *http.Request) (context.Context, func(edge.Answered)) {
	call := domain.CallOf(r.Context())
	call.Key = &domain.KeyCall{}
	return domain.WithCall(r.Context(), call), func(answered edge.Answered) { u.note(call.Key, answered.Status, time.Now()) }
}
