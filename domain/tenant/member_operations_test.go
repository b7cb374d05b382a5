package tenant_test

import (
	"sync"
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/tenant"
)

func TestMemberPermissions(t *testing.T) {
	w := newFixture(t)
	org, foreign := w.organization("Org"), w.organization("Foreign")
	seller, sibling := w.seller(org.ID, "Seller"), w.seller(org.ID, "Sibling")
	other := w.seller(foreign.ID, "Other")
	w.member("admin@example.com", domain.Admin, tenant.Place{SellerID: seller.ID})
	w.member("developer@example.com", domain.Developer, tenant.Place{SellerID: seller.ID})
	w.member("owner@example.com", domain.Admin, tenant.Place{OrganizationID: org.ID})
	w.member("clerk@example.com", domain.Developer, tenant.Place{OrganizationID: org.ID})

	for _, row := range []struct {
		who   string
		place tenant.Place
		code  domain.Code
	}{
		{"admin", tenant.Place{}, ""},
		{"admin", tenant.Place{SellerID: seller.ID}, ""},
		{"admin", tenant.Place{SellerID: sibling.ID}, domain.CodeValidationFailed},
		{"admin", tenant.Place{SellerID: "unknown"}, domain.CodeValidationFailed},
		{"admin", tenant.Place{OrganizationID: org.ID}, domain.CodeNotFound},
		{"developer", tenant.Place{}, domain.CodeForbidden},
		{"owner", tenant.Place{SellerID: sibling.ID}, ""},
		{"owner", tenant.Place{SellerID: other.ID}, domain.CodeValidationFailed},
		{"owner", tenant.Place{OrganizationID: org.ID}, ""},
		{"owner", tenant.Place{OrganizationID: foreign.ID}, domain.CodeNotFound},
		{"owner", tenant.Place{OrganizationID: "unknown"}, domain.CodeNotFound},
		{"owner", tenant.Place{OrganizationID: org.ID, SellerID: seller.ID}, domain.CodeValidationFailed},
		{"clerk", tenant.Place{OrganizationID: org.ID}, domain.CodeForbidden},
		{"clerk", tenant.Place{SellerID: seller.ID}, domain.CodeForbidden},
	} {
		_, err := w.members.List(w.as(w.login(row.who+"@example.com")), row.place, domain.Page{Limit: 10})
		if domain.AsError(err).Code != row.code && (err != nil || row.code != "") {
			t.Errorf("%s at %+v: got %v, want %q", row.who, row.place, err, row.code)
		}
	}
	_, err := w.members.List(w.system(), tenant.Place{OrganizationID: "unknown"}, domain.Page{Limit: 10})
	domaintest.HasCode(t, "the platform at an unknown organization", err, domain.CodeNotFound)
	key := &domain.Actor{Kind: domain.APIKeyActor, SellerID: seller.ID, FullSellerAccess: true}
	_, err = w.members.List(domain.WithActor(w.T.Context(), key), tenant.Place{}, domain.Page{Limit: 10})
	domaintest.HasCode(t, "a key with full access", err, domain.CodeForbidden)
}

func TestMembersAreListedByPage(t *testing.T) {
	w := newFixture(t)
	org := w.organization("Org")
	seller := w.seller(org.ID, "Seller")
	for _, name := range []string{"a", "b", "c"} {
		w.member(name+"@example.com", domain.Viewer, tenant.Place{SellerID: seller.ID})
	}
	w.member("owner@example.com", domain.Admin, tenant.Place{OrganizationID: org.ID})

	first := must(w.members.List(w.system(), tenant.Place{SellerID: seller.ID}, domain.Page{Limit: 2}))
	if len(first.Items) != 2 || !first.HasMore || must(first.Total(w.T.Context())) != 3 {
		t.Fatalf("got %+v", first)
	}
	rest := must(w.members.List(w.system(), tenant.Place{SellerID: seller.ID},
		domain.Page{Limit: 2, After: &domain.Cursor{ID: first.Items[1].ID}}))
	if len(rest.Items) != 1 || rest.HasMore || rest.Items[0].User.Email != "c@example.com" {
		t.Errorf("got %+v", rest)
	}
	of := must(w.members.List(w.system(), tenant.Place{OrganizationID: org.ID}, domain.Page{Limit: 2}))
	if len(of.Items) != 1 || of.Items[0].OrganizationID != org.ID || of.Items[0].SellerID != "" {
		t.Errorf("got %+v", of)
	}
}

// See ACCOUNT-3.
func TestRoleChangeAndRemovalKeepSessionsOfOtherPlaces(t *testing.T) {
	w := newFixture(t)
	seller, other := w.seller(w.organization("Org").ID, "Seller"), w.seller(w.organization("Foreign").ID, "Other")
	at := tenant.Place{SellerID: seller.ID}
	w.member("admin@example.com", domain.Admin, at)
	w.member("bob@example.com", domain.Admin, tenant.Place{SellerID: other.ID})
	bob := w.member("bob@example.com", domain.Developer, at)
	admin, token := w.as(w.login("admin@example.com")), w.login("bob@example.com")

	same := must(w.members.Update(admin, tenant.MemberChange{MemberID: bob.ID, Role: domain.Developer}))
	if same != bob || w.audited(domain.UpdateMember) != 0 {
		t.Errorf("a change without effect returned %+v and wrote %d audit entries", same, w.audited(domain.UpdateMember))
	}
	changed := must(w.members.Update(admin, tenant.MemberChange{MemberID: bob.ID, Role: domain.Viewer}))
	if changed.Role != domain.Viewer || w.audited(domain.UpdateMember) != 1 {
		t.Errorf("got %+v", changed)
	}
	w.isAlive("a changed role", token)
	if actor := must(w.authenticate(token, "")); actor.RoleAt(seller.ID, "") != domain.Viewer || actor.RoleAt(other.ID, "") != domain.Admin {
		t.Errorf("the next call has %+v", actor.Memberships)
	}
	if removed := must(w.members.Remove(admin, tenant.MemberRemoval{MemberID: bob.ID})); removed != changed {
		t.Errorf("got %+v", removed)
	}
	w.isAlive("a removal", token)
	if actor := must(w.authenticate(token, "")); actor.RoleAt(seller.ID, "") != domain.NoRole || actor.RoleAt(other.ID, "") != domain.Admin {
		t.Errorf("the next call has %+v", actor.Memberships)
	}
	_, err := w.members.Remove(admin, tenant.MemberRemoval{MemberID: bob.ID})
	domaintest.HasCode(t, "a second removal", err, domain.CodeNotFound)
}

