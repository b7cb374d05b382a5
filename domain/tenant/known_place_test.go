package tenant_test

import (
	"strconv"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/tenant"
)

// lockAdaOut logs in with wrong passwords from elsewhere until Ada's account is locked there.
func (w *fixture) lockAdaOut() {
	w.T.Helper()
	for i := range 6 {
		_, err := w.sessions.Login(w.from("198.51.100."+strconv.Itoa(i+1)), tenant.LoginInput{Email: "ada@example.com", Password: "wrong"})
		if i == 5 {
			domaintest.HasCode(w.T, "a sixth failure", err, domain.CodeRateLimited)
		}
	}
}

// See ACCOUNT-7.
func TestRemoteGuessesDoNotLockOwner(t *testing.T) {
	w := newFixture(t)
	w.member("ada@example.com", domain.Admin, tenant.Place{OrganizationID: w.organization("Org").ID})
	w.member("eve@example.com", domain.Admin, tenant.Place{OrganizationID: w.organization("Other").ID})
	cookie := tenant.LoginInput{Email: "ada@example.com", Password: goodPassword, Cookie: true}
	first := must(w.sessions.Login(w.from("192.0.2.1"), cookie))
	eves := must(w.sessions.Login(w.from("192.0.2.50"), tenant.LoginInput{Email: "eve@example.com", Password: goodPassword, Cookie: true}))
	if first.PlaceToken == "" || first.PlaceToken == first.Cookie {
		t.Fatalf("got %+v", first)
	}
	login := func(address, password string, tokens ...string) error {
		ctx := domain.WithCall(t.Context(), domain.Call{Address: address, PlaceTokens: tokens})
		_, err := w.sessions.Login(ctx, tenant.LoginInput{Email: "ada@example.com", Password: password})
		return err
	}
	for range 3 { // however long the attacker tries
		w.lockAdaOut()
		if err := login("192.0.2.1", goodPassword); err != nil {
			t.Errorf("from a known network, without a cookie: %v", err)
		}
		if err := login("203.0.113.9", goodPassword, "nonsense", eves.PlaceToken, first.PlaceToken); err != nil {
			t.Errorf("in a known browser elsewhere: %v", err)
		}
		w.clock.pass(15 * time.Minute)
	}
	for i := range fewFailures.Limit { // strangers in the owner's own network
		_, _ = w.sessions.Login(w.from("192.0.2.1"), tenant.LoginInput{Email: strconv.Itoa(i) + "@example.com", Password: "wrong"})
	}
	domaintest.HasCode(t, "the network with others' failures", login("192.0.2.1", goodPassword), domain.CodeRateLimited)
	if err := login("192.0.2.1", goodPassword, first.PlaceToken); err != nil {
		t.Errorf("the known browser in that network: %v", err)
	}
	w.clock.pass(20 * time.Minute)
	w.lockAdaOut()
	domaintest.HasCode(t, "a new place", login("198.51.100.77", goodPassword), domain.CodeRateLimited)
	domaintest.HasCode(t, "another account's browser", login("198.51.100.78", goodPassword, eves.PlaceToken), domain.CodeRateLimited)
	domaintest.HasCode(t, "a forged token", login("198.51.100.79", goodPassword, first.PlaceToken[:71]+"AAAA"), domain.CodeRateLimited)

	for range 5 { // a known browser can't be used to guess either
		domaintest.HasCode(t, "a wrong password in the browser", login("203.0.113.10", "wrong", first.PlaceToken), domain.CodeUnauthenticated)
	}
	domaintest.HasCode(t, "the browser after five", login("203.0.113.10", goodPassword, first.PlaceToken), domain.CodeRateLimited)
	if err := login("192.0.2.1", goodPassword); err != nil {
		t.Errorf("the network, which is counted separately: %v", err)
	}
	w.clock.pass(tenant.PlaceTokenLifetime)
	w.lockAdaOut()
	domaintest.HasCode(t, "a year-old token", login("203.0.113.11", goodPassword, first.PlaceToken), domain.CodeRateLimited)
}

func TestRemoteGuessesDoNotLockPasswordChange(t *testing.T) {
	w := newFixture(t)
	w.member("ada@example.com", domain.Admin, tenant.Place{OrganizationID: w.organization("Org").ID})
	token := w.login("ada@example.com")
	w.lockAdaOut()
	must(w.sessions.ChangePassword(w.as(token), tenant.PasswordChange{CurrentPassword: goodPassword, NewPassword: "another good password"}))
}

func TestAccountsWithTheSamePasswordAreMerged(t *testing.T) {
	w, a, b, adminA, _ := twoSellers(t)
	bob := w.member("bob@example.com", domain.Admin, b)
	other := w.accept(w.code(w.as(adminA), tenant.NewMember{Email: "bob@example.com", Role: domain.Viewer}), goodPassword)
	session := must(w.sessions.Login(w.from("192.0.2.9"), tenant.LoginInput{Email: "bob@example.com", Password: goodPassword}))
	actor := must(w.authenticate(session.Token, ""))
	if session.User.ID != bob.User.ID || actor.RoleAt(a.SellerID, "") != domain.Viewer || actor.RoleAt(b.SellerID, "") != domain.Admin {
		t.Errorf("%s has the memberships %+v", session.User.ID, actor.Memberships)
	}
	w.isDead("the other's session", other.Token)
	if w.Count("SELECT count(*) FROM users WHERE email = 'bob@example.com'") != 1 || w.audited("mergeAccounts") != 1 {
		t.Error("the accounts were not merged")
	}
}
