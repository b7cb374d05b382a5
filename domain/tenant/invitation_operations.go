package tenant

import (
	"context"
	"fmt"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/moment"
	"ticketgate/domain/secrets"
)

// Invitations is what can be done with invitations. An ADMIN of the place and the platform make, list, resend and withdraw
// them; the holder of the code reads and accepts.
type Invitations struct {
	Store     Store
	Passwords *Passwords
	Sessions  Sessions
	Links     Links
	Limits    InvitationLimits
	Now       func() time.Time
}

// Invite makes an invitation, or replaces the pending one of the same address. The result and the work are the same
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
	made := invite(at, input, domain.ActorOf(ctx).Creator(), now)
	link, code := i.link(ctx, at, made, now)
	err = i.Store.InTx(ctx, func(tx Tx) error {
		if err := i.admit(ctx, tx, at, now); err != nil {
			return err
		}
		if is, err := tx.MemberExists(ctx, at.Place, input.Email); err != nil || is {
			return orRefused(err, domain.Invalid("email", "is already a member"))
		}
		if err := tx.PutInvitation(ctx, made, now); err != nil {
			return err
		}
		if count, err := tx.CountInvitations(ctx, at.Place); err != nil || count > i.Limits.Pending {
			return orRefused(err, tooManyInvitations(i.Limits.Pending))
		}
		if err := tx.Audit(ctx, at.invitationChange(domain.AddMember, made.ID).Diff(nil, made)); err != nil {
			return err
		}
		return tx.InsertLink(ctx, link, code)
	})
	if err != nil {
		return AddedMember{}, err
	}
	return AddedMember{Invitation: IssuedInvitation{Invitation: made, Link: i.Links.shown(code)}}, nil
}

// List returns the pending invitations of a place, expired ones included, oldest first.
func (i Invitations) List(ctx context.Context, place Place, page domain.Page) (domain.List[Invitation], error) {
	at, err := authorizePlace(ctx, i.Store, domain.ListInvitations, place)
	if err != nil {
		return domain.List[Invitation]{}, err
	}
	return i.Store.Invitations(ctx, at.Place, page)
}

// Resend gives an invitation a new link and seven more days. The earlier link ends.
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

// Withdraw deletes an invitation. Its link ends.
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

// exists returns NOT_FOUND for an invitation that the place does not have, before anything is locked (BODY-1).
func (i Invitations) exists(ctx context.Context, at position, id string) error {
	if exists, err := i.Store.HasInvitation(ctx, at.Place, id); err != nil || !exists {
		return orRefused(err, domain.NotFound("Invitation"))
	}
	return nil
}

// Settle makes an account and its membership without an invitation; only the operator's commands may. An address that
// has an account is refused: its person must accept (ACCOUNT-2).
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

// link returns a link for an invitation, with its code.
func (i Invitations) link(ctx context.Context, at position, of Invitation, now time.Time) (Link, string) {
	return i.Links.issue(Link{
		InvitationID: of.ID, OrganizationID: at.organization, SellerID: at.SellerID, Email: of.Email,
		ByPlatform: domain.ActorOf(ctx).Kind == domain.SystemActor, ExpiresAt: of.ExpiresAt.Time,
	}, secrets.Invitation, now)
}

// admit locks the organization and refuses a link too many (ACCOUNT-6). The platform is not bounded.
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
		refused.Message = "Too many invitations in the last hour; please try again later"
		return refused
	}
	return nil
}

// invitationChange begins the audit entry of an invitation. It holds no code.
func (p position) invitationChange(action domain.Operation, id string) domain.Change {
	change := p.change(action, id)
	change.Object = "invitation"
	return change
}

func tooManyInvitations(most int) error {
	return domain.InvalidState(fmt.Sprintf("%d invitations are pending, which is the limit; withdraw one first", most))
}

// orRefused returns the error that a check met, or else its refusal.
func orRefused(err, refusal error) error {
	if err != nil {
		return err
	}
	return refusal
}
