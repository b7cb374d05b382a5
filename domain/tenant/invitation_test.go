package tenant_test

import (
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/secrets"
	"ticketgate/domain/tenant"
)

// twoSellers returns sellers of two organizations, each with its own ADMIN.
func twoSellers(t *testing.T) (w *fixture, a, b tenant.Place, adminA, adminB string) {
	t.Helper()
	w = newFixture(t)
	a = tenant.Place{SellerID: w.seller(w.organization("Org A").ID, "Seller A").ID}
	b = tenant.Place{SellerID: w.seller(w.organization("Org B").ID, "Seller B").ID}
	w.member("admin-a@example.com", domain.Admin, a)
	w.member("admin-b@example.com", domain.Admin, b)
	adminA, adminB = w.login("admin-a@example.com"), w.login("admin-b@example.com")
	return w, a, b, adminA, adminB
}

// See ACCOUNT-1.
func TestInvitationsOfKnownAndUnknownAddressesLookTheSame(t *testing.T) {
	w, a, b, adminA, _ := twoSellers(t)
	w.member("bob@example.com", domain.Admin, b)
	var codes []string
	for _, email := range []string{"bob@example.com", "nobody@example.com"} {
		added := must(w.invitations.Invite(w.as(adminA), tenant.NewMember{
			Email: email, Role: domain.Viewer, Name: "has no effect", Password: "short",
		}))
		i := added.Invitation
		if i.Email != email || i.Role != domain.Viewer || i.Place != a || i.ExpiresAt.Sub(i.CreatedAt.Time) != 7*24*time.Hour {
			t.Errorf("%s: got %+v", email, i)
		}
		codes = append(codes, codeOf(i.Link))
	}
	for i, code := range codes { // also if the inviter uses the links
		offer := must(w.invitations.Get(w.from("192.0.2.7"), code))
		if offer.PlaceName != "Seller A" || offer.Role != domain.Viewer {
			t.Errorf("got %+v", offer)
		}
		_, err := w.invitations.Accept(w.from("192.0.2.7"), tenant.Acceptance{Code: code})
		domaintest.HasCode(t, "without a password", err, domain.CodeUnauthenticated)
		accepted := w.accept(code, "what the inviter chose")
		if accepted.Token == "" || accepted.Member.Role != domain.Viewer || accepted.User.Name != accepted.User.Email {
			t.Errorf("%d: got %+v", i, accepted)
		}
		if me := must(w.users.Me(w.as(accepted.Token))); len(me.Memberships) != 1 || me.Memberships[0].Seller.ID != a.SellerID {
			t.Errorf("%d: got memberships %+v", i, me.Memberships)
		}
	}
	list := must(w.members.List(w.as(adminA), tenant.Place{}, domain.Page{Limit: 10}))
	if len(list.Items) != 3 {
		t.Errorf("got %+v", list.Items)
	}
	if n := w.Count("SELECT count(*) FROM account_links WHERE position($1 IN encode(digest, 'escape')) > 0", codes[0][4:20]); n != 0 {
		t.Error("a code is stored")
	}
}

// See ACCOUNT-2.
func TestAPasswordChosenByAnInviterSignsInNowhereElse(t *testing.T) {
	w, _, b, adminA, adminB := twoSellers(t)
	const inviters, persons = "the password of the inviter", "the password of the person"
	squatted := w.accept(w.code(w.as(adminA), tenant.NewMember{Email: "bob@example.com", Role: domain.Viewer}), inviters)

	code := w.code(w.as(adminB), tenant.NewMember{Email: "bob@example.com", Role: domain.Admin})
	_, err := w.invitations.Accept(w.as(squatted.Token), tenant.Acceptance{})
	domaintest.HasCode(t, "without B's code", err, domain.CodeNotFound)
	person := w.accept(code, persons)
	if person.User.ID == squatted.User.ID || person.Member.Place != b {
		t.Errorf("got %+v", person.Member)
	}
	roleAtB := func(password string) domain.Role {
		session := must(w.sessions.Login(w.from("192.0.2.9"), tenant.LoginInput{Email: "BOB@example.com", Password: password}))
		return must(w.authenticate(session.Token, "")).RoleAt(b.SellerID, "")
	}
	if roleAtB(inviters) != domain.NoRole || roleAtB(persons) != domain.Admin {
		t.Errorf("at B the inviter has role %v, the person %v", roleAtB(inviters), roleAtB(persons))
	}
	if actor := must(w.authenticate(squatted.Token, "")); len(actor.Memberships) != 1 {
		t.Errorf("the inviter's session has %+v", actor.Memberships)
	}
}

