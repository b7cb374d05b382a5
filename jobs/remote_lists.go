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
	// remoteListTimeout bounds one call. A lookup has the same limit for all of its calls together.
	remoteListTimeout = 3 * time.Second
	maxRemoteAnswer   = 64 << 10
	// Bounds of running calls. A hanging listener must not accumulate the requests of a whole evening, and a seller
	// with many lists must not take the connections of others.
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

// remoteListener is what calls are counted by, so that one seller's trouble with a listener affects no other seller.
type remoteListener struct {
	seller ids.Seller
	url    string
}

// NewRemoteLists uses the client, headers and clock of a sender, with its own limits.
func NewRemoteLists(by *Sender, log *slog.Logger) *RemoteLists {
	sender := *by
	sender.Timeout, sender.MaxBody = remoteListTimeout, maxRemoteAnswer
	return &RemoteLists{
		sender: sender, log: log, listeners: map[remoteListener]int{}, sellers: map[ids.Seller]int{},
	}
}

// Ask makes one signed POST to a list's listener. Status 200 names the holder; 404 means that the code is unknown.
// Everything else is an error, including a body that exceeds 64 KiB or breaks off.
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
	// A call is interrupted without a fault when another list responded first.
	if err != nil && result.Failure != webhook.FailureInterrupted {
		r.logTrouble(ctx, list, result, err)
	}
	return holder, known, err
}

// holder returns what a call's result says about the code.
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

// enter counts a call. It returns false if too many are running.
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

// leave ends a call, and removes counters that reach zero.
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

// logTrouble logs the reason for what a device only sees as 503. The code and the listener's query string are left
// out because they may be secret.
func (r *RemoteLists) logTrouble(ctx context.Context, list access.List, result Result, why error) {
	r.log.WarnContext(ctx, "remote access list unavailable",
		slog.String("list", list.ID), slog.String("seller", string(list.SellerID)),
		slog.Int("status", result.Status), slog.String("failure", string(result.Failure)),
		slog.String("detail", why.Error()), slog.Duration("duration", result.Duration))
}
