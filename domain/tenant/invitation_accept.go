package tenant

import (
	"context"
	"fmt"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/secrets"
	"ticketgate/domain/texts"
)

// Get returns the offer of a code. An unknown, used, withdrawn or expired code is NOT_FOUND. The result does not depend
// on existing accounts, because the caller may be the inviter (ACCOUNT-1).
func (i Invitations) Get(ctx context.Context, code string) (Offer, error) {
	if _, err := domain.Authorize(ctx, domain.GetInvitation); err != nil {
		return Offer{}, err
	}
	digest, err := digestOf(code, secrets.Invitation, "Invitation")
	if err != nil {
		return Offer{}, err
	}
	return i.Store.Offer(ctx, digest, i.Now())
}

// Accept makes the caller a member and invalidates the code. A session with the invitation's address joins with its
// account. Without one, a password creates a new account, whatever other accounts the address has (ACCOUNT-2).
func (i Invitations) Accept(ctx context.Context, input Acceptance) (Accepted, error) {
	actor, err := domain.Authorize(ctx, domain.AcceptInvitation)
	if err != nil {
		return Accepted{}, err
	}
	if input, err = input.validate(); err != nil {
		return Accepted{}, err
	}
	digest, err := digestOf(input.Code, secrets.Invitation, "Invitation")
	if err != nil {
		return Accepted{}, err
	}
	// An invalid code costs no hash.
	offer, err := i.Store.Offer(ctx, digest, i.Now())
	if err != nil {
		return Accepted{}, err
	}
	mine, err := i.isOf(ctx, actor, offer.Email)
	if err != nil {
		return Accepted{}, err
	}
	if input.Password == "" && !mine {
		return Accepted{}, domain.Unauthenticated("Sign in with the account of the invitation's address, or choose a password")
	}
	release, err := i.Passwords.slot(ctx, regular{})
	if err != nil {
		return Accepted{}, err
	}
	defer release()
	var accepted Accepted
	err = i.Store.InTx(ctx, func(tx Tx) error {
		a := acceptance{Invitations: i, tx: tx, input: input, actor: actor, mine: mine}
		var err error
		accepted, err = a.do(ctx, digest)
		return err
	})
	if err != nil {
		return Accepted{}, err
	}
	return accepted, nil
}

// isOf reports whether the caller is signed in with an account of the address.
func (i Invitations) isOf(ctx context.Context, actor *domain.Actor, email string) (bool, error) {
	if actor.Kind != domain.UserActor {
		return false, nil
	}
	user, err := i.Store.User(ctx, actor.ID)
	return err == nil && texts.FoldEmail(user.Email) == texts.FoldEmail(email), err
}

// acceptance is a call of Accept within its transaction.
type acceptance struct {
	Invitations

	tx    Tx
	input Acceptance
	actor *domain.Actor
	// mine is true if the caller is signed in with an account of the invitation's address.
	mine bool
}

func (a acceptance) do(ctx context.Context, digest secrets.Digest) (Accepted, error) {
	link, invitation, err := a.tx.UseInvitation(ctx, digest, a.Now())
	if err != nil {
		return Accepted{}, err
	}
	if is, err := a.tx.MemberExists(ctx, invitation.Place, invitation.Email); err != nil || is {
		return Accepted{}, orRefused(err, domain.InvalidState("This address is already a member"))
	}
	account, fresh, err := a.account(ctx, link, invitation)
	if err != nil {
		return Accepted{}, err
	}
	member := newMember(invitation.Place, account.User, invitation.Role, a.Now())
	if err := a.tx.InsertMember(ctx, member); err != nil {
		return Accepted{}, err
	}
	// A reset link of the previously only organization must no longer work (ACCOUNT-5).
	if err := a.tx.EndResets(ctx, account.ID, a.Now()); err != nil {
		return Accepted{}, err
	}
	change := domain.Change{
		SellerID: invitation.SellerID, OrgID: link.OrganizationID, Action: domain.AcceptInvitation, Object: "member", ObjectID: member.ID,
	}
	named := domain.WithActor(ctx, &domain.Actor{Kind: domain.UserActor, ID: account.ID, SessionID: a.actor.SessionID})
	if err := a.tx.Audit(named, change.Diff(nil, member)); err != nil {
		return Accepted{}, err
	}
	accepted := Accepted{Member: member, LoginResult: LoginResult{User: account.User}}
	if !fresh {
		return accepted, nil
	}
	accepted.Opened = true
	accepted.LoginResult, err = a.Sessions.begin(ctx, a.tx, attempt{
		cookie: a.input.Cookie, action: domain.AcceptInvitation, then: func(ctx context.Context, tx Tx, _ Account) error {
			if a.actor.SessionID == "" {
				return nil
			}
			return tx.EndSession(ctx, a.actor.SessionID)
		},
	}, account, a.Now())
	return accepted, err
}

