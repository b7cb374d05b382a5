package tenant_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/argon2"

	"ticketgate/domain"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/moment"
	"ticketgate/domain/secrets"
	"ticketgate/domain/tenant"
)

func TestLogin(t *testing.T) {
	w := newFixture(t)
	seller := w.seller(w.organization("Org").ID, "Seller")
	w.member("Élise@example.com", domain.Developer, tenant.Place{SellerID: seller.ID})

	result := must(w.sessions.Login(w.from("192.0.2.1"), tenant.LoginInput{Email: " éLISE@EXAMPLE.COM ", Password: goodPassword}))
	if kind, ok := secrets.KindOf(result.Token); !ok || kind != secrets.Session {
		t.Errorf("the token is %q", result.Token)
	}
	if result.Cookie != "" || result.User.Email != "Élise@example.com" {
		t.Errorf("got %+v", result)
	}
	if s := result.Session; s.ExpiresAt.Sub(s.CreatedAt.Time) != 12*time.Hour || s.Address != "192.0.2.1" || s.UserAgent != "test browser" {
		t.Errorf("got session %+v", s)
	}
	actor := must(w.authenticate(result.Token, ""))
	if actor.SellerID != seller.ID || actor.OrgID != seller.OrganizationID || !actor.Features.Webhooks ||
		actor.RoleAt(seller.ID, "") != domain.Developer {
		t.Errorf("got actor %+v", actor)
	}
	if w.audited(domain.Login) != 1 {
		t.Error("the login is not in the audit log")
	}
	if w.Count("SELECT count(*) FROM sessions WHERE position($1 IN encode(digest, 'hex')) > 0", result.Token[5:20]) != 0 {
		t.Error("the token is stored")
	}

	byCookie := must(w.sessions.Login(w.from(""), tenant.LoginInput{Email: "élise@example.com", Password: goodPassword, Cookie: true}))
	if byCookie.Token != "" || byCookie.Cookie == "" || byCookie.Cookie == result.Token {
		t.Errorf("with Cookie: token %q, cookie %q", byCookie.Token, byCookie.Cookie)
	}
	w.isAlive("first session after another login", result.Token)

	again := must(w.sessions.Login(w.as(result.Token), tenant.LoginInput{Email: "élise@example.com", Password: goodPassword}))
	w.isDead("session of the login call", result.Token)
	w.isAlive("new session", again.Token)
}

func TestLoginRevealsNothing(t *testing.T) {
	w := newFixture(t)
	w.member("ada@example.com", domain.Admin, tenant.Place{OrganizationID: w.organization("Org").ID})
	for name, input := range map[string]tenant.LoginInput{
		"a wrong password":                         {Email: "ada@example.com", Password: goodPassword + " "},
		"an unknown address":                       {Email: "eve@example.com", Password: goodPassword},
		"an invalid address":                       {Email: "not an address", Password: goodPassword},
		"an unknown address with a blank password": {Email: "nobody@example.com", Password: " "},
		"a password in a different case":           {Email: "ada@example.com", Password: strings.ToUpper(goodPassword)},
	} {
		_, err := w.sessions.Login(w.from("192.0.2.1"), input)
		domaintest.HasCode(t, name, err, domain.CodeUnauthenticated)
		if err.Error() != "The email address or password is incorrect" {
			t.Errorf("%s: got %q", name, err)
		}
	}
	_, err := w.sessions.Login(w.from("192.0.2.1"), tenant.LoginInput{})
	if domaintest.Paths(err) != "email password" {
		t.Errorf("with empty fields: got %v", err)
	}
	_, err = w.sessions.Login(w.from("192.0.2.1"), tenant.LoginInput{Email: "a\x00@b", Password: "\xff"})
	if domaintest.Paths(err) != "email password" {
		t.Errorf("with invalid characters: got %v", err)
	}
}