// See ACCOUNT-4.
func TestAccountOfShownLinkNeedsNewPassword(t *testing.T) {
	w, _, b, adminA, adminB := twoSellers(t)
	const shared, own = "given on by the inviter", "chosen by the person alone"
	inviters := w.accept(w.code(w.as(adminA), tenant.NewMember{Email: "bob@example.com", Role: domain.Viewer}), shared)
	session := must(w.sessions.Login(w.from("192.0.2.9"), tenant.LoginInput{Email: "bob@example.com", Password: shared})).Token

	code := w.code(w.as(adminB), tenant.NewMember{Email: "bob@example.com", Role: domain.Admin})
	for password, want := range map[string]string{"": "password", shared: "password", "short": "password"} {
		if _, err := w.invitations.Accept(w.as(session), tenant.Acceptance{Code: code, Password: password}); domaintest.Paths(err) != want {
			t.Errorf("%q: got %v", password, err)
		}
	}
	joined := must(w.invitations.Accept(w.as(session), tenant.Acceptance{Code: code, Password: own}))
	if joined.User.ID != inviters.User.ID || joined.Member.Place != b || joined.Token == "" {
		t.Errorf("got %+v", joined)
	}
	w.isDead("the inviter's session", inviters.Token)
	w.isDead("the old session", session)
	if actor := must(w.authenticate(joined.Token, "")); len(actor.Memberships) != 2 {
		t.Errorf("got %+v", actor.Memberships)
	}
	_, err := w.sessions.Login(w.from(""), tenant.LoginInput{Email: "bob@example.com", Password: shared})
	domaintest.HasCode(t, "the shared password", err, domain.CodeUnauthenticated)

	third := tenant.Place{SellerID: w.seller(w.organization("Org C").ID, "Seller C").ID}
	invite := tenant.NewMember{Place: third, Email: "bob@example.com", Role: domain.Viewer}
	_, err = w.invitations.Accept(w.as(joined.Token), tenant.Acceptance{Code: w.code(w.system(), invite), Password: shared})
	if domaintest.Paths(err) != "password" {
		t.Errorf("an unnecessary password: %v", err)
	}
	again := must(w.invitations.Accept(w.as(joined.Token), tenant.Acceptance{Code: w.code(w.system(), invite)}))
	if again.Opened || again.Member.Place != third {
		t.Errorf("got %+v", again)
	}
	w.isAlive("a session that joined", joined.Token)
}

func TestInvitationCodeWorksOnceForSevenDays(t *testing.T) {
	w, a, _, adminA, _ := twoSellers(t)
	input := tenant.NewMember{Email: "bob@example.com", Role: domain.Viewer}
	gone := func(what, code string) {
		t.Helper()
		_, err := w.invitations.Get(w.from(""), code)
		domaintest.HasCode(t, what, err, domain.CodeNotFound)
		_, err = w.invitations.Accept(w.from(""), tenant.Acceptance{Code: code, Password: goodPassword})
		domaintest.HasCode(t, what, err, domain.CodeNotFound)
	}
	first := w.code(w.as(adminA), input)
	second := w.code(w.as(adminA), input)
	gone("replaced", first)
	list := must(w.invitations.List(w.as(adminA), tenant.Place{}, domain.Page{Limit: 10}))
	if len(list.Items) != 1 {
		t.Fatalf("pending: %+v", list.Items)
	}
	ref := tenant.InvitationRef{InvitationID: list.Items[0].ID}
	w.clock.pass(time.Minute)
	resent := must(w.invitations.Resend(w.as(adminA), ref))
	gone("replaced by resending", second)
	if resent.ID != ref.InvitationID || !resent.ExpiresAt.After(list.Items[0].ExpiresAt.Time) {
		t.Errorf("got %+v", resent)
	}
	must(w.invitations.Withdraw(w.as(adminA), ref))
	gone("withdrawn", codeOf(resent.Link))
	_, err := w.invitations.Withdraw(w.as(adminA), ref)
	domaintest.HasCode(t, "withdrawn twice", err, domain.CodeNotFound)

	used := w.code(w.as(adminA), input)
	w.accept(used, goodPassword)
	gone("used", used)
	if _, err := w.invitations.Invite(w.as(adminA), input); domaintest.Paths(err) != "email" {
		t.Errorf("a member is invited: %v", err)
	}
	late := w.code(w.system(), tenant.NewMember{Place: a, Email: "late@example.com", Role: domain.Viewer})
	w.clock.pass(7*24*time.Hour - time.Second)
	must(w.invitations.Get(w.from(""), late))
	w.clock.pass(time.Second)
	gone("expired", late)
	gone("an API key", secrets.New(secrets.APIKey))
	for action, want := range map[domain.Operation]int{
		domain.ResendInvitation: 1, domain.WithdrawInvitation: 1, domain.AcceptInvitation: 2, // the member and its session
	} {
		if got := w.audited(action); got != want {
			t.Errorf("%s: %d audit entries, want %d", action, got, want)
		}
	}
	for _, code := range []string{first, second, used, late} {
		if n := w.Count("SELECT count(*) FROM audit_entries WHERE before::text || after::text LIKE '%' || $1 || '%'", code[4:]); n != 0 {
			t.Error("the audit log holds a code")
		}
	}
}