// account returns the account that joins and whether it needs a new session.
func (a acceptance) account(ctx context.Context, link Link, invitation Invitation) (account Account, fresh bool, err error) {
	named, err := a.tx.AccountIDs(ctx, invitation.Email)
	if err != nil {
		return Account{}, false, err
	}
	accounts, err := a.tx.Accounts(ctx, named)
	if err != nil {
		return Account{}, false, err
	}
	if a.mine {
		for _, account := range accounts {
			if account.ID == a.actor.ID {
				fresh, err := a.renew(ctx, &account)
				return account, fresh, err
			}
		}
		return Account{}, false, domain.Unauthenticated(domain.BadKeyMessage)
	}
	if created := countInvitedBy(accounts, link.OrganizationID); created >= maxAccounts {
		return Account{}, false, domain.InvalidState(fmt.Sprintf(
			"Invitations of this organization have created %d accounts for this address, the maximum. Sign in with one to accept", created))
	}
	name := a.input.Name
	if name == "" {
		name = invitation.Email
	}
	now := a.Now()
	account = Account{
		User:           User{ID: ids.New(now), Email: invitation.Email, Name: name, CreatedAt: moment.New(now)},
		PasswordHash:   hashBeside(accounts, a.input.Password),
		PasswordShared: link.passwordShared(), InvitedBy: link.OrganizationID,
	}
	return account, true, a.tx.InsertAccount(ctx, account)
}

// maxAccounts is the maximum number of accounts of one address that the invitations of one organization create: each
// login with the address checks all of them (ACCOUNT-9).
const maxAccounts = 100

// countInvitedBy counts the accounts of one organization only: its result is shown there and must not depend on other
// organizations (ACCOUNT-1).
func countInvitedBy(accounts []Account, organization ids.Org) (count int) {
	for _, account := range accounts {
		if account.InvitedBy == organization {
			count++
		}
	}
	return count
}

// renew sets a new password for an account whose password an inviter may know, and ends its sessions. Otherwise the
// inviter could enter the new place too (ACCOUNT-4).
func (a acceptance) renew(ctx context.Context, account *Account) (renewed bool, err error) {
	switch {
	case !account.PasswordShared && a.input.Password == "":
		return false, nil
	case !account.PasswordShared:
		return false, domain.Invalid("password", "must be omitted: you are signed in with the account that joins")
	case a.input.Password == "":
		return false, domain.Invalid("password", "must be a new password: others may know the current one")
	}
	same, _, err := matches(account.PasswordHash, a.input.Password)
	if err != nil || same {
		return false, orRefused(err, domain.Invalid("password", "must differ from the current password"))
	}
	if err := a.tx.SetPassword(ctx, account.ID, NewHash{Hash: hashBeside([]Account{*account}, a.input.Password)}, a.Now()); err != nil {
		return false, err
	}
	_, err = a.tx.EndSessions(ctx, account.ID, 0)
	return true, err
}

// digestOf returns the digest of a code. A text that can't be a code is NOT_FOUND without a query.
func digestOf(code string, kind secrets.Kind, what string) (secrets.Digest, error) {
	if is, ok := secrets.KindOf(code); !ok || is != kind {
		return secrets.Digest{}, domain.NotFound(what)
	}
	return secrets.DigestOf(code), nil
}
