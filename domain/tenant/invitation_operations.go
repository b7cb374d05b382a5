package tenant

import (
	"context"
	"fmt"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/moment"
	"ticketgate/domain/secrets"
)

// Invitations implements the operations on invitations. An ADMIN of the place and the platform create, list, resend and
// withdraw them. The holder of the code reads and accepts.
type Invitations struct {
	Store     Store
	Passwords *Passwords
	Sessions  Sessions
	Links     Links
	Limits    InvitationLimits
	Now       func() time.Time
}

// Invite creates an invitation, or replaces the pending one of the same address. Result and duration are the same
// whether or not the address has an account (ACCOUNT-1).
func (i Invitations) Invite(ctx context.Context, input NewMember) (AddedMember, error) {
	at, err := authorizePlace(ctx, i.Store, domain.AddMember, input.Place)
	if err != nil {
		return AddedMember{}, err
	}
	input, err = input.validate()
	if err != nil {
		return AddedMember{}, err
	}
	now := i.Now()
	invitation := invite(at, input, domain.ActorOf(ctx).Creator(), now)
	link, code := i.link(ctx, at, invitation, now)
	err = i.Store.InTx(ctx, func(tx Tx) error {
		if err := i.admit(ctx, tx, at, now); err != nil {
			return err
		}
		if is, err := tx.MemberExists(ctx, at.Place, input.Email); err != nil || is {
			return orRefused(err, domain.Invalid("email", "is already a member"))
		}
		if err := tx.PutInvitation(ctx, invitation, now); err != nil {
			return err
		}
		if count, err := tx.CountInvitations(ctx, at.Place); err != nil || count > i.Limits.Pending {
			return orRefused(err, tooManyInvitations(i.Limits.Pending))
		}
		if err := tx.Audit(ctx, at.invitationChange(domain.AddMember, invitation.ID).Diff(nil, invitation)); err != nil {
			return err
		}
		return tx.InsertLink(ctx, link, code)
	})
	if err != nil {
		return AddedMember{}, err
	}
	return AddedMember{Invitation: IssuedInvitation{Invitation: invitation, Link: i.Links.shown(code)}}, nil
}

// List returns the pending invitations of a place, including expired ones, oldest first.
func (i Invitations) List(ctx context.Context, place Place, page domain.Page) (domain.List[Invitation], error) {
	at, err := authorizePlace(ctx, i.Store, domain.ListInvitations, place)
	if err != nil {
		return domain.List[Invitation]{}, err
	}
	return i.Store.Invitations(ctx, at.Place, page)
}

// Resend gives an invitation a new link and extends it by seven days. The previous link stops working.
func (i Invitations) Resend(ctx context.Context, input InvitationRef) (IssuedInvitation, error) {
	at, err := authorizePlace(ctx, i.Store, domain.ResendInvitation, input.Place)
	if err != nil {
		return IssuedInvitation{}, err
	}
	if err := i.exists(ctx, at, input.InvitationID); err != nil {
		return IssuedInvitation{}, err
	}
	now := i.Now()
	var renewed IssuedInvitation
	err = i.Store.InTx(ctx, func(tx Tx) error {
		if err := i.admit(ctx, tx, at, now); err != nil {
			return err
		}
		before, err := tx.Invitation(ctx, at.Place, input.InvitationID)
		if err != nil {
			return err
		}
		after := before
		after.ExpiresAt = moment.New(now.AddDate(0, 0, invitationDays))
		link, code := i.link(ctx, at, after, now)
		renewed = IssuedInvitation{Invitation: after, Link: i.Links.shown(code)}
		if err := tx.ExtendInvitation(ctx, after, now); err != nil {
			return err
		}
		if err := tx.Audit(ctx, at.invitationChange(domain.ResendInvitation, after.ID).Diff(before, after)); err != nil {
			return err
		}
		return tx.InsertLink(ctx, link, code)
	})
	return renewed, err
}

