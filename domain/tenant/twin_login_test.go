package tenant_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/share"
	"ticketgate/domain/tenant"
)

// twinPassword is the password of an account that an inviter created with its own link.
const twinPassword = "the password of the inviter"

// twin accepts an invitation by an ADMIN of A to the address, from 203.0.113.66 and without a session.
func (w *fixture) twin(adminA, email string) tenant.Accepted {
	w.T.Helper()
	code := w.code(w.as(adminA), tenant.NewMember{Email: email, Role: domain.Viewer})
	return must(w.invitations.Accept(w.from("203.0.113.66"), tenant.Acceptance{Code: code, Password: twinPassword}))
}

// An inviter who knows the password of one account of the address gets the same responses from every place, whether or
// not the address has another account (ACCOUNT-7).
func TestALoginRevealsNothingAboutOtherAccounts(t *testing.T) {
	w, _, b, adminA, _ := twoSellers(t)
	w.sessions.Address = tenant.AddressThrottle
	w.member("both@example.com", domain.Admin, b)
	must(w.sessions.Login(w.from("192.0.2.200"), tenant.LoginInput{Email: "both@example.com", Password: goodPassword}))
	emails := []string{"both@example.com", "twin@example.com"}
	browsers := map[string]string{}
	for i, email := range emails {
		w.twin(adminA, email)
		from := w.from(fmt.Sprintf("10.%d.0.99", i))
		browsers[email] = must(w.sessions.Login(from, tenant.LoginInput{Email: email, Password: twinPassword, Cookie: true})).PlaceToken
	}
	// answer returns the response to a login. Each of the two addresses is tried from its own networks.
	answer := func(place, i int, password string) string {
		call := domain.Call{Address: fmt.Sprintf("10.%d.0.%d", i, place)}
		if place == 0 { // the browser where the inviter signed in before
			call.PlaceTokens = []string{browsers[emails[i]]}
		}
		ctx := domain.WithCall(t.Context(), call)
		_, err := w.sessions.Login(ctx, tenant.LoginInput{Email: emails[i], Password: password})
		return fmt.Sprint(err, " ", domain.AsError(err).RetryAfter.Round(time.Millisecond))
	}
	var step int
	both := func(place int, password string) string {
		t.Helper()
		step++
		item, other := answer(place, 0, password), answer(place, 1, password)
		if item != other {
			t.Errorf("step %d, place %d, %q: with another account %q, without %q", step, place, password, item, other)
		}
		return item
	}
	lock := func(place int) (last string) {
		for range 6 {
			last = both(place, "wrong")
		}
		return last
	}
	if got := lock(1); got != "Too many failed logins. Try again later 1m0s" {
		t.Errorf("got %q", got)
	}
	w.clock.pass(12 * time.Second)
	both(2, twinPassword)
	lock(2)
	w.clock.pass(time.Hour)
	for range 3 {
		both(3, "wrong")
		both(3, "wrong")
		both(3, twinPassword)
	}
	lock(0)
	random := rand.New(rand.NewPCG(1, 2)) // the same steps in every run
	for range 40 {
		password := "wrong"
		if random.IntN(4) == 0 {
			password = twinPassword
		}
		both(random.IntN(5), password)
		w.clock.pass(time.Duration(random.IntN(240)) * time.Second)
	}
}

// The right password of a locked account gets the same response with and without another account of the address, and
// logins to that other account don't count as its failures (ACCOUNT-7).
func TestALockedAccountIsReportedDespiteAnotherAccount(t *testing.T) {
	w, _, b, adminA, _ := twoSellers(t)
	bob := w.member("bob@example.com", domain.Admin, b)
	w.member("ada@example.com", domain.Admin, b)
	w.twin(adminA, "bob@example.com")
	login := func(address, email, password string) (tenant.LoginResult, error) {
		return w.sessions.Login(w.from(address), tenant.LoginInput{Email: email, Password: password})
	}
	for range 8 { // as many as would lock the account
		if own := must(login("203.0.113.80", "bob@example.com", twinPassword)); own.User.ID == bob.User.ID {
			t.Error("the other account's password opened this one")
		}
	}
	if own := must(login("192.0.2.20", "bob@example.com", goodPassword)); own.User.ID != bob.User.ID {
		t.Errorf("opened %+v", own.User)
	}
	for range 3 { // successes at one account allow no more guesses at the other
		for range 4 {
			_, _ = login("203.0.113.80", "bob@example.com", "wrong")
		}
		must(login("203.0.113.80", "bob@example.com", twinPassword))
	}
	for range 5 {
		_, _ = login("203.0.113.80", "ada@example.com", "wrong")
	}
	_, without := login("198.51.100.1", "ada@example.com", goodPassword)
	domaintest.HasCode(t, "without another account", without, domain.CodeRateLimited)
	for place, address := range map[string]string{"a new network": "198.51.100.1", "the other account's network": "203.0.113.80"} {
		_, with := login(address, "bob@example.com", goodPassword)
		domaintest.HasCode(t, "with another account, from "+place, with, domain.CodeRateLimited)
		if with.Error() != without.Error() || domain.AsError(with).RetryAfter < time.Minute {
			t.Errorf("from %s: got %q after %v, want %q", place, with, domain.AsError(with).RetryAfter, without)
		}
	}
	if own := must(login("192.0.2.20", "bob@example.com", goodPassword)); own.User.ID != bob.User.ID {
		t.Errorf("the known network opened %+v", own.User)
	}
}