func TestFailedLoginsLockTheAccount(t *testing.T) {
	w := newFixture(t)
	w.member("ada@example.com", domain.Admin, tenant.Place{OrganizationID: w.organization("Org").ID})
	for _, email := range []string{"ada@example.com", "nobody@example.com"} {
		for i := range 5 {
			_, err := w.sessions.Login(w.from("192.0.2."+string(rune('1'+i))), tenant.LoginInput{Email: email, Password: "wrong"})
			domaintest.HasCode(t, email, err, domain.CodeUnauthenticated)
		}
		_, err := w.sessions.Login(w.from("198.51.100.1"), tenant.LoginInput{Email: strings.ToUpper(email), Password: goodPassword})
		domaintest.HasCode(t, email+" after five failures", err, domain.CodeRateLimited)
		if wait := domain.AsError(err).RetryAfter.Round(time.Millisecond); wait != time.Minute {
			t.Errorf("%s: wait %v, want a minute", email, wait)
		}
	}
	w.clock.pass(time.Minute)
	_, err := w.sessions.Login(w.from("192.0.2.1"), tenant.LoginInput{Email: "ada@example.com", Password: "wrong"})
	domaintest.HasCode(t, "one more failure", err, domain.CodeUnauthenticated)
	_, err = w.sessions.Login(w.from("192.0.2.1"), tenant.LoginInput{Email: "ada@example.com", Password: goodPassword})
	if wait := domain.AsError(err).RetryAfter.Round(time.Millisecond); wait != 2*time.Minute {
		t.Errorf("after the sixth failure: wait %v, want two minutes", wait)
	}
	w.clock.pass(2 * time.Minute)
	w.login("ada@example.com")
	for i, want := range []domain.Code{domain.CodeUnauthenticated, domain.CodeRateLimited, domain.CodeRateLimited, domain.CodeRateLimited} {
		_, err := w.sessions.Login(w.from("192.0.2.1"), tenant.LoginInput{Email: "ada@example.com", Password: "wrong"})
		domaintest.HasCode(t, fmt.Sprintf("failure %d after a success", i+1), err, want) // the seventh failure of the address locks it again
	}
	w.login("ada@example.com") // the success reset the count of its network
}

func TestFailedLoginsLockTheAddress(t *testing.T) {
	w := newFixture(t)
	w.member("ada@example.com", domain.Admin, tenant.Place{OrganizationID: w.organization("Org").ID})
	for i := range 20 {
		_, err := w.sessions.Login(w.from("2001:db8::"+string(rune('a'+i%6))), tenant.LoginInput{
			Email: string(rune('a'+i)) + "@example.com", Password: "wrong",
		})
		domaintest.HasCode(t, "a failure", err, domain.CodeUnauthenticated)
	}
	_, err := w.sessions.Login(w.from("2001:db8::1234"), tenant.LoginInput{Email: "ada@example.com", Password: goodPassword})
	domaintest.HasCode(t, "the network after the limit of failures", err, domain.CodeRateLimited)
	w.login("ada@example.com") // from another network
}

// Of twenty concurrent guesses on two processes, exactly five are checked.
func TestParallelGuessesAreCounted(t *testing.T) {
	w := newFixture(t)
	w.member("ada@example.com", domain.Admin, tenant.Place{OrganizationID: w.organization("Org").ID})
	first := w.sessions
	w.wire(w.Process())
	second := w.sessions

	codes := make([]domain.Code, 20)
	var group sync.WaitGroup
	for i := range codes {
		group.Go(func() {
			process := []tenant.Sessions{first, second}[i%2]
			_, err := process.Login(w.from("192.0.2.1"), tenant.LoginInput{Email: "ada@example.com", Password: "wrong"})
			codes[i] = domain.AsError(err).Code
		})
	}
	group.Wait()
	slices.Sort(codes)
	want := slices.Concat(
		slices.Repeat([]domain.Code{domain.CodeRateLimited}, 15), slices.Repeat([]domain.Code{domain.CodeUnauthenticated}, 5))
	if !slices.Equal(codes, want) {
		t.Errorf("got %v", codes)
	}
}

func TestParallelLoginsWithTheRightPasswordAllSucceed(t *testing.T) {
	w := newFixture(t)
	w.member("ada@example.com", domain.Admin, tenant.Place{OrganizationID: w.organization("Org").ID})
	errs := make([]error, 12)
	var group sync.WaitGroup
	for i := range errs {
		group.Go(func() {
			_, errs[i] = w.sessions.Login(w.from("192.0.2.1"), tenant.LoginInput{Email: "ada@example.com", Password: goodPassword})
		})
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			t.Error(err)
		}
	}
	if count := w.Count("SELECT count(*) FROM sessions"); count != 5 {
		t.Errorf("%d sessions are left, want 5", count)
	}
}

