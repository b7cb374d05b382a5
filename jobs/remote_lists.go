package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"ticketgate/domain/access"
	"ticketgate/domain/ids"
	"ticketgate/domain/webhook"
)

const (
	// remoteListTimeout bounds one call. All calls of one lookup together have the same limit.
	remoteListTimeout = 3 * time.Second
	maxRemoteAnswer   = 64 << 10
	// Bounds of concurrent calls. Requests to an unresponsive listener must not accumulate, and a seller with many
	// lists must not occupy the connections of others.
	maxCallsPerListener = 32
	maxCallsPerSeller   = 256
)

var errTooManyCalls = errors.New("too many calls to the listener are under way")

// RemoteLists calls the listeners of remote access lists.
type RemoteLists struct {
	sender Sender
	log    *slog.Logger

	mutex     sync.Mutex
	listeners map[remoteListener]int
	sellers   map[ids.Seller]int
}

// remoteListener is the unit by which calls are counted: a listener of one seller. Calls to the same listener by other
// sellers are counted separately.
type remoteListener struct {
	seller ids.Seller
	url    string
}

// NewRemoteLists returns a caller with the client, headers and clock of a sender, but its own limits.
func NewRemoteLists(by *Sender, log *slog.Logger) *RemoteLists {
	sender := *by
	sender.Timeout, sender.MaxBody = remoteListTimeout, maxRemoteAnswer
	return &RemoteLists{
		sender: sender, log: log, listeners: map[remoteListener]int{}, sellers: map[ids.Seller]int{},
	}
}

// Ask makes one signed POST to a list's listener. It returns the holder if the status is 200, and known = false if it
// is 404. Any other outcome is an error, including a body that exceeds 64 KiB or breaks off.
func (r *RemoteLists) Ask(ctx context.Context, list access.List, body []byte) (holder access.Holder, known bool, err error) {
	if list.HTTP == nil {
		return access.Holder{}, false, errors.New("the list has no listener")
	}
	listener := remoteListener{list.SellerID, list.HTTP.URL}
	if !r.enter(listener) {
		r.logTrouble(ctx, list, Result{}, errTooManyCalls)
		return access.Holder{}, false, errTooManyCalls
	}
	defer r.leave(listener)
	result := r.sender.Send(ctx, Request{URL: list.HTTP.URL, Key: []byte(list.HTTP.HMACKey), Body: body})
	holder, known, err = result.holder()
	// An interruption is not a fault: another list has responded first.
	if err != nil && result.Failure != webhook.FailureInterrupted {
		r.logTrouble(ctx, list, result, err)
	}
	return holder, known, err
}

// holder interprets the result of a call.
func (r Result) holder() (holder access.Holder, known bool, err error) {
	switch {
	case r.Failure != "":
		return access.Holder{}, false, errors.New(r.Detail)
	case r.Status == http.StatusNotFound:
		return access.Holder{}, false, nil
	case r.Status != http.StatusOK:
		return access.Holder{}, false, fmt.Errorf("it responded with status %d", r.Status)
	case r.BodyTruncated:
		return access.Holder{}, false, errors.New("its response is too long or incomplete")
	}
	holder, err = access.ReadHolder(r.Body)
	return holder, err == nil, err
}

// enter counts a call. It returns false if too many calls are running.
func (r *RemoteLists) enter(listener remoteListener) bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.listeners[listener] >= maxCallsPerListener || r.sellers[listener.seller] >= maxCallsPerSeller {
		return false
	}
	r.listeners[listener]++
	r.sellers[listener.seller]++
	return true
}

// leave ends the count of a call and removes counters that reach zero.
func (r *RemoteLists) leave(listener remoteListener) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.listeners[listener]--; r.listeners[listener] == 0 {
		delete(r.listeners, listener)
	}
	if r.sellers[listener.seller]--; r.sellers[listener.seller] == 0 {
		delete(r.sellers, listener.seller)
	}
}

// logTrouble logs the cause of a failure, which devices see only as 503. It leaves out the code and the listener's
// query string, which may be secret.
func (r *RemoteLists) logTrouble(ctx context.Context, list access.List, result Result, why error) {
	r.log.WarnContext(ctx, "remote access list unavailable",
		slog.String("list", list.ID), slog.String("seller", string(list.SellerID)),
		slog.Int("status", result.Status), slog.String("failure", string(result.Failure)),
		slog.String("detail", why.Error()), slog.Duration("duration", result.Duration))
}
