package db

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"ticketgate/domain"
	"ticketgate/domain/moment"
	"ticketgate/domain/secrets"
	"ticketgate/domain/tenant"
	"ticketgate/domain/texts"
)

// invitationRow is a row of invitations; one of the two places is NULL.
type invitationRow struct {
	bun.BaseModel `bun:"table:invitations,alias:i"`

	ID             string    `bun:"id,pk"`
	SellerID       string    `bun:"seller_id,nullzero"`
	OrganizationID string    `bun:"organization_id,nullzero"`
	Email          string    `bun:"email"`
	EmailFolded    string    `bun:"email_folded"`
	Role           uint8     `bun:"role"`
	InvitedByType  string    `bun:"invited_by_type"`
	InvitedByID    string    `bun:"invited_by_id"`
	CreatedAt      time.Time `bun:"created_at"`
	ExpiresAt      time.Time `bun:"expires_at"`
}

func (r invitationRow) toDomain() (tenant.Invitation, error) {
	return tenant.Invitation{
		ID: r.ID, Place: tenant.Place{SellerID: domain.SellerID(r.SellerID), OrganizationID: domain.OrgID(r.OrganizationID)},
		Email: r.Email, Role: domain.Role(r.Role),
		InvitedBy: domain.Creator{Type: domain.CreatorType(r.InvitedByType), ID: r.InvitedByID},
		CreatedAt: moment.New(r.CreatedAt), ExpiresAt: moment.New(r.ExpiresAt),
	}, nil
}

// invitationColumns are what a read names.
const invitationColumns = `i.id, i.seller_id, i.organization_id, i.email, i.role, i.invited_by_type, i.invited_by_id,
	i.created_at, i.expires_at`

// invitations are those of exactly one place.
func invitations(columns string, place tenant.Place) *query {
	if place.SellerID != "" {
		return selectFrom(columns, "invitations i").where("i.seller_id = $", string(place.SellerID))
	}
	return selectFrom(columns, "invitations i").where("i.organization_id = $", string(place.OrganizationID))
}

// Invitations lists those of exactly this place.
func (t tenants) Invitations(
	ctx context.Context, place tenant.Place, page domain.Page,
) (domain.List[tenant.Invitation], error) {
	return listing[invitationRow, tenant.Invitation]{
		query: invitations(invitationColumns, place), id: "i.id", item: invitationRow.toDomain,
	}.page(ctx, t.Store, page)
}

// HasInvitation reports whether exactly this place has the invitation.
func (t tenants) HasInvitation(ctx context.Context, place tenant.Place, id string) (bool, error) {
	q := invitations("i.id", place).where("i.id = $", id)
	found, err := rows[invitationRow](ctx, t.Store, t.sql, "SELECT "+q.columns+" FROM "+q.from+q.conditionText(), q.args...)
	return len(found) > 0, err
}

// Offer finds the open invitation of a code with the name of its place.
func (t tenants) Offer(ctx context.Context, code secrets.Digest, now time.Time) (tenant.Offer, error) {
	type offerRow struct {
		PlaceName string    `bun:"place_name"`
		Email     string    `bun:"email"`
		Role      uint8     `bun:"role"`
		ExpiresAt time.Time `bun:"expires_at"`
	}
	found, err := row[offerRow](ctx, t.Store, t.sql, "Invitation", `
		SELECT COALESCE(s.name, o.name) AS place_name, i.email, i.role, i.expires_at
		FROM account_links l JOIN invitations i ON i.id = l.invitation_id
		LEFT JOIN sellers s ON s.id = i.seller_id LEFT JOIN organizations o ON o.id = i.organization_id
		WHERE l.digest = $1 AND l.ended_at IS NULL AND l.expires_at > $2`, code[:], now)
	return tenant.Offer{
		PlaceName: found.PlaceName, Email: found.Email, Role: domain.Role(found.Role), ExpiresAt: moment.New(found.ExpiresAt),
	}, err
}

