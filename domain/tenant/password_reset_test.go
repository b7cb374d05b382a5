package tenant_test

import (
	"strings"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/tenant"
)

// See ACCOUNT-5.
func TestAnOrganizationResetsOnlyItsOwnAccounts(t *testing.T) {
	w := newFixture(t)
	org, foreign := w.organization("Org"), w.organization("Foreign")
	seller := tenant.Place{SellerID: w.seller(org.ID, "Seller").ID}
	w.member("owner@example.com", domain.Admin, tenant.Place{OrganizationID: org.ID})
	w.member("admin@example.com", domain.Admin, seller)
	settled := w.member("settled@example.com", domain.Viewer, seller)
	owner := w.as(w.login("owner@example.com"))
	bob := w.accept(w.code(owner, tenant.NewMember{Place: seller, Email: "bob@example.com", Role: domain.Viewer}), goodPassword)
	request := tenant.ResetRequest{OrganizationID: org.ID, MemberID: bob.Member.ID}

	_, err := w.invitations.IssueReset(w.as(w.login("admin@example.com")), request)
	domaintest.HasCode(t, "an ADMIN of a seller", err, domain.CodeForbidden)
	_, err = w.invitations.IssueReset(owner, tenant.ResetRequest{OrganizationID: foreign.ID, MemberID: bob.Member.ID})
	domaintest.HasCode(t, "at another organization", err, domain.CodeNotFound)
	_, err = w.invitations.IssueReset(owner, tenant.ResetRequest{OrganizationID: org.ID, MemberID: settled.ID})
	domaintest.HasCode(t, "an account not created by an invitation", err, domain.CodeInvalidState)

	first, second := must(w.invitations.IssueReset(owner, request)), must(w.invitations.IssueReset(owner, request))
	if !strings.HasPrefix(second.Link, "https://tickets.example/reset-password#rst_") || second.User.ID != bob.User.ID {
		t.Errorf("got %+v", second)
	}
	w.isAlive("an issued link", bob.Token)
	reset := func(issued tenant.IssuedReset, password string) error {
		return w.invitations.ResetPassword(w.from(""), tenant.PasswordReset{Code: codeOf(issued.Link), NewPassword: password})
	}
	domaintest.HasCode(t, "an earlier link", reset(first, "another good password"), domain.CodeNotFound)
	if err := reset(second, "short"); domaintest.Paths(err) != "newPassword" {
		t.Errorf("got %v", err)
	}
	if err := reset(second, "another good password"); err != nil {
		t.Fatal(err)
	}
	w.isDead("a reset", bob.Token)
	domaintest.HasCode(t, "a used link", reset(second, "another good password"), domain.CodeNotFound)
	token := must(w.sessions.Login(w.from(""), tenant.LoginInput{Email: "bob@example.com", Password: "another good password"})).Token

	outgrown := must(w.invitations.IssueReset(owner, request))
	at := tenant.Place{OrganizationID: foreign.ID}
	must(w.invitations.Accept(w.as(token), tenant.Acceptance{
		Code: w.code(w.system(), tenant.NewMember{Place: at, Email: "bob@example.com", Role: domain.Admin}), Password: goodPassword,
	}))
	domaintest.HasCode(t, "a link issued before the account joined elsewhere", reset(outgrown, "another good password"), domain.CodeNotFound)
	_, err = w.invitations.IssueReset(owner, request)
	domaintest.HasCode(t, "an account with other memberships", err, domain.CodeInvalidState)
	w.login("bob@example.com")

	expired := must(w.invitations.IssueResetOf(w.system(), "BOB@example.com", ""))
	w.clock.pass(24 * time.Hour)
	domaintest.HasCode(t, "an expired link", reset(expired, "another good password"), domain.CodeNotFound)
	_, err = w.invitations.IssueResetOf(owner, "bob@example.com", "")
	domaintest.HasCode(t, "the operator's command by a user", err, domain.CodeForbidden)
}

func TestOperatorSelectsOneOfSeveralAccounts(t *testing.T) {
	w, _, b, adminA, _ := twoSellers(t)
	bob := w.member("bob@example.com", domain.Viewer, b)
	other := w.accept(w.code(w.as(adminA), tenant.NewMember{Email: "bob@example.com", Role: domain.Viewer}), "of the other account")
	_, err := w.invitations.IssueResetOf(w.system(), "bob@example.com", "")
	domaintest.HasCode(t, "without an id", err, domain.CodeInvalidState)
	if !strings.Contains(err.Error(), bob.User.ID) || !strings.Contains(err.Error(), other.User.ID) {
		t.Errorf("got %v", err)
	}
	_, err = w.invitations.IssueResetOf(w.system(), "bob@example.com", "unknown")
	domaintest.HasCode(t, "an unknown id", err, domain.CodeNotFound)
	issued := must(w.invitations.IssueResetOf(w.system(), "bob@example.com", bob.User.ID))
	if err := w.invitations.ResetPassword(w.from(""), tenant.PasswordReset{Code: codeOf(issued.Link), NewPassword: "now another one"}); err != nil {
		t.Fatal(err)
	}
	w.isAlive("the other account", other.Token)
	must(w.users.SetPassword(w.system(), tenant.NewPassword{Email: "bob@example.com", UserID: bob.User.ID, Password: goodPassword}))
	w.login("bob@example.com")
}