// Withdraw deletes an invitation. Its link stops working.
func (i Invitations) Withdraw(ctx context.Context, input InvitationRef) (Invitation, error) {
	at, err := authorizePlace(ctx, i.Store, domain.WithdrawInvitation, input.Place)
	if err != nil {
		return Invitation{}, err
	}
	if err := i.exists(ctx, at, input.InvitationID); err != nil {
		return Invitation{}, err
	}
	var withdrawn Invitation
	err = i.Store.InTx(ctx, func(tx Tx) (err error) {
		if err := tx.LockOrganization(ctx, at.organization); err != nil {
			return err
		}
		if withdrawn, err = tx.Invitation(ctx, at.Place, input.InvitationID); err != nil {
			return err
		}
		if err := tx.DeleteInvitation(ctx, withdrawn.ID, i.Now()); err != nil {
			return err
		}
		return tx.Audit(ctx, at.invitationChange(domain.WithdrawInvitation, withdrawn.ID).Diff(withdrawn, nil))
	})
	return withdrawn, err
}

// exists returns NOT_FOUND if the place has no such invitation, before anything is locked (BODY-1).
func (i Invitations) exists(ctx context.Context, at position, id string) error {
	if exists, err := i.Store.HasInvitation(ctx, at.Place, id); err != nil || !exists {
		return orRefused(err, domain.NotFound("Invitation"))
	}
	return nil
}

// Settle creates an account and its membership without an invitation. Only the operator's commands may call it. An
// address that already has an account is refused: its owner must accept an invitation (ACCOUNT-2).
func (i Invitations) Settle(ctx context.Context, input NewMember) (Settled, error) {
	if err := platformOnly(ctx); err != nil {
		return Settled{}, err
	}
	at, err := authorizePlace(ctx, i.Store, domain.AddMember, input.Place)
	if err != nil {
		return Settled{}, err
	}
	account, shown, err := newAccount(ctx, i.Passwords, input, i.Now())
	if err != nil {
		return Settled{}, err
	}
	member := newMember(at.Place, account.User, input.Role, i.Now())
	err = i.Store.InTx(ctx, func(tx Tx) error {
		if err := insertOnly(ctx, tx, account); err != nil {
			return err
		}
		if err := tx.Audit(ctx, at.change(domain.AddMember, member.ID).Diff(nil, member)); err != nil {
			return err
		}
		return tx.InsertMember(ctx, member)
	})
	return Settled{Member: member, Password: shown}, err
}

// link returns a new link for an invitation and its code.
func (i Invitations) link(ctx context.Context, at position, of Invitation, now time.Time) (Link, string) {
	return i.Links.issue(Link{
		InvitationID: of.ID, OrganizationID: at.organization, SellerID: at.SellerID, Email: of.Email,
		ByPlatform: domain.ActorOf(ctx).Kind == domain.SystemActor, ExpiresAt: of.ExpiresAt.Time,
	}, secrets.Invitation, now)
}

// admit locks the organization and returns an error if it has issued too many links (ACCOUNT-6). The platform is
// exempt.
func (i Invitations) admit(ctx context.Context, tx Tx, at position, now time.Time) error {
	if err := tx.LockOrganization(ctx, at.organization); err != nil {
		return err
	}
	if domain.ActorOf(ctx).Kind == domain.SystemActor {
		return nil
	}
	since := now.Add(-time.Hour)
	issued, err := tx.IssuedLinks(ctx, at.organization, at.Place, since)
	if err != nil {
		return err
	}
	if issued.Place >= i.Limits.Place || issued.Organization >= i.Limits.Organization {
		refused := domain.RateLimited(max(time.Second, issued.Oldest.Sub(since)))
		refused.Message = "Too many invitations in the last hour. Try again later"
		return refused
	}
	return nil
}

// invitationChange returns a new audit entry for an invitation. It holds no code.
func (p position) invitationChange(action domain.Operation, id string) domain.Change {
	change := p.change(action, id)
	change.Object = "invitation"
	return change
}

func tooManyInvitations(most int) error {
	return domain.InvalidState(fmt.Sprintf("%d invitations are pending, the maximum. Withdraw one first", most))
}

// orRefused returns err if it is not nil, otherwise refusal.
func orRefused(err, refusal error) error {
	if err != nil {
		return err
	}
	return refusal
}