func TestSessionsEnd(t *testing.T) {
	w := newFixture(t)
	org := w.organization("Org")
	w.member("ada@example.com", domain.Admin, tenant.Place{OrganizationID: org.ID})
	w.member("bob@example.com", domain.Admin, tenant.Place{OrganizationID: org.ID})
	bob := w.login("bob@example.com")

	t.Run("at logout, but not other sessions", func(t *testing.T) {
		item, two := w.login("ada@example.com"), w.login("ada@example.com")
		if err := w.sessions.Logout(w.as(item)); err != nil {
			t.Fatal(err)
		}
		w.isDead("after logout", item)
		w.isAlive("the other session", two)
	})
	t.Run("at logout everywhere", func(t *testing.T) {
		item, two := w.login("ada@example.com"), w.login("ada@example.com")
		if ended := must(w.sessions.LogoutEverywhere(w.as(item))); ended != 3 {
			t.Errorf("ended %d sessions, want 3", ended)
		}
		w.isDead("the own session", item)
		w.isDead("the other session", two)
	})
	t.Run("the oldest when a sixth starts", func(t *testing.T) {
		tokens := make([]string, 0, 6)
		for range 6 {
			w.clock.pass(time.Second)
			tokens = append(tokens, w.login("ada@example.com"))
		}
		w.isDead("the oldest session", tokens[0])
		for _, token := range tokens[1:] {
			w.isAlive("a later session", token)
		}
	})
	w.isAlive("another user's session", bob)
	t.Run("after thirty idle minutes", func(t *testing.T) {
		w.clock.pass(30*time.Minute - 7*time.Second)
		w.isAlive("before", bob)
		w.clock.pass(7 * time.Second)
		w.isDead("after", bob)
		if list := must(w.sessions.List(w.as(w.login("bob@example.com")))); len(list) != 1 || !list[0].Current {
			t.Errorf("listed %+v", list)
		}
	})
}

func TestSweepRemovesOnlyEndedSessions(t *testing.T) {
	w := newFixture(t)
	w.member("ada@example.com", domain.Admin, tenant.Place{OrganizationID: w.organization("Org").ID})
	w.login("ada@example.com")
	_, _ = w.sessions.Login(w.from("192.0.2.1"), tenant.LoginInput{Email: "eve@example.com", Password: "wrong"})
	w.clock.pass(25 * time.Minute)
	young := w.login("ada@example.com")
	w.clock.pass(5 * time.Minute)
	if err := w.sessions.Sweep(w.T.Context()); err != nil {
		t.Fatal(err)
	}
	if count := w.Count("SELECT count(*) FROM sessions"); count != 1 {
		t.Errorf("%d sessions are left, want 1", count)
	}
	w.isAlive("the recent session", young)
	if count := w.Count("SELECT count(*) FROM login_failures WHERE failures > 0"); count != 2 {
		t.Errorf("%d failure counts are left, want those of the account and the network", count)
	}
	w.clock.pass(25 * time.Hour)
	if err := w.sessions.Sweep(w.T.Context()); err != nil {
		t.Fatal(err)
	}
	if count := w.Count("SELECT count(*) FROM login_failures"); count != 0 {
		t.Errorf("%d failure counts are left after a day", count)
	}
}

// A cluster that follows its home cluster leaves sessions to it.
func TestFollowerClusterSweepsNoSessions(t *testing.T) {
	w := newFixture(t)
	w.member("ada@example.com", domain.Admin, tenant.Place{OrganizationID: w.organization("Org").ID})
	token := w.login("ada@example.com")
	_, err := w.Owner(t).ExecContext(t.Context(), "CREATE TRIGGER accounts_are_at_home BEFORE INSERT OR DELETE ON sessions "+
		"FOR EACH ROW EXECUTE FUNCTION refuse_account_change()") // as join-cluster does
	if err != nil {
		t.Fatal(err)
	}
	if err := w.sessions.Logout(w.as(token)); !domain.HasCode(err, domain.CodeInvalidState) {
		t.Errorf("logout: %v", err)
	}
	w.clock.pass(25 * time.Hour)
	if err := w.sessions.Sweep(t.Context()); err != nil {
		t.Errorf("sweep: %v", err)
	}
	if count := w.Count("SELECT count(*) FROM sessions"); count != 1 {
		t.Errorf("%d sessions are left, want 1", count)
	}
}