func TestForeignInvitationsAreNotFound(t *testing.T) {
	w, _, b, adminA, adminB := twoSellers(t)
	issuedInvitation := must(w.invitations.Invite(w.as(adminB), tenant.NewMember{Email: "bob@example.com", Role: domain.Viewer})).Invitation
	for _, id := range []string{issuedInvitation.ID, "unknown"} {
		_, err := w.invitations.Resend(w.as(adminA), tenant.InvitationRef{InvitationID: id})
		domaintest.HasCode(t, "resending "+id, err, domain.CodeNotFound)
		_, err = w.invitations.Withdraw(w.as(adminA), tenant.InvitationRef{InvitationID: id})
		domaintest.HasCode(t, "withdrawing "+id, err, domain.CodeNotFound)
	}
	_, err := w.invitations.List(w.as(adminA), b, domain.Page{Limit: 10})
	domaintest.HasCode(t, "listing", err, domain.CodeValidationFailed)
	must(w.invitations.Get(w.from(""), codeOf(issuedInvitation.Link)))
	_, err = w.invitations.Settle(w.as(adminA), tenant.NewMember{Email: "c@example.com", Role: domain.Viewer})
	domaintest.HasCode(t, "settling", err, domain.CodeForbidden)
	_, err = w.invitations.Accept(w.as(adminA), tenant.Acceptance{Code: codeOf(issuedInvitation.Link)})
	domaintest.HasCode(t, "accepting with a session of another address", err, domain.CodeUnauthenticated)
	w.isAlive("session of the other address", adminA)
}

// See ACCOUNT-6.
func TestInvitationsAreBounded(t *testing.T) {
	w, a, _, adminA, adminB := twoSellers(t)
	w.invitations.Limits = tenant.InvitationLimits{Pending: 2, Place: 3, Organization: 4}
	invite := func(email string) error {
		_, err := w.invitations.Invite(w.as(adminA), tenant.NewMember{Email: email, Role: domain.Viewer})
		return err
	}
	for _, email := range []string{"1@example.com", "2@example.com"} {
		if err := invite(email); err != nil {
			t.Fatal(err)
		}
	}
	domaintest.HasCode(t, "a third pending invitation", invite("3@example.com"), domain.CodeInvalidState)
	if err := invite("2@example.com"); err != nil {
		t.Errorf("an invitation that replaces another: %v", err)
	}
	err := invite("2@example.com")
	domaintest.HasCode(t, "a fourth link within the hour", err, domain.CodeRateLimited)
	if wait := domain.AsError(err).RetryAfter; wait <= 0 || wait > time.Hour {
		t.Errorf("wait %v", wait)
	}
	must(w.invitations.Invite(w.as(adminB), tenant.NewMember{Email: "2@example.com", Role: domain.Viewer})) // has its own limit
	w.code(w.system(), tenant.NewMember{Place: a, Email: "2@example.com", Role: domain.Viewer})
	w.clock.pass(time.Hour)
	adminA = w.login("admin-a@example.com")
	if err := invite("2@example.com"); err != nil {
		t.Errorf("an hour later: %v", err)
	}
}

// The invitations of an organization create at most a hundred accounts of an address, regardless of other organizations
// (ACCOUNT-9).
func TestInvitationsCreateAtMostAHundredAccountsOfAnAddress(t *testing.T) {
	w, _, _, adminA, adminB := twoSellers(t)
	bob := tenant.NewMember{Email: "bob@example.com", Role: domain.Viewer}
	first := w.accept(w.code(w.as(adminB), bob), "chosen at seller B")
	must(w.members.Leave(w.as(first.Token), tenant.Departure{MembershipID: first.Member.ID}))
	if made := w.Count(`WITH made AS (INSERT INTO users (id, email, email_folded, name, password_hash, created_at, updated_at, invited_by_organization)
		SELECT lpad(n::text, 24, '0'), email, email_folded, name, 'of ' || n, created_at, updated_at, invited_by_organization
		FROM users, generate_series(1, 99) n WHERE id = $1 RETURNING 1) SELECT count(*) FROM made`, first.User.ID); made != 99 {
		t.Fatalf("%d accounts were created", made)
	}
	code := w.code(w.as(adminB), bob)
	_, err := w.invitations.Accept(w.from("192.0.2.9"), tenant.Acceptance{Code: code, Password: "the next one of them"})
	domaintest.HasCode(t, "the 101st account", err, domain.CodeInvalidState)
	w.accept(w.code(w.as(adminA), bob), "chosen at seller A")
	must(w.invitations.Get(w.from("192.0.2.9"), code)) // the code is still valid
}
