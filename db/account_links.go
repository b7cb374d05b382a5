package db

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"ticketgate/domain/ids"
	"ticketgate/domain/secrets"
	"ticketgate/domain/tenant"
	"ticketgate/domain/texts"
)

// EnqueueMail returns a statement and its arguments that insert the job that emails a link. The statement runs in the
// transaction that issues the link.
type EnqueueMail func(linkID string) (text string, args []any, err error)

// accountLinkRow is a row of account_links. The code is stored as a digest and, until it is emailed, in encrypted form.
type accountLinkRow struct {
	bun.BaseModel `bun:"table:account_links,alias:l"`

	ID             string     `bun:"id,pk"`
	Digest         []byte     `bun:"digest"`
	InvitationID   string     `bun:"invitation_id,nullzero"`
	UserID         string     `bun:"user_id,nullzero"`
	OrganizationID string     `bun:"organization_id,nullzero"`
	SellerID       string     `bun:"seller_id,nullzero"`
	Email          string     `bun:"email"`
	EmailFolded    string     `bun:"email_folded"`
	ByPlatform     bool       `bun:"by_platform"`
	Shown          bool       `bun:"shown"`
	SealedCode     []byte     `bun:"sealed_code"`
	IssuedAt       time.Time  `bun:"issued_at"`
	ExpiresAt      time.Time  `bun:"expires_at"`
	MailedAt       *time.Time `bun:"mailed_at"`
	EndedAt        *time.Time `bun:"ended_at"`
}

func (r accountLinkRow) toDomain() tenant.Link {
	return tenant.Link{
		ID: r.ID, InvitationID: r.InvitationID, UserID: r.UserID, OrganizationID: ids.Org(r.OrganizationID),
		SellerID: ids.Seller(r.SellerID), Email: r.Email, ByPlatform: r.ByPlatform, Shown: r.Shown,
		IssuedAt: r.IssuedAt, ExpiresAt: r.ExpiresAt,
	}
}

var accountLinks = &source[accountLinkRow]{}

// openLinks selects the open links with a code.
func openLinks(code secrets.Digest, now time.Time) *query[accountLinkRow] {
	return accountLinks.where("l.digest = $ AND l.ended_at IS NULL AND l.expires_at > $", code[:], now)
}

// linkName returns the name under which the code of a link is sealed.
func linkName(id string) string { return "account link " + id }

// InsertLink stores a link. If the code is to be emailed, it is stored in sealed form.
func (t tenantTx) InsertLink(ctx context.Context, link tenant.Link, code string) error {
	stored := accountLinkRow{
		ID: link.ID, Digest: link.Digest[:], InvitationID: link.InvitationID, UserID: link.UserID,
		OrganizationID: string(link.OrganizationID), SellerID: string(link.SellerID),
		Email: link.Email, EmailFolded: texts.FoldEmail(link.Email), ByPlatform: link.ByPlatform, Shown: link.Shown,
		IssuedAt: link.IssuedAt, ExpiresAt: link.ExpiresAt,
	}
	if link.Shown {
		return t.insert(ctx, &stored)
	}
	stored.SealedCode = t.store.sealer.Seal(linkName(link.ID), []byte(code))
	if err := t.insert(ctx, &stored); err != nil {
		return err
	}
	text, args, err := t.store.enqueueMail(link.ID)
	if err != nil {
		return err
	}
	return t.run(ctx, []statement{{text, args}}...)
}

// IssuedLinks counts the links that were issued for a place, and for its whole organization, since a time.
func (t tenantTx) IssuedLinks(
	ctx context.Context, organization ids.Org, place tenant.Place, since time.Time,
) (tenant.IssuedLinks, error) {
	type issuedRow struct {
		Place        int        `bun:"place"`
		Organization int        `bun:"organization"`
		Oldest       *time.Time `bun:"oldest"`
	}
	found, err := row[issuedRow](ctx, t.store, t, "count", `
		SELECT count(*) FILTER (WHERE COALESCE(seller_id, '') = $2) AS place, count(*) AS organization, min(issued_at) AS oldest
		FROM account_links WHERE organization_id = $1 AND issued_at > $3 AND NOT by_platform`,
		string(organization), string(place.SellerID), since)
	return tenant.IssuedLinks{Place: found.Place, Organization: found.Organization, Oldest: value(found.Oldest)}, err
}

// ResetIsOpen returns NOT_FOUND if the code does not belong to an open password reset.
func (t tenants) ResetIsOpen(ctx context.Context, code secrets.Digest, now time.Time) error {
	_, err := openLinks(code, now).where("l.user_id IS NOT NULL").row(ctx, t.Store, t.sql, "Password reset")
	return err
}

// UseReset ends the password reset of a code and returns its link. It locks the account before the link, in the same
// order as transactions that end links.
func (t tenantTx) UseReset(ctx context.Context, code secrets.Digest, now time.Time) (tenant.Link, error) {
	_, err := users.where("u.id = (SELECT l.user_id FROM account_links l WHERE l.digest = $)", code[:]).forUpdate("NO KEY UPDATE").
		row(ctx, t.store, t, "Password reset")
	if err != nil {
		return tenant.Link{}, err
	}
	link, err := t.openLink(ctx, "Password reset", code, now)
	if err != nil {
		return tenant.Link{}, err
	}
	return link, t.EndResets(ctx, link.UserID, now)
}

// EndResets ends all open password resets of the user, whose row must be locked.
func (t tenantTx) EndResets(ctx context.Context, userID string, now time.Time) error {
	return t.endLinks(ctx, "l.user_id = $", userID, now)
}

// openLink returns the open link of a code and locks its row.
func (t tenantTx) openLink(ctx context.Context, what string, code secrets.Digest, now time.Time) (tenant.Link, error) {
	found, err := openLinks(code, now).forUpdate("UPDATE").row(ctx, t.store, t, what)
	return found.toDomain(), err
}

// endLinks ends the open links of an invitation or user, and deletes their codes. condition compares one of these with
// id.
func (t tenantTx) endLinks(ctx context.Context, condition, id string, now time.Time) error {
	_, err := accountLinks.where(condition, id).where("l.ended_at IS NULL").set("ended_at = $", now).set("sealed_code = NULL").
		update(ctx, t.store, t)
	return err
}
