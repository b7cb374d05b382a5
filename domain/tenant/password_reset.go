package tenant

import (
	"context"
	"slices"
	"strings"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/secrets"
)

// ResetRequest is the input of issuePasswordReset.
type ResetRequest struct {
	// OrganizationID defaults to the organization of the seller that the call acts on.
	OrganizationID ids.Org `json:"organizationId"`
	MemberID       string  `json:"memberId"`
}

// IssuedReset is a one-time link for setting a new password.
type IssuedReset struct {
	User      User            `json:"user"`
	ExpiresAt moment.DateTime `json:"expiresAt"`
	// Link is shown once, and only if it is not mailed.
	Link string `json:"link,omitempty"`
}

// PasswordReset is the input of resetPassword.
type PasswordReset struct {
	Code        string `json:"code"`
	NewPassword string `json:"newPassword"`
}

// IssueReset issues a password link for a member. The account must have been created by an invitation of the
// organization and be a member of nothing else, so that the organization's ADMIN gains nothing by it (ACCOUNT-5).
func (i Invitations) IssueReset(ctx context.Context, input ResetRequest) (IssuedReset, error) {
	if input.OrganizationID == "" {
		input.OrganizationID = domain.ActorOf(ctx).OrgID
	}
	if _, err := domain.AuthorizeOrganization(ctx, domain.IssuePasswordReset, input.OrganizationID); err != nil {
		return IssuedReset{}, err
	}
	if input.OrganizationID == "" {
		return IssuedReset{}, domain.Invalid("organizationId", "is required")
	}
	if exists, err := i.Store.HasMemberBelow(ctx, input.OrganizationID, input.MemberID); err != nil || !exists {
		return IssuedReset{}, orRefused(err, domain.NotFound("Member")) // before anything is locked (BODY-1)
	}
	at := position{Place: Place{OrganizationID: input.OrganizationID}, organization: input.OrganizationID}
	return i.issueReset(ctx, at, func(tx Tx) (Account, error) {
		if err := i.admit(ctx, tx, at, i.Now()); err != nil {
			return Account{}, err
		}
		account, err := tx.AccountOfMember(ctx, at.organization, input.MemberID)
		if err != nil {
			return Account{}, err
		}
		if only, err := tx.BelongsOnlyTo(ctx, account, at.organization); err != nil || !only {
			return Account{}, orRefused(err, domain.InvalidState(
				"Only the operator can reset this password: the account was not created by an invitation of your "+
					"organization, or other organizations use it, too"))
		}
		return account, nil
	})
}

// IssueResetOf issues a password link for an account. Only the operator's commands may call it. userID selects one of
// several accounts of the address.
func (i Invitations) IssueResetOf(ctx context.Context, email, userID string) (IssuedReset, error) {
	if err := platformOnly(ctx); err != nil {
		return IssuedReset{}, err
	}
	return i.issueReset(ctx, position{}, func(tx Tx) (Account, error) { return onlyAccount(ctx, tx, email, userID) })
}

// issueReset issues a link for the account that find returns and invalidates earlier ones.
func (i Invitations) issueReset(ctx context.Context, at position, find func(Tx) (Account, error)) (IssuedReset, error) {
	now := i.Now()
	var issued IssuedReset
	err := i.Store.InTx(ctx, func(tx Tx) error {
		account, err := find(tx)
		if err != nil {
			return err
		}
		link, code := i.Links.issue(Link{
			UserID: account.ID, OrganizationID: at.organization, Email: account.Email,
			ByPlatform: domain.ActorOf(ctx).Kind == domain.SystemActor, ExpiresAt: now.Add(resetLifetime),
		}, secrets.Reset, now)
		issued = IssuedReset{User: account.User, ExpiresAt: moment.New(link.ExpiresAt), Link: i.Links.shown(code)}
		if err := tx.EndResets(ctx, account.ID, now); err != nil {
			return err
		}
		change := userChange(domain.IssuePasswordReset, account.ID)
		change.OrgID, change.After = at.organization, map[string]any{"expiresAt": issued.ExpiresAt}
		if err := tx.Audit(ctx, change); err != nil {
			return err
		}
		return tx.InsertLink(ctx, link, code)
	})
	return issued, err
}

