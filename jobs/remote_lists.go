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
	// remoteListTimeout bounds one call; the lookup bounds all of them together by as much (decisions 5.5).
	remoteListTimeout = 3 * time.Second
	maxRemoteAnswer   = 64 << 10
	// How many calls may be under way: a listener that hangs must not gather the requests of a whole evening, nor a
	// seller with many lists take the connections of the others.
	maxCallsPerListener = 32
	maxCallsPerSeller   = 256
)

var errTooManyCalls = errors.New("too many calls to the listener are under way")

// RemoteLists asks the listeners of remote access lists.
type RemoteLists struct {
	sender Sender
	log    *slog.Logger

	mutex     sync.Mutex
	listeners map[remoteListener]int
	sellers   map[ids.Seller]int
}

// remoteListener is what calls are counted by: one seller's trouble with a listener is no other's.
type remoteListener struct {
	seller ids.Seller
	url    string
}

// NewRemoteLists asks by a sender's client, headers and clock, within bounds of its own.
func NewRemoteLists(by *Sender, log *slog.Logger) *RemoteLists {
	sender := *by
	sender.Timeout, sender.MaxBody = remoteListTimeout, maxRemoteAnswer
	return &RemoteLists{
		sender: sender, log: log, listeners: map[remoteListener]int{}, sellers: map[ids.Seller]int{},
	}
}

// Ask makes one signed POST to a list's listener: 200 names the holder, 404 says that it does not know the code.
// Everything else is an error, and so is an answer of more than 64 KiB or one that breaks off.
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
	// When another list has answered first the call ends without anybody's fault.
	if err != nil && result.Failure != webhook.FailureInterrupted {
		r.logTrouble(ctx, list, result, err)
	}
	return holder, known, err
}

// holder is what a call's result says of the code.
func (r Result) holder() (holder access.Holder, known bool, err error) {
	switch {
	case r.Failure != "":
		return access.Holder{}, false, errors.New(r.Detail)
	case r.Status == http.StatusNotFound:
		return access.Holder{}, false, nil
	case r.Status != http.StatusOK:
		return access.Holder{}, false, fmt.Errorf("it answered with status %d", r.Status)
	case r.BodyTruncated:
		return access.Holder{}, false, errors.New("its answer is too long or broke off")
	}
	holder, err = access.ReadHolder(r.Body)
	return holder, err == nil, err
}

// enter counts a call in, unless there are enough.
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

// leave counts a call out; what has none left is forgotten.
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

// logTrouble tells the operator what a device only learns as 503: neither the code nor the listener's query string,
// which may hold a secret.
func (r *RemoteLists) logTrouble(ctx context.Context, list access.List, result Result, why error) {
	r.log.WarnContext(ctx, "remote access list unavailable",
		slog.String("list", list.ID), slog.String("seller", string(list.SellerID)),
		slog.Int("status", result.Status), slog.String("failure", string(result.Failure)),
		slog.String("detail", why.Error()), slog.Duration("duration", result.Duration))
}
