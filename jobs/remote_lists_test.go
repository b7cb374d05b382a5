package jobs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"ticketgate/domain/access"
	"ticketgate/domain/ids"
	"ticketgate/domain/listenerurl"
)

func remoteList(seller ids.Seller, url string) access.List {
	return access.List{ID: "l", SellerID: seller, Type: access.Remote, HTTP: &access.Listener{URL: url}}
}

// newRemoteLists returns remote lists that log to the buffer.
func newRemoteLists(t *testing.T, policy listenerurl.Policy) (*RemoteLists, *bytes.Buffer) {
	t.Helper()
	outbound := NewOutbound(policy, nil, nil, nil)
	t.Cleanup(outbound.CloseIdleConnections)
	log := new(bytes.Buffer)
	return NewRemoteLists(&Sender{Outbound: outbound, Version: "1"}, slog.New(slog.NewTextHandler(log, nil))), log
}

func TestRemoteListsBoundTheCallsToAListener(t *testing.T) {
	lists, _ := newRemoteLists(t, loopback)
	arrived, release := make(chan struct{}), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		arrived <- struct{}{}
		<-release
		fmt.Fprint(w, `{"customerId":"anna"}`)
	}))
	t.Cleanup(server.Close)
	busy := remoteList("s1", server.URL+"/busy")
	var calls sync.WaitGroup
	for range maxCallsPerListener {
		calls.Go(func() {
			if holder, known, err := lists.Ask(t.Context(), busy, []byte(`{}`)); err != nil || !known || holder.CustomerID != "anna" {
				t.Errorf("a call within the bound: %+v, %v", holder, err)
			}
		})
	}
	for range maxCallsPerListener {
		<-arrived
	}
	// It is refused immediately, since the calls that it could wait for end only later in this test.
	if _, _, err := lists.Ask(t.Context(), busy, []byte(`{}`)); !errors.Is(err, errTooManyCalls) {
		t.Errorf("a call over the bound: %v", err)
	}
	// Another listener of the seller and another seller's use of the same listener are not affected.
	for _, list := range []access.List{remoteList("s1", server.URL+"/other"), remoteList("s2", server.URL+"/busy")} {
		calls.Go(func() {
			if _, _, err := lists.Ask(t.Context(), list, []byte(`{}`)); err != nil {
				t.Errorf("%s of %s: %v", list.HTTP.URL, list.SellerID, err)
			}
		})
		<-arrived
	}
	close(release)
	calls.Wait()
	if len(lists.listeners) != 0 || len(lists.sellers) != 0 {
		t.Errorf("still counted: %v %v", lists.listeners, lists.sellers)
	}
}

func TestRemoteListsBoundTheCallsOfASeller(t *testing.T) {
	lists, _ := newRemoteLists(t, loopback)
	for i := range maxCallsPerSeller {
		if !lists.enter(remoteListener{"s1", fmt.Sprint(i)}) {
			t.Fatalf("call %d was refused", i+1)
		}
	}
	if lists.enter(remoteListener{"s1", "one more"}) {
		t.Error("one more was let in")
	}
	if !lists.enter(remoteListener{"s2", "one more"}) {
		t.Error("another seller was refused")
	}
	lists.leave(remoteListener{"s1", "0"})
	if !lists.enter(remoteListener{"s1", "one more"}) {
		t.Error("a call that ended is still counted")
	}
}

func TestRemoteListsAreGuardedLikeWebhooks(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("an internal address was called") }))
	t.Cleanup(server.Close)
	lists, _ := newRemoteLists(t, listenerurl.Policy{})
	if _, known, err := lists.Ask(t.Context(), remoteList("s1", server.URL), []byte(`{}`)); err == nil || known {
		t.Errorf("got known %v, %v", known, err)
	}
}

func TestRemoteListsLogFailuresWithoutSecrets(t *testing.T) {
	lists, log := newRemoteLists(t, loopback)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }))
	t.Cleanup(server.Close)
	list := remoteList("s1", server.URL+"/?token=canary")
	list.HTTP.HMACKey = "canary"
	if _, _, err := lists.Ask(t.Context(), list, []byte(`{"externalCode":"canary"}`)); err == nil {
		t.Error("502 must not be a result")
	}
	if line := log.String(); !strings.Contains(line, "list=l") || !strings.Contains(line, "status=502") || strings.Contains(line, "canary") {
		t.Errorf("logged %s", line)
	}

	log.Reset()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := lists.Ask(ended, list, []byte(`{}`)); err == nil || log.Len() > 0 {
		t.Errorf("an abandoned call: %v, logged %q", err, log.String())
	}
}