func TestChangePassword(t *testing.T) {
	w := newFixture(t)
	w.member("ada@example.com", domain.Admin, tenant.Place{OrganizationID: w.organization("Org").ID})
	item, two := w.login("ada@example.com"), w.login("ada@example.com")
	change := func(ctx context.Context, current, next string) (tenant.LoginResult, error) {
		return w.sessions.ChangePassword(ctx, tenant.PasswordChange{CurrentPassword: current, NewPassword: next})
	}
	for name, row := range map[string][3]string{
		"wrong current password": {"wrong", "another good password", "currentPassword"},
		"short new password":     {goodPassword, "short", "newPassword"},
		"unchanged password":     {goodPassword, goodPassword, "newPassword"},
		"empty fields":           {"", "", "currentPassword newPassword"},
	} {
		if _, err := change(w.as(item), row[0], row[1]); domaintest.Paths(err) != row[2] {
			t.Errorf("%s: got %v, want %s", name, err, row[2])
		}
	}
	_, err := change(w.from(""), goodPassword, "another good password")
	domaintest.HasCode(t, "without a session", err, domain.CodeUnauthenticated)

	result := must(change(w.as(item), goodPassword, "another good password"))
	w.isDead("session of the call", item)
	w.isDead("another session", two)
	w.isAlive("new session", result.Token)
	_, err = w.sessions.Login(w.from(""), tenant.LoginInput{Email: "ada@example.com", Password: goodPassword})
	domaintest.HasCode(t, "the old password", err, domain.CodeUnauthenticated)
	must(w.sessions.Login(w.from(""), tenant.LoginInput{Email: "ada@example.com", Password: "another good password"}))
}

func TestUsedSessionStaysAlive(t *testing.T) {
	w := newFixture(t)
	w.member("ada@example.com", domain.Admin, tenant.Place{OrganizationID: w.organization("Org").ID})
	token := w.login("ada@example.com")
	for range 3 {
		w.clock.pass(20 * time.Minute)
		credentials := w.Store.Credentials()
		credentials.Start(t.Context())
		w.isAlive("a session used twenty minutes ago", token)
		credentials.Stop(t.Context()) // writes pending updates
	}
	list := must(w.sessions.List(w.as(token)))
	if len(list) != 1 || list[0].LastUsedAt != moment.New(w.clock.Now()) {
		t.Errorf("listed %+v", list)
	}
}

func TestLoginRenewsAHashOfAnotherCost(t *testing.T) {
	w := newFixture(t)
	w.member("ada@example.com", domain.Admin, tenant.Place{OrganizationID: w.organization("Org").ID})
	salt := []byte("0123456789abcdef")
	other := "$argon2id$v=19$m=32,t=2,p=1$" + base64.RawStdEncoding.EncodeToString(salt) + "$" +
		base64.RawStdEncoding.EncodeToString(argon2.IDKey([]byte(goodPassword), salt, 2, 32, 1, 32))
	w.Count("WITH changed AS (UPDATE users SET password_hash = $1 RETURNING 1) SELECT count(*) FROM changed", other)
	_, err := w.sessions.Login(w.from("192.0.2.1"), tenant.LoginInput{Email: "ada@example.com", Password: "wrong"})
	domaintest.HasCode(t, "a wrong password", err, domain.CodeUnauthenticated)
	if w.Count("SELECT count(*) FROM users WHERE password_hash = $1", other) != 1 {
		t.Error("a wrong password renewed the hash")
	}
	w.login("ada@example.com")
	if w.Count("SELECT count(*) FROM users WHERE password_hash LIKE '$argon2id$v=19$m=64,t=1,p=1$%'") != 1 {
		t.Error("the hash was not renewed")
	}
	w.login("ada@example.com")
}

// Behind an untrusted proxy all callers share its address. Only the account that is guessed at is locked.
func TestFailedLoginsBehindAnUnknownProxyLockOnlyTheirAccount(t *testing.T) {
	w := newFixture(t)
	w.member("ada@example.com", domain.Admin, tenant.Place{OrganizationID: w.organization("Org").ID})
	shared := domain.WithCall(t.Context(), domain.Call{Address: "127.0.0.1", SharedAddress: true})
	for i := range w.sessions.Address.Limit + 1 {
		_, err := w.sessions.Login(shared, tenant.LoginInput{Email: fmt.Sprintf("guess%d@example.com", i), Password: "wrong"})
		domaintest.HasCode(t, "a failure", err, domain.CodeUnauthenticated)
	}
	if _, err := w.sessions.Login(shared, tenant.LoginInput{Email: "ada@example.com", Password: goodPassword}); err != nil {
		t.Errorf("the right password after %d failures of others: %v", w.sessions.Address.Limit+1, err)
	}
}
