package tenant

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/ids"
)

// Members implements the operations on the members of a place. They require an ADMIN of the place or the platform. A
// member may also leave.
type Members struct {
	Store Store
}

// List returns the members of a place. For a seller, members of its organization are not included.
func (m Members) List(ctx context.Context, place Place, page domain.Page) (domain.List[Member], error) {
	at, err := authorizePlace(ctx, m.Store, domain.ListMembers, place)
	if err != nil {
		return domain.List[Member]{}, err
	}
	return m.Store.Members(ctx, at.Place, page)
}

// Update changes the role of a member. It takes effect with the user's next call and ends no session (ACCOUNT-3).
func (m Members) Update(ctx context.Context, input MemberChange) (Member, error) {
	at, err := authorizePlace(ctx, m.Store, domain.UpdateMember, input.Place)
	if err != nil {
		return Member{}, err
	}
	if err := input.validate(); err != nil {
		return Member{}, err
	}
	var after Member
	err = m.change(ctx, at, input.MemberID, func(tx Tx, before Member) error {
		if after = before; before.Role == input.Role {
			return nil
		}
		after.Role = input.Role
		if err := tx.SetRole(ctx, before.ID, input.Role); err != nil {
			return err
		}
		return tx.Audit(ctx, at.change(domain.UpdateMember, before.ID).Diff(before, after))
	})
	return after, err
}

// Remove ends a membership. The user's sessions end only if it was the last one (ACCOUNT-3).
func (m Members) Remove(ctx context.Context, input MemberRemoval) (Member, error) {
	at, err := authorizePlace(ctx, m.Store, domain.RemoveMember, input.Place)
	if err != nil {
		return Member{}, err
	}
	var removed Member
	err = m.change(ctx, at, input.MemberID, func(tx Tx, before Member) error {
		removed = before
		if err := tx.RemoveMember(ctx, before.ID); err != nil {
			return err
		}
		return tx.Audit(ctx, at.change(domain.RemoveMember, before.ID).Diff(before, nil))
	})
	return removed, err
}

// Leave ends a membership of the caller. The last ADMIN of a place can't leave.
func (m Members) Leave(ctx context.Context, input Departure) (Member, error) {
	actor, err := domain.Authorize(ctx, domain.LeaveMembership)
	if err != nil {
		return Member{}, err
	}
	at, err := m.positionOf(ctx, actor.ID, input.MembershipID)
	if err != nil {
		return Member{}, err
	}
	var left Member
	err = m.change(ctx, at, input.MembershipID, func(tx Tx, before Member) error {
		if before.User.ID != actor.ID {
			return domain.NotFound("Membership")
		}
		left = before
		if err := tx.RemoveMember(ctx, before.ID); err != nil {
			return err
		}
		return tx.Audit(ctx, at.change(domain.LeaveMembership, before.ID).Diff(before, nil))
	})
	return left, err
}

// positionOf returns the place of one of the user's memberships, or NOT_FOUND.
func (m Members) positionOf(ctx context.Context, userID, membershipID string) (position, error) {
	memberships, err := m.Store.Memberships(ctx, userID)
	if err != nil {
		return position{}, err
	}
	for _, membership := range memberships {
		switch {
		case membership.ID != membershipID:
		case membership.Seller != nil:
			return position{Place: Place{SellerID: membership.Seller.ID}, organization: membership.Seller.OrganizationID}, nil
		case membership.Organization != nil:
			return position{
				Place: Place{OrganizationID: membership.Organization.ID}, organization: membership.Organization.ID,
			}, nil
		}
	}
	return position{}, domain.NotFound("Membership")
}

// change applies f to a member, ensures that an ADMIN remains, and ends the user's sessions if no membership is left.
// It locks the organization, so that two ADMINs can't remove each other concurrently. A member that does not exist
// locks nothing (BODY-1).
func (m Members) change(ctx context.Context, at position, id string, f func(Tx, Member) error) error {
	if exists, err := m.Store.HasMember(ctx, at.Place, id); err != nil || !exists {
		return orRefused(err, domain.NotFound("Member"))
	}
	return m.Store.InTx(ctx, func(tx Tx) error {
		if err := tx.LockOrganization(ctx, at.organization); err != nil {
			return err
		}
		before, err := tx.Member(ctx, at.Place, id)
		if err != nil {
			return err
		}
		if err := f(tx, before); err != nil {
			return err
		}
		after, err := tx.Member(ctx, at.Place, id)
		if err != nil && !domain.HasCode(err, domain.CodeNotFound) {
			return err
		}
		if after.Role == before.Role {
			return nil
		}
		if before.Role == domain.Admin {
			if err := keepAdmin(ctx, tx, at); err != nil {
				return err
			}
		}
		if after.Role != domain.NoRole {
			return nil
		}
		return endWithoutMembership(ctx, tx, before.User.ID)
	})
}

// endWithoutMembership ends the sessions of a user without memberships. It locks the user's row, so that of two
// memberships ending concurrently one is the last.
func endWithoutMembership(ctx context.Context, tx Tx, userID string) error {
	if _, err := tx.Accounts(ctx, []string{userID}); err != nil {
		return err
	}
	if left, err := tx.CountMemberships(ctx, userID); err != nil || left > 0 {
		return err
	}
	_, err := tx.EndSessions(ctx, userID, 0)
	return err
}

// keepAdmin returns an error if a place would be left without an ADMIN who can add members. An organization needs an
// ADMIN of its own. A seller needs one of its own or of its organization. This applies to the platform too, which can
// add another ADMIN first.
func keepAdmin(ctx context.Context, tx Tx, at position) error {
	places := []Place{{OrganizationID: at.organization}}
	if at.SellerID != "" {
		places = append(places, at.Place)
	}
	for _, place := range places {
		admins, err := tx.CountAdmins(ctx, place)
		if err != nil || admins > 0 {
			return err
		}
	}
	return domain.InvalidState("The last ADMIN cannot be removed or given another role; add another ADMIN first")
}

// position is the place of an operation, with the organization it belongs to.
type position struct {
	Place
	organization ids.Org
}

// change returns a new audit entry for a member. Changes at a seller are visible to its organization.
func (p position) change(action domain.Operation, memberID string) domain.Change {
	return domain.Change{
		SellerID: p.SellerID, OrgID: p.organization, Action: action, Object: "member", ObjectID: memberID,
	}
}

// authorizePlace authorizes the caller at the place of an input and returns the place with its organization.
func authorizePlace(ctx context.Context, store Store, op domain.Operation, place Place) (position, error) {
	if place.OrganizationID == "" {
		actor, err := domain.AuthorizeSeller(ctx, op, place.SellerID, LookUp(store))
		if err != nil {
			return position{}, err
		}
		return position{Place: Place{SellerID: actor.SellerID}, organization: actor.OrgID}, nil
	}
	if _, err := domain.AuthorizeOrganization(ctx, op, place.OrganizationID); err != nil {
		return position{}, err
	}
	if place.SellerID != "" {
		return position{}, domain.Invalid("organizationId", "must not be combined with sellerId")
	}
	if _, err := store.Organization(ctx, place.OrganizationID); err != nil {
		return position{}, err
	}
	return position{Place: place, organization: place.OrganizationID}, nil
}
