package db

import (
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/tenant"
)

// AccountMails implements jobs.AccountMails.
type AccountMails struct{ store *Store }

// AccountMails returns the store of links to be emailed.
func (s *Store) AccountMails() AccountMails { return AccountMails{s} }

// Load returns the email of a link. It returns NOT_FOUND if the link has ended or was emailed before. mailsAnHour is
// the number of emails per hour that an organization may send to one address.
func (m AccountMails) Load(ctx context.Context, linkID string, mailsAnHour int, now time.Time) (tenant.Outgoing, error) {
	type outgoingRow struct {
		ID         string     `bun:"id"`
		Email      string     `bun:"email"`
		SealedCode []byte     `bun:"sealed_code"`
		PlaceName  string     `bun:"place_name"`
		Role       uint8      `bun:"role"`
		ExpiresAt  time.Time  `bun:"expires_at"`
		Sent       int        `bun:"sent"`
		FirstSent  *time.Time `bun:"first_sent"`
	}
	found, err := row[outgoingRow](ctx, m.store, m.store.sql, "Email", `
		SELECT l.id, l.email, l.sealed_code, COALESCE(s.name, o.name, '') AS place_name, COALESCE(i.role, 0) AS role, l.expires_at,
			sent.count AS sent, sent.first AS first_sent
		FROM account_links l LEFT JOIN invitations i ON i.id = l.invitation_id
		LEFT JOIN sellers s ON s.id = i.seller_id LEFT JOIN organizations o ON o.id = i.organization_id
		CROSS JOIN LATERAL (SELECT count(*) AS count, min(b.mailed_at) AS first FROM account_links b
			WHERE b.organization_id IS NOT DISTINCT FROM l.organization_id AND b.email_folded = l.email_folded AND b.mailed_at > $3) sent
		WHERE l.id = $1 AND l.sealed_code IS NOT NULL AND l.expires_at > $2`, linkID, now, now.Add(-time.Hour))
	if err != nil {
		return tenant.Outgoing{}, err
	}
	out := tenant.Outgoing{
		LinkID: found.ID, Email: found.Email, PlaceName: found.PlaceName, Role: domain.Role(found.Role), ExpiresAt: found.ExpiresAt,
	}
	if found.Sent >= mailsAnHour {
		out.Wait = max(time.Second, value(found.FirstSent).Add(time.Hour).Sub(now))
	}
	code, err := m.store.sealer.Open(linkName(found.ID), found.SealedCode)
	out.Code = string(code)
	return out, err
}

// Sent records that the email was sent, and deletes the code.
func (m AccountMails) Sent(ctx context.Context, linkID string, now time.Time) error {
	_, err := accountLinks.all().withID(linkID).set("sealed_code = NULL").set("mailed_at = $", now).update(ctx, m.store, m.store.sql)
	return err
}