// PutInvitation stores an invitation instead of the one that the place has for the address. The organization is locked.
func (t tenantTx) PutInvitation(ctx context.Context, made tenant.Invitation, now time.Time) error {
	q := invitations("i.id", made.Place).where("i.email_folded = $", texts.FoldEmail(made.Email))
	earlier, err := rows[invitationRow](ctx, t.store, t,
		"SELECT "+q.columns+" FROM "+q.from+q.conditionText()+" FOR UPDATE OF i", q.args...)
	if err != nil {
		return err
	}
	for _, r := range earlier {
		if err := t.DeleteInvitation(ctx, r.ID, now); err != nil {
			return err
		}
	}
	return t.insert(ctx, &invitationRow{
		ID: made.ID, SellerID: string(made.SellerID), OrganizationID: string(made.OrganizationID),
		Email: made.Email, EmailFolded: texts.FoldEmail(made.Email), Role: uint8(made.Role),
		InvitedByType: string(made.InvitedBy.Type), InvitedByID: made.InvitedBy.ID,
		CreatedAt: made.CreatedAt.Time, ExpiresAt: made.ExpiresAt.Time,
	})
}

// CountInvitations is sure only while the organization is locked.
func (t tenantTx) CountInvitations(ctx context.Context, place tenant.Place) (int, error) {
	type counted struct{ Count int }
	q := invitations("count(*) AS count", place)
	found, err := row[counted](ctx, t.store, t, "count", "SELECT "+q.columns+" FROM "+q.from+q.conditionText(), q.args...)
	return found.Count, err
}

// Invitation finds one of exactly this place and locks it.
func (t tenantTx) Invitation(ctx context.Context, place tenant.Place, id string) (tenant.Invitation, error) {
	q := invitations(invitationColumns, place).where("i.id = $", id)
	found, err := row[invitationRow](ctx, t.store, t, "Invitation",
		"SELECT "+q.columns+" FROM "+q.from+q.conditionText()+" FOR UPDATE OF i", q.args...)
	if err != nil {
		return tenant.Invitation{}, err
	}
	return found.toDomain()
}

// ExtendInvitation stores the expiry and ends the links.
func (t tenantTx) ExtendInvitation(ctx context.Context, renewed tenant.Invitation, now time.Time) error {
	if err := t.endLinks(ctx, "invitation_id", renewed.ID, now); err != nil {
		return err
	}
	return changeOne(ctx, t, "Invitation", "UPDATE invitations SET expires_at = $2 WHERE id = $1", renewed.ID, renewed.ExpiresAt.Time)
}

// DeleteInvitation deletes an invitation. Its links stay, ended, for the limits to count.
func (t tenantTx) DeleteInvitation(ctx context.Context, id string, now time.Time) error {
	if err := t.endLinks(ctx, "invitation_id", id, now); err != nil {
		return err
	}
	return changeOne(ctx, t, "Invitation", "DELETE FROM invitations WHERE id = $1", id)
}

// UseInvitation locks the invitation before its links, as those who renew or withdraw it do.
func (t tenantTx) UseInvitation(ctx context.Context, code secrets.Digest, now time.Time) (tenant.Link, tenant.Invitation, error) {
	found, err := row[invitationRow](ctx, t.store, t, "Invitation", "SELECT "+invitationColumns+` FROM invitations i
		WHERE i.id = (SELECT l.invitation_id FROM account_links l WHERE l.digest = $1) FOR UPDATE OF i`, code[:])
	if err != nil {
		return tenant.Link{}, tenant.Invitation{}, err
	}
	link, err := t.openLink(ctx, "Invitation", code, now)
	if err != nil {
		return tenant.Link{}, tenant.Invitation{}, err
	}
	invitation, err := found.toDomain()
	if err != nil {
		return tenant.Link{}, tenant.Invitation{}, err
	}
	return link, invitation, t.DeleteInvitation(ctx, found.ID, now)
}

// ForgetInvitations deletes invitations and links that ended before a time.
func (t tenantTx) ForgetInvitations(ctx context.Context, before time.Time) error {
	if _, err := exec(ctx, t, "DELETE FROM invitations WHERE expires_at < $1", before); err != nil {
		return err
	}
	_, err := exec(ctx, t, "DELETE FROM account_links WHERE expires_at < $1", before)
	return err
}