func TestLastMembershipEndsTheSessions(t *testing.T) {
	w := newFixture(t)
	at := tenant.Place{SellerID: w.seller(w.organization("Org").ID, "Seller").ID}
	w.member("admin@example.com", domain.Admin, at)
	admin := w.as(w.login("admin@example.com"))
	bob, eve := w.member("bob@example.com", domain.Viewer, at), w.member("eve@example.com", domain.Viewer, at)
	bobs, eves := w.login("bob@example.com"), w.login("eve@example.com")

	must(w.members.Remove(admin, tenant.MemberRemoval{MemberID: bob.ID}))
	w.isDead("a removal", bobs)
	_, err := w.members.Leave(admin, tenant.Departure{MembershipID: eve.ID})
	domaintest.HasCode(t, "leaving another user's membership", err, domain.CodeNotFound)
	left := must(w.members.Leave(w.as(eves), tenant.Departure{MembershipID: eve.ID}))
	if left != eve || w.audited(domain.LeaveMembership) != 1 {
		t.Errorf("got %+v", left)
	}
	w.isDead("leaving", eves)
	me := must(w.users.Me(admin))
	_, err = w.members.Leave(admin, tenant.Departure{MembershipID: me.Memberships[0].ID})
	domaintest.HasCode(t, "the last ADMIN", err, domain.CodeInvalidState)
	if actor := must(w.authenticate(w.login("bob@example.com"), "")); actor.SellerID != "" {
		t.Errorf("a user without memberships acts on %q", actor.SellerID)
	}
}

func TestMemberOfAnotherPlaceIsNotFound(t *testing.T) {
	w := newFixture(t)
	org := w.organization("Org")
	seller, sibling := w.seller(org.ID, "Seller"), w.seller(org.ID, "Sibling")
	w.member("admin@example.com", domain.Admin, tenant.Place{SellerID: seller.ID})
	there := w.member("bob@example.com", domain.Viewer, tenant.Place{SellerID: sibling.ID})
	above := w.member("owner@example.com", domain.Admin, tenant.Place{OrganizationID: org.ID})
	admin := w.as(w.login("admin@example.com"))
	for _, id := range []string{there.ID, above.ID, "", "unknown", "\x00"} {
		_, err := w.members.Update(admin, tenant.MemberChange{MemberID: id, Role: domain.Admin})
		if id != "\x00" {
			domaintest.HasCode(t, "update of "+id, err, domain.CodeNotFound)
		}
		_, err = w.members.Remove(admin, tenant.MemberRemoval{MemberID: id})
		if err == nil {
			t.Errorf("removed %q", id)
		}
	}
}

func TestLastAdminStays(t *testing.T) {
	w := newFixture(t)
	org := w.organization("Org")
	seller := w.seller(org.ID, "Seller")
	ada := w.member("ada@example.com", domain.Admin, tenant.Place{SellerID: seller.ID})
	viewer := w.member("viewer@example.com", domain.Viewer, tenant.Place{SellerID: seller.ID})
	demotion := tenant.MemberChange{Place: ada.Place, MemberID: ada.ID, Role: domain.Developer}

	_, err := w.members.Update(w.system(), demotion)
	domaintest.HasCode(t, "demotion of the seller's last ADMIN", err, domain.CodeInvalidState)
	_, err = w.members.Remove(w.as(w.login("ada@example.com")), tenant.MemberRemoval{MemberID: ada.ID})
	domaintest.HasCode(t, "removal of oneself", err, domain.CodeInvalidState)
	must(w.members.Remove(w.system(), tenant.MemberRemoval{Place: viewer.Place, MemberID: viewer.ID}))

	owner := w.member("owner@example.com", domain.Admin, tenant.Place{OrganizationID: org.ID})
	must(w.members.Update(w.system(), demotion)) // the organization now has an ADMIN
	_, err = w.members.Remove(w.system(), tenant.MemberRemoval{Place: owner.Place, MemberID: owner.ID})
	domaintest.HasCode(t, "removal of the organization's last ADMIN", err, domain.CodeInvalidState)
	w.isAlive("after refused removals", w.login("owner@example.com"))
}

func TestTwoAdminsCannotRemoveEachOther(t *testing.T) {
	w := newFixture(t)
	for range 5 {
		org := w.organization("Org")
		at := tenant.Place{OrganizationID: org.ID}
		pair := []tenant.Member{w.member("ada@example.com", domain.Admin, at), w.member("bob@example.com", domain.Admin, at)}
		var group sync.WaitGroup
		for _, member := range pair {
			group.Go(func() {
				_, _ = w.members.Remove(w.system(), tenant.MemberRemoval{Place: at, MemberID: member.ID})
			})
		}
		group.Wait()
		if left := w.Count("SELECT count(*) FROM memberships WHERE organization_id = $1", string(org.ID)); left != 1 {
			t.Fatalf("%d ADMINs are left, want 1", left)
		}
	}
}
