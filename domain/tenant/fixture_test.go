package tenant_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"ticketgate/db"
	"ticketgate/db/dbtest"
	"ticketgate/domain"
	"ticketgate/domain/apikey"
	"ticketgate/domain/ids"
	"ticketgate/domain/share"
	"ticketgate/domain/tenant"
)

// With the production limits, tests would need hundreds of logins.
var (
	fewSessions = tenant.SessionLimits{
		Idle: tenant.DefaultSessionLimits.Idle, Absolute: tenant.DefaultSessionLimits.Absolute, Parallel: 5,
	}
	fewFailures = tenant.Throttle{Limit: 20, First: time.Minute, Longest: 15 * time.Minute, Forgive: time.Minute}
)

// goodPassword is the password of every user in these tests.
const goodPassword = "a good long password"

// fixture is an empty installation with all operations of this package and a clock that the test sets.
type fixture struct {
	*dbtest.Installation

	clock *clock

	organizations tenant.Organizations
	sellers       tenant.Sellers
	users         tenant.Users
	members       tenant.Members
	invitations   tenant.Invitations
	sessions      tenant.Sessions
}

type clock struct {
	mutex sync.Mutex
	now   time.Time
}

func (c *clock) Now() time.Time {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.now = c.now.Add(d)
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	w := &fixture{clock: &clock{now: time.Date(2026, 11, 27, 12, 0, 0, 123_456_789, time.UTC)}}
	w.Installation = dbtest.Empty(t, w.clock.Now)
	w.wire(w.Store)
	return w
}

func (w *fixture) wire(store *db.Store) {
	tenants, passwords := store.Tenants(), tenant.NewPasswords(share.Bounds{Total: 2, PerSeller: 2, Wait: time.Minute})
	w.organizations = tenant.Organizations{Store: tenants, Now: w.clock.Now}
	w.sellers = tenant.Sellers{Store: tenants, Now: w.clock.Now}
	w.users = tenant.Users{Store: tenants, Passwords: passwords, Now: w.clock.Now, Mode: "dev", RetentionDays: 30}
	w.members = tenant.Members{Store: tenants}
	w.sessions = tenant.Sessions{
		Store: tenants, Passwords: passwords, Account: tenant.AccountThrottle, Address: fewFailures,
		Limits: fewSessions, Now: w.clock.Now, Places: tenant.NewPlaceKeys([]byte("a secret key")),
	}
	w.invitations = tenant.Invitations{
		Store: tenants, Passwords: passwords, Sessions: w.sessions, Links: tenant.Links{PublicURL: "https://tickets.example"},
		Limits: tenant.DefaultInvitationLimits, Now: w.clock.Now,
	}
}

func (w *fixture) system() context.Context {
	return domain.WithActor(w.T.Context(), &domain.Actor{Kind: domain.SystemActor})
}

func (w *fixture) organization(name string) tenant.Organization {
	w.T.Helper()
	return must(w.organizations.Create(w.system(), tenant.NewOrganization{Name: name}))
}

func (w *fixture) seller(of ids.Org, name string) tenant.Seller {
	w.T.Helper()
	return must(w.sellers.Create(w.system(), tenant.NewSeller{OrganizationID: of, Name: name, Country: "FR", Webhooks: true}))
}

// member creates an account with goodPassword and a membership, or lets the address's existing account accept an
// invitation.
func (w *fixture) member(email string, role domain.Role, at tenant.Place) tenant.Member {
	w.T.Helper()
	input := tenant.NewMember{Place: at, Email: email, Role: role, Password: goodPassword}
	settled, err := w.invitations.Settle(w.system(), input)
	if !tenant.AddressInUse(err) {
		return must(settled, err).Member
	}
	token := w.login(email)
	ctx := domain.WithActor(w.from("192.0.2.1"), must(w.authenticate(token, "")))
	return must(w.invitations.Accept(ctx, tenant.Acceptance{Code: w.code(w.system(), input)})).Member
}

// code invites and returns the code of the link.
func (w *fixture) code(ctx context.Context, input tenant.NewMember) string {
	w.T.Helper()
	return codeOf(must(w.invitations.Invite(ctx, input)).Invitation.Link)
}

func codeOf(link string) string {
	_, code, _ := strings.Cut(link, "#")
	return code
}

// accept creates a new account with the code.
func (w *fixture) accept(code, password string) tenant.Accepted {
	w.T.Helper()
	return must(w.invitations.Accept(w.from("192.0.2.7"), tenant.Acceptance{Code: code, Password: password}))
}

func (w *fixture) login(email string) string {
	w.T.Helper()
	return must(w.sessions.Login(w.from("192.0.2.1"), tenant.LoginInput{Email: email, Password: goodPassword})).Token
}

// from returns the context of a call without a credential.
func (w *fixture) from(address string) context.Context {
	return domain.WithCall(w.T.Context(), domain.Call{RequestID: "r1", Address: address, UserAgent: "test\x00 browser"})
}

// authenticate authenticates a token as the API layer does.
func (w *fixture) authenticate(token, seller string) (*domain.Actor, error) {
	authenticator := apikey.Authenticator{
		Store: w.Store.Credentials(), SessionIdle: tenant.DefaultSessionLimits.Idle, Now: w.clock.Now,
	}
	return authenticator.Authenticate(w.T.Context(), apikey.Credentials{
		Bearer: []string{"Bearer " + token}, SellerHeader: seller,
	})
}

// as returns the context of a call with a session's token.
func (w *fixture) as(token string) context.Context {
	w.T.Helper()
	return domain.WithActor(w.from("192.0.2.1"), must(w.authenticate(token, "")))
}

func (w *fixture) isDead(what, token string) {
	w.T.Helper()
	if _, err := w.authenticate(token, ""); !domain.HasCode(err, domain.CodeUnauthenticated) {
		w.T.Errorf("%s: the session still authenticates (%v)", what, err)
	}
}

func (w *fixture) isAlive(what, token string) {
	w.T.Helper()
	if _, err := w.authenticate(token, ""); err != nil {
		w.T.Errorf("%s: %v", what, err)
	}
}

// audited returns the number of audit entries of an action.
func (w *fixture) audited(action domain.Operation) int {
	w.T.Helper()
	return w.Count("SELECT count(*) FROM audit_entries WHERE action = $1", string(action))
}

// must returns value, and panics on an error.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
