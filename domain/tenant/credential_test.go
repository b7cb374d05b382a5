package tenant_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/tenant"
)

func TestSessionCredentialExpiresExactly(t *testing.T) {
	t.Parallel()
	login := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	const idle, absolute = 30 * time.Minute, 12 * time.Hour
	credential := tenant.SessionCredential{ExpiresAt: login.Add(absolute)}
	for name, row := range map[string]struct {
		now, used time.Duration
		want      bool
	}{
		"at once":                                {0, 0, true},
		"a nanosecond before the idle limit":     {idle - 1, 0, true},
		"at the idle limit":                      {idle, 0, false},
		"in use just before the absolute limit":  {absolute - 1, absolute - 2, true},
		"in use at the absolute limit":           {absolute, absolute - 1, false},
		"long after":                             {48 * time.Hour, 0, false},
		"used by a process whose clock is ahead": {0, time.Second, true},
	} {
		if got := credential.Alive(login.Add(row.now), login.Add(row.used), idle); got != row.want {
			t.Errorf("%s: got %v, want %v", name, got, row.want)
		}
	}
}

func TestSessionCredentialSelectsSeller(t *testing.T) {
	t.Parallel()
	features := domain.Features{Webhooks: true}
	lookUp := func(_ context.Context, id ids.Seller) (ids.Org, domain.Features, error) {
		switch id {
		case "a1", "a2":
			return "a", features, nil
		case "b1":
			return "b", domain.Features{}, nil
		case "broken":
			return "", domain.Features{}, domain.Unavailable(errors.New("no database"))
		}
		return "", domain.Features{}, domain.NotFound("Seller")
	}
	ofSeller := []domain.Membership{{SellerID: "a1", Role: domain.Viewer}}
	ofOrganization := []domain.Membership{{OrgID: "a", Role: domain.Admin}}
	for name, row := range map[string]struct {
		memberships   []domain.Membership
		byDefault     ids.Seller
		named, acting ids.Seller
		code          domain.Code
	}{
		"default seller":                   {ofSeller, "a1", "", "a1", ""},
		"named seller":                     {ofSeller, "a1", "a1", "a1", ""},
		"any seller of the organization":   {ofOrganization, "a1", "a2", "a2", ""},
		"no seller without memberships":    {nil, "", "", "", ""},
		"sibling of the seller":            {ofSeller, "a1", "a2", "", domain.CodeNotFound},
		"seller of another organization":   {ofOrganization, "a1", "b1", "", domain.CodeNotFound},
		"unknown seller":                   {ofOrganization, "a1", "nobody", "", domain.CodeNotFound},
		"named seller without memberships": {nil, "", "a1", "", domain.CodeNotFound},
		"database unavailable":             {ofOrganization, "a1", "broken", "", domain.CodeUnavailable},
	} {
		credential := tenant.SessionCredential{
			UserID: "u", SessionID: "s", Memberships: row.memberships, DefaultSeller: row.byDefault,
		}
		actor, err := credential.Actor(t.Context(), row.named, lookUp)
		switch {
		case row.code != "":
			if !domain.HasCode(err, row.code) {
				t.Errorf("%s: got %v, want %s", name, err, row.code)
			}
		case err != nil:
			t.Errorf("%s: %v", name, err)
		case actor.SellerID != row.acting || actor.Kind != domain.UserActor || actor.ID != "u" || actor.SessionID != "s":
			t.Errorf("%s: got %+v", name, actor)
		case row.acting != "" && (actor.OrgID != "a" || actor.Features != features):
			t.Errorf("%s: got %+v", name, actor)
		}
	}
}
