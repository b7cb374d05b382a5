package program

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
)

func TestCallsAreBoundedByCredentialAndBySeller(t *testing.T) {
	t.Parallel()
	rate := func(n int) *int { return &n }
	limit := newCallRate(nil, &Config{Limits: Limits{CallRate: rate(2), SellerCallRate: rate(3)}})
	now := time.Date(2026, 11, 27, 20, 0, 0, 0, time.UTC)
	header := http.Header{}
	take := func(kind domain.ActorKind, id, seller string) bool {
		t.Helper()
		err := limit.take(header, &domain.Actor{Kind: kind, ID: id, SellerID: ids.Seller(seller)}, now)
		var refused *domain.Error
		if errors.As(err, &refused) && (refused.Code != domain.CodeRateLimited || refused.RetryAfter <= 0) {
			t.Errorf("got %v", err)
		}
		return err == nil
	}
	for i := range 4 { // the burst: two seconds of calls
		if !take(domain.APIKeyActor, "a", "s") {
			t.Errorf("call %d of a key was refused", i)
		}
	}
	if take(domain.APIKeyActor, "a", "s") {
		t.Error("the fifth call of a key was admitted")
	}
	if header.Get("RateLimit-Limit") != "4" || header.Get("RateLimit-Remaining") != "0" || header.Get("RateLimit-Reset") != "2" {
		t.Errorf("got %v", header)
	}
	for i, admitted := range []bool{true, true, false} { // four of the seller's six tokens are used
		if take(domain.APIKeyActor, "b", "s") != admitted {
			t.Errorf("call %d of another key of the seller: want admitted %v", i, admitted)
		}
	}
	for what, admitted := range map[string]bool{
		"a device of the seller": take(domain.DeviceActor, "d", "s"), "a session": take(domain.UserActor, "u", "s"),
		"another seller's key": take(domain.APIKeyActor, "c", "other"), "the platform": take(domain.SystemActor, "system", "s"),
	} {
		if !admitted {
			t.Errorf("%s was refused", what)
		}
	}
	at := func(seller string) *domain.Actor {
		return &domain.Actor{Kind: domain.APIKeyActor, ID: "key of " + seller, SellerID: ids.Seller(seller), OrgID: "o"}
	}
	for i := range 12 { // twice a seller's six, by three sellers with four each
		if err := limit.take(header, at(string(rune('a'+i%3))+" of o"), now); err != nil {
			t.Errorf("call %d of an organization was refused: %v", i, err)
		}
	}
	if err := limit.take(header, at("d of o"), now); !domain.HasCode(err, domain.CodeRateLimited) {
		t.Errorf("the thirteenth call of an organization: %v", err)
	}
	if now = now.Add(500 * time.Millisecond); !take(domain.APIKeyActor, "a", "s") {
		t.Error("a call was refused half a second later")
	}
}

func TestProdHasLowerRatesThanDev(t *testing.T) {
	t.Parallel()
	none := 0
	for name, row := range map[string]struct {
		config Config
		want   int
	}{
		"dev": {Config{}, devCallRate}, "prod": {Config{Prod: true}, prodCallRate},
		"none": {Config{Prod: true, Limits: Limits{CallRate: &none}}, 0},
	} {
		if got := row.config.rateOf(row.config.CallRate, prodCallRate); got != row.want {
			t.Errorf("%s: got %d, want %d", name, got, row.want)
		}
	}
}