// ResetPassword sets the password of the code's account and ends its sessions. The account can then sign in from the
// caller's place at once, whatever failed before. A link issued by the operator also resets the failed logins of the
// address. An unknown, used or expired code is NOT_FOUND; so is a code of an organization that is no longer the
// account's only one (ACCOUNT-5).
func (i Invitations) ResetPassword(ctx context.Context, input PasswordReset) error {
	if _, err := domain.Authorize(ctx, domain.ResetPassword); err != nil {
		return err
	}
	var errs domain.FieldErrors
	if password(&errs, "newPassword", input.NewPassword); errs.Any() {
		return errs.Err()
	}
	digest, err := digestOf(input.Code, secrets.Reset, "Password reset")
	if err != nil {
		return err
	}
	if err := i.Store.ResetIsOpen(ctx, digest, i.Now()); err != nil {
		return err // an invalid code costs no hash
	}
	release, err := i.Passwords.slot(ctx, regular{})
	if err != nil {
		return err
	}
	defer release()
	return i.Store.InTx(ctx, func(tx Tx) error {
		link, err := tx.UseReset(ctx, digest, i.Now())
		if err != nil {
			return err
		}
		accounts, err := tx.Accounts(ctx, []string{link.UserID})
		if err != nil || len(accounts) == 0 {
			return orRefused(err, domain.NotFound("Password reset"))
		}
		account := accounts[0]
		if !link.ByPlatform {
			if only, err := tx.BelongsOnlyTo(ctx, account, link.OrganizationID); err != nil || !only {
				return orRefused(err, domain.NotFound("Password reset"))
			}
		}
		hashed := NewHash{Hash: hashBeside(accounts, input.NewPassword), Shared: link.passwordShared()}
		named := domain.WithActor(ctx, &domain.Actor{Kind: domain.UserActor, ID: account.ID})
		if err := resetTo(named, tx, account, hashed, i.Now()); err != nil {
			return err
		}
		if link.ByPlatform {
			if err := clearFailures(ctx, tx, account); err != nil {
				return err
			}
		}
		return i.Sessions.welcome(ctx, tx, account, i.Now())
	})
}

// clearFailures resets the failed logins of the account's address. It affects other accounts of the address too, so
// only the operator may cause it.
func clearFailures(ctx context.Context, tx Tx, account Account) error {
	return tx.SetFailures(ctx, elsewhereSubject(account.Email), Failures{})
}

// resetTo sets a new password and ends the sessions.
func resetTo(ctx context.Context, tx Tx, account Account, hashed NewHash, now time.Time) error {
	change := userChange(domain.ResetPassword, account.ID)
	change.After = map[string]any{"password": "changed"}
	if err := tx.Audit(ctx, change); err != nil {
		return err
	}
	if err := tx.SetPassword(ctx, account.ID, hashed, now); err != nil {
		return err
	}
	if err := tx.EndResets(ctx, account.ID, now); err != nil {
		return err
	}
	_, err := tx.EndSessions(ctx, account.ID, 0)
	return err
}

// onlyAccount returns the account with the id, or the only account of the address if userID is empty.
func onlyAccount(ctx context.Context, tx Tx, email, userID string) (Account, error) {
	ids, err := tx.AccountIDs(ctx, email)
	if err != nil {
		return Account{}, err
	}
	if userID != "" && slices.Contains(ids, userID) {
		ids = []string{userID}
	}
	switch {
	case len(ids) == 0 || (userID != "" && ids[0] != userID):
		return Account{}, domain.NotFound("User")
	case len(ids) > 1:
		return Account{}, domain.InvalidState("The address has several accounts; name one by its id: " + strings.Join(ids, ", "))
	}
	accounts, err := tx.Accounts(ctx, ids)
	if err != nil || len(accounts) == 0 {
		return Account{}, orRefused(err, domain.NotFound("User"))
	}
	return accounts[0], nil
}
