package tenant

import (
	"context"
	"time"

	"ticketgate/domain"
)

// Members is what can be done with the members of a place: all of it is for an ADMIN there and for the platform.
type Members struct {
	Store     Store
	Passwords *Passwords
	Now       func() time.Time
}

// List returns the members of a place; of a seller those of the seller itself, not its organization's.
func (m Members) List(ctx context.Context, place Place, page domain.Page) (domain.List[Member], error) {
	at, err := m.authorize(ctx, domain.ListMembers, place)
	if err != nil {
		return domain.List[Member]{}, err
	}
	return m.Store.Members(ctx, at.Place, page)
}

// Add makes a user a member, and makes the user when nobody has the e-mail yet; then, and only then, a name and a
// password are taken. A user is a member of a place once.
func (m Members) Add(ctx context.Context, input NewMember) (AddedMember, error) {
	at, err := m.authorize(ctx, domain.AddMember, input.Place)
	if err != nil {
		return AddedMember{}, err
	}
	input, err = input.validate()
	if err != nil {
		return AddedMember{}, err
	}
	account, shown, err := m.accountToMake(ctx, input)
	if err != nil {
		return AddedMember{}, err
	}
	now := m.Now()
	member := Member{ID: domain.NewID(now), Place: at.Place, Role: input.Role, CreatedAt: domain.NewDateTime(now)}
	err = m.Store.InTx(ctx, func(tx Tx) error {
		member.User = account.User
		if err := m.findOrInsert(ctx, tx, input.Email, account, &member.User); err != nil {
			return err
		}
		if err := tx.Audit(ctx, at.change(domain.AddMember, member.ID).Diff(nil, member)); err != nil {
			return err
		}
		return tx.InsertMember(ctx, member)
	})
	return AddedMember{Member: member, Password: shown}, err
}

// accountToMake is the account of a user whom nobody added before, hashed ahead of the transaction; the zero account
// when the e-mail is known.
func (m Members) accountToMake(ctx context.Context, input NewMember) (Account, string, error) {
	known, err := m.Store.UserExists(ctx, input.Email)
	switch {
	case err != nil:
		return Account{}, "", err
	case known && input.Password != "":
		// To drop it would let the caller hand out a password that does not work; to set it would take over an account.
		return Account{}, "", domain.Invalid("password", "must be left out: this user already has one")
	case known:
		return Account{}, "", nil
	}
	return newAccount(ctx, m.Passwords, input, m.Now())
}

// findOrInsert stores the account that was made, or finds the one that was there. Between the two steps somebody else
// may have added the e-mail: then its constraint refuses.
func (m Members) findOrInsert(ctx context.Context, tx Tx, email string, account Account, user *User) error {
	if account.ID != "" {
		return tx.InsertAccount(ctx, account)
	}
	found, err := tx.AccountByEmail(ctx, email)
	*user = found.User
	return err
}

// Update gives a member another role and ends the user's sessions, wherever they are.
func (m Members) Update(ctx context.Context, input MemberChange) (Member, error) {
	at, err := m.authorize(ctx, domain.UpdateMember, input.Place)
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

// Remove ends a membership and the user's sessions; the user stays and may be a member elsewhere.
func (m Members) Remove(ctx context.Context, input MemberRemoval) (Member, error) {
	at, err := m.authorize(ctx, domain.RemoveMember, input.Place)
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

// change does something to one member, keeps an ADMIN, and ends the user's sessions when its role is another now.
// The organization is locked: two ADMINs can't remove each other at the same time.
func (m Members) change(ctx context.Context, at position, id string, f func(Tx, Member) error) error {
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
		_, err = tx.EndSessions(ctx, before.User.ID, 0)
		return err
	})
}

// keepAdmin refuses to leave a place without anybody who may add members: an organization needs an ADMIN of its own, a
// seller one of its own or of its organization. It holds for the platform too: it can add another ADMIN first.
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
	return domain.InvalidState("The last ADMIN can be neither removed nor given another role; add another ADMIN first")
}

// position is the place that an operation turned out to mean, with the organization it belongs to.
type position struct {
	Place
	organization domain.OrgID
}

// change begins the audit entry of what was done to a member; also a seller's is seen by its organization.
func (p position) change(action domain.Operation, memberID string) domain.Change {
	return domain.Change{
		SellerID: p.SellerID, OrgID: p.organization, Action: action, Object: "member", ObjectID: memberID,
	}
}

// authorize finds the place an input means and lets pass who may do the operation there.
func (m Members) authorize(ctx context.Context, op domain.Operation, place Place) (position, error) {
	if place.OrganizationID == "" {
		actor, err := domain.AuthorizeSeller(ctx, op, place.SellerID, LookUp(m.Store))
		if err != nil {
			return position{}, err
		}
		return position{Place: Place{SellerID: actor.SellerID}, organization: actor.OrgID}, nil
	}
	if _, err := domain.AuthorizeOrganization(ctx, op, place.OrganizationID); err != nil {
		return position{}, err
	}
	if place.SellerID != "" {
		return position{}, domain.Invalid("organizationId", "must not be given together with sellerId")
	}
	if _, err := m.Store.Organization(ctx, place.OrganizationID); err != nil {
		return position{}, err
	}
	return position{Place: place, organization: place.OrganizationID}, nil
}
