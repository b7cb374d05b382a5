package db

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/secrets"
	"ticketgate/domain/tenant"
	"ticketgate/domain/texts"
)

// invitationRow is a row of invitations. It has either a seller or an organization.
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
		ID: r.ID, Place: tenant.Place{SellerID: ids.Seller(r.SellerID), OrganizationID: ids.Org(r.OrganizationID)},
		Email: r.Email, Role: domain.Role(r.Role),
		InvitedBy: domain.Creator{Type: domain.CreatorType(r.InvitedByType), ID: r.InvitedByID},
		CreatedAt: moment.New(r.CreatedAt), ExpiresAt: moment.New(r.ExpiresAt),
	}, nil
}

// offerRow is an invitation as its recipient sees it.
type offerRow struct {
	invitationRow `bun:",extend"`

	PlaceName string `bun:"place_name,scanonly"`
}

var (
	invitations = &source[invitationRow]{}
	// offers includes the name of the place and joins the links of invitations.
	offers = &source[offerRow]{
		columns: "coalesce(s.name, o.name) AS place_name, i.email, i.role, i.expires_at",
		joins: []string{
			"JOIN account_links l ON l.invitation_id = i.id", "LEFT JOIN sellers s ON s.id = i.seller_id",
			"LEFT JOIN organizations o ON o.id = i.organization_id",
		},
	}
)

// invitationsTo selects the invitations to a seller or an organization, without those to an organization's sellers.
func invitationsTo(place tenant.Place) *query[invitationRow] {
	if place.SellerID != "" {
		return invitations.of(place.SellerID)
	}
	return invitations.where("i.organization_id = $", string(place.OrganizationID))
}

// Invitations lists the invitations to a place.
func (t tenants) Invitations(
	ctx context.Context, place tenant.Place, page domain.Page,
) (domain.List[tenant.Invitation], error) {
	return listing[invitationRow, tenant.Invitation]{
		query: invitationsTo(place), id: "i.id", item: invitationRow.toDomain,
	}.page(ctx, t.Store, page)
}

// HasInvitation reports whether the invitation exists and is to this place.
func (t tenants) HasInvitation(ctx context.Context, place tenant.Place, id string) (bool, error) {
	return invitationsTo(place).withID(id).exists(ctx, t.Store, t.sql)
}

// Offer returns the open invitation of a code with the name of its place.
func (t tenants) Offer(ctx context.Context, code secrets.Digest, now time.Time) (tenant.Offer, error) {
	found, err := offers.where("l.digest = $ AND l.ended_at IS NULL AND l.expires_at > $", code[:], now).
		row(ctx, t.Store, t.sql, "Invitation")
	return tenant.Offer{
		PlaceName: found.PlaceName, Email: found.Email, Role: domain.Role(found.Role), ExpiresAt: moment.New(found.ExpiresAt),
	}, err
}

// PutInvitation stores an invitation. It replaces an existing invitation of the same address to the same place. The
// organization's row must be locked.
func (t tenantTx) PutInvitation(ctx context.Context, invitation tenant.Invitation, now time.Time) error {
	earlier, err := invitationsTo(invitation.Place).where("i.email_folded = $", texts.FoldEmail(invitation.Email)).forUpdate("UPDATE").
		rows(ctx, t.store, t)
	if err != nil {
		return err
	}
	for _, r := range earlier {
		if err := t.DeleteInvitation(ctx, r.ID, now); err != nil {
			return err
		}
	}
	return t.insert(ctx, &invitationRow{
		ID: invitation.ID, SellerID: string(invitation.SellerID), OrganizationID: string(invitation.OrganizationID),
		Email: invitation.Email, EmailFolded: texts.FoldEmail(invitation.Email), Role: uint8(invitation.Role),
		InvitedByType: string(invitation.InvitedBy.Type), InvitedByID: invitation.InvitedBy.ID,
		CreatedAt: invitation.CreatedAt.Time, ExpiresAt: invitation.ExpiresAt.Time,
	})
}

// CountInvitations counts the invitations to a place. The organization's row must be locked.
func (t tenantTx) CountInvitations(ctx context.Context, place tenant.Place) (int, error) {
	return invitationsTo(place).count(ctx, t.store, t)
}

// Invitation reads an invitation to this place and locks its row.
func (t tenantTx) Invitation(ctx context.Context, place tenant.Place, id string) (tenant.Invitation, error) {
	return readOne(ctx, t.store, t, invitationsTo(place).withID(id).forUpdate("UPDATE"), "Invitation", invitationRow.toDomain)
}

// ExtendInvitation stores the new expiry of an invitation and ends its links.
func (t tenantTx) ExtendInvitation(ctx context.Context, renewed tenant.Invitation, now time.Time) error {
	if err := t.endLinks(ctx, "l.invitation_id = $", renewed.ID, now); err != nil {
		return err
	}
	return invitations.all().withID(renewed.ID).set("expires_at = $", renewed.ExpiresAt.Time).updateOne(ctx, t.store, t, "Invitation")
}

// DeleteInvitation deletes an invitation. Its links are ended but not deleted, since limits count them.
func (t tenantTx) DeleteInvitation(ctx context.Context, id string, now time.Time) error {
	if err := t.endLinks(ctx, "l.invitation_id = $", id, now); err != nil {
		return err
	}
	return invitations.all().withID(id).deleteOne(ctx, t.store, t, "Invitation")
}

// UseInvitation ends the invitation of a code and returns it with its link. It locks the invitation before its links,
// in the same order as renewals and withdrawals.
func (t tenantTx) UseInvitation(ctx context.Context, code secrets.Digest, now time.Time) (tenant.Link, tenant.Invitation, error) {
	found, err := invitations.where("i.id = (SELECT l.invitation_id FROM account_links l WHERE l.digest = $)", code[:]).
		forUpdate("UPDATE").row(ctx, t.store, t, "Invitation")
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

// PurgeInvitations deletes invitations and links that expired before the given time.
func (t tenantTx) PurgeInvitations(ctx context.Context, before time.Time) error {
	if _, err := invitations.where("i.expires_at < $", before).delete(ctx, t.store, t); err != nil {
		return err
	}
	_, err := accountLinks.where("l.expires_at < $", before).delete(ctx, t.store, t)
	return err
}
