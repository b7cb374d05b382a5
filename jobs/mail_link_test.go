package jobs_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/share"
	"ticketgate/domain/tenant"
	"ticketgate/jobs"
	"ticketgate/jobs/jobstest"
)

// mailbox stores the emails that it gets. Like a mail server may, it fails once, for the first one.
type mailbox struct {
	failing bool
	sent    chan tenant.Outgoing
}

func (m *mailbox) Send(_ context.Context, out tenant.Outgoing) error {
	if m.failing {
		m.failing = false
		return errors.New("421 try again")
	}
	m.sent <- out
	return nil
}

// withMail lets the workers send emails, and returns the operations on invitations.
func (p *platform) withMail(box *mailbox) tenant.Invitations {
	p.t.Helper()
	p.config.Mails, p.config.Mailer = p.store.AccountMails(), box
	var err error
	p.workers, err = jobs.NewWorkers(p.config)
	p.must(err)
	return tenant.Invitations{
		Store: p.store.Tenants(), Passwords: tenant.NewPasswords(share.Bounds{Total: 1, PerSeller: 1, Wait: time.Minute}), Links: tenant.Links{PublicURL: "https://tickets.example", Mailed: true},
		Limits: tenant.DefaultInvitationLimits, Now: time.Now,
	}
}

func (p *platform) operator() context.Context {
	return domain.WithActor(p.t.Context(), &domain.Actor{Kind: domain.SystemActor, SellerID: seller, OrgID: "o"})
}

func TestLinksAreMailed(t *testing.T) {
	p := newPlatform(t, "1h")
	box := &mailbox{failing: true, sent: make(chan tenant.Outgoing, 10)}
	invitations := p.withMail(box)
	invite := func(email string) tenant.IssuedInvitation {
		addedMember, err := invitations.Invite(p.operator(), tenant.NewMember{Email: email, Role: domain.Manager})
		p.must(err)
		if addedMember.Invitation.Link != "" {
			t.Errorf("an emailed link is shown: %s", addedMember.Invitation.Link)
		}
		return addedMember.Invitation
	}
	withdrawn := invite("withdrawn@example.com")
	_, err := invitations.Withdraw(p.operator(), tenant.InvitationRef{InvitationID: withdrawn.ID})
	p.must(err)
	invite("ada@example.com")
	p.start()
	out := <-box.sent
	if out.Email != "ada@example.com" || out.PlaceName != "S" || out.Role != domain.Manager || !strings.HasPrefix(out.Code, "inv_") {
		t.Errorf("got %+v", out)
	}
	_, err = invitations.Get(t.Context(), out.Code)
	p.must(err)
	p.until("the end of the jobs", "SELECT count(*) = 2 FROM "+jobstest.Jobs+" WHERE kind = 'mail_link' AND state = 'completed'")
	p.until("the code to be deleted", "SELECT count(*) = 2 FROM account_links WHERE sealed_code IS NULL")
	if len(box.sent) > 0 {
		t.Errorf("another email was sent: %+v", <-box.sent)
	}
	var held int
	p.must(p.sql.QueryRowContext(t.Context(), jobstest.Count("args::text || errors::text LIKE '%inv_%'")).Scan(&held))
	if held > 0 {
		t.Error("a job holds the code")
	}
}

// More emails to one address than allowed per hour are delayed (ACCOUNT-6).
func TestEmailsToOneAddressWait(t *testing.T) {
	p := newPlatform(t, "1h")
	box := &mailbox{sent: make(chan tenant.Outgoing, 10)}
	invitations := p.withMail(box)
	p.exec(`INSERT INTO account_links (id, digest, organization_id, email, email_folded, by_platform, shown, issued_at, expires_at, mailed_at)
		SELECT 'l' || n, decode(md5(n::text), 'hex'), 'o', 'ada@example.com', 'ada@example.com', false, false, now(), now(), now()
		FROM generate_series(1, 5) n`)
	_, err := invitations.Invite(p.operator(), tenant.NewMember{Email: "ada@example.com", Role: domain.Viewer})
	p.must(err)
	_, err = invitations.Invite(p.operator(), tenant.NewMember{Email: "bob@example.com", Role: domain.Viewer})
	p.must(err)
	p.start()
	if out := <-box.sent; out.Email != "bob@example.com" {
		t.Errorf("sent to %s", out.Email)
	}
	p.until("the sixth to wait", "SELECT count(*) = 1 FROM "+jobstest.Jobs+" WHERE kind = 'mail_link' AND scheduled_at > now() + interval '50 minutes'")
	if len(box.sent) > 0 {
		t.Errorf("a sixth email was sent: %+v", <-box.sent)
	}
}