// The owner of one account can't guess at another by changing its own password repeatedly (ACCOUNT-8).
func TestNewPasswordIsNoGuessAtTwinAccount(t *testing.T) {
	w, a, b, adminA, _ := twoSellers(t)
	bob := w.member("bob@example.com", domain.Admin, b)
	session, current := w.twin(adminA, "bob@example.com").Token, twinPassword
	guess := func(password string) domain.Role {
		t.Helper()
		changed := must(w.sessions.ChangePassword(w.as(session), tenant.PasswordChange{CurrentPassword: current, NewPassword: password}))
		w.clock.pass(time.Second)
		opened := must(w.sessions.Login(w.from("203.0.113.66"), tenant.LoginInput{Email: "bob@example.com", Password: password}))
		session, current = changed.Token, password
		actor := must(w.authenticate(opened.Token, ""))
		if actor.RoleAt(a.SellerID, "") != domain.Viewer {
			t.Errorf("%q did not open the inviter's account", password)
		}
		return actor.RoleAt(b.SellerID, "")
	}
	for i := range 5 {
		guess(fmt.Sprintf("the inviter's guess %d", i))
	}
	if role := guess(goodPassword); role != domain.NoRole {
		t.Errorf("a sixth guess opened the other account as %v", role)
	}
	w.clock.pass(15 * time.Minute) // a caller with both passwords is the same person
	opened := must(w.sessions.Login(w.from("192.0.2.1"), tenant.LoginInput{Email: "bob@example.com", Password: goodPassword}))
	if role := must(w.authenticate(opened.Token, "")).RoleAt(b.SellerID, ""); opened.User.ID != bob.User.ID || role != domain.Admin {
		t.Errorf("later %s has role %v", opened.User.ID, role)
	}
}

// A new password set by a link opens the account at that place, whatever is tried elsewhere. Only an operator's link
// resets the failures of the address, which may have other accounts.
func TestANewPasswordSignsInDespiteFailuresElsewhere(t *testing.T) {
	w := newFixture(t)
	org := w.organization("Org")
	w.member("owner@example.com", domain.Admin, tenant.Place{OrganizationID: org.ID})
	owner := w.as(w.login("owner@example.com"))
	at := tenant.Place{OrganizationID: org.ID}
	ada := w.accept(w.code(owner, tenant.NewMember{Place: at, Email: "ada@example.com", Role: domain.Viewer}), goodPassword)
	try := func(address, password string) error {
		_, err := w.sessions.Login(w.from(address), tenant.LoginInput{Email: "ada@example.com", Password: password})
		return err
	}
	reset := func(link, password string) {
		t.Helper()
		input := tenant.PasswordReset{Code: codeOf(link), NewPassword: password}
		if err := w.invitations.ResetPassword(w.from("192.0.2.30"), input); err != nil {
			t.Fatal(err)
		}
	}
	w.lockAdaOut()
	request := tenant.ResetRequest{OrganizationID: org.ID, MemberID: ada.Member.ID}
	reset(must(w.invitations.IssueReset(owner, request)).Link, "another good password")
	domaintest.HasCode(t, "elsewhere", try("192.0.2.31", "another good password"), domain.CodeRateLimited)
	if err := try("192.0.2.30", "another good password"); err != nil {
		t.Error(err)
	}
	for range 6 {
		_ = try("192.0.2.30", "wrong")
	}
	domaintest.HasCode(t, "there, after failures", try("192.0.2.30", "another good password"), domain.CodeRateLimited)
	reset(must(w.invitations.IssueReset(owner, request)).Link, "the third good password")
	if err := try("192.0.2.30", "the third good password"); err != nil {
		t.Error(err)
	}
	reset(must(w.invitations.IssueResetOf(w.system(), "ada@example.com", "")).Link, goodPassword)
	if err := try("192.0.2.31", goodPassword); err != nil {
		t.Errorf("elsewhere, after an operator's link: %v", err)
	}
}

// Callers at known places sign in while strangers occupy all of their hash slots (LIMIT-20).
func TestKnownPlacesSignInDuringAFlood(t *testing.T) {
	w := newFixture(t)
	w.sessions.Passwords = tenant.NewPasswords(share.Bounds{Total: 2, PerSeller: 1, Wait: 200 * time.Millisecond})
	w.member("ada@example.com", domain.Admin, tenant.Place{OrganizationID: w.organization("Org").ID})
	input := tenant.LoginInput{Email: "ada@example.com", Password: goodPassword, Cookie: true}
	token := must(w.sessions.Login(w.from("192.0.2.1"), input)).PlaceToken
	stranger := func(i int) error {
		_, err := w.sessions.Login(w.from(fmt.Sprintf("203.0.113.%d", i)), tenant.LoginInput{Email: fmt.Sprintf("x%d@example.com", i), Password: "wrong"})
		return err
	}
	w.clock.pass(time.Second)
	domaintest.HasCode(t, "a stranger", stranger(0), domain.CodeUnauthenticated)

	release := must(w.sessions.Passwords.Hold(w.from("203.0.113.1"))) // the only slot for strangers
	domaintest.HasCode(t, "a stranger without a slot", stranger(2), domain.CodeUnavailable)
	elsewhere := domain.Call{Address: "198.51.100.1", PlaceTokens: []string{token}}
	for name, ctx := range map[string]context.Context{
		"a known network": w.from("192.0.2.1"), "a known browser": domain.WithCall(t.Context(), elsewhere),
	} {
		if _, err := w.sessions.Login(ctx, input); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := w.sessions.Login(w.from("198.51.100.2"), input)
	domaintest.HasCode(t, "a new place", err, domain.CodeUnavailable)
	release()
	must(w.sessions.Login(w.from("198.51.100.2"), input))
}
