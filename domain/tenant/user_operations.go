package tenant

import (
	"context"
	"errors"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
)

// Users implements the operations on users.
type Users struct {
	Store     Store
	Passwords *Passwords
	Now       func() time.Time
	// Mode is the mode of the installation that Me returns, dev or prod.
	Mode string
	// RetentionDays is the retention that Me returns, in days.
	RetentionDays int
}

// Actions in the audit log that are not API operations.
const (
	createUser    domain.Operation = "createUser"
	mergeAccounts domain.Operation = "mergeAccounts"
)

// Create creates a user without memberships. Only the platform may call it.
func (u Users) Create(ctx context.Context, input NewUser) (Credentials, error) {
	if err := platformOnly(ctx); err != nil {
		return Credentials{}, err
	}
	account, shown, err := newAccount(ctx, u.Passwords, NewMember{
		Email: input.Email, Name: input.Name, Password: input.Password, Role: domain.Viewer,
	}, u.Now())
	if err != nil {
		return Credentials{}, err
	}
	err = u.Store.InTx(ctx, func(tx Tx) error {
		if err := insertOnly(ctx, tx, account); err != nil {
			return err
		}
		return tx.Audit(ctx, userChange(createUser, account.ID).Diff(nil, account.User))
	})
	return Credentials{User: account.User, Password: shown}, err
}

// SetPassword sets a user's password, ends its sessions and resets the failed logins of its address. Only the
// operator's commands may call it.
func (u Users) SetPassword(ctx context.Context, input NewPassword) (User, error) {
	if err := platformOnly(ctx); err != nil {
		return User{}, err
	}
	var errs domain.FieldErrors
	if password(&errs, "password", input.Password); errs.Any() {
		return User{}, errs.Err()
	}
	hashed, err := u.Passwords.Hash(ctx, input.Password)
	if err != nil {
		return User{}, err
	}
	var user User
	err = u.Store.InTx(ctx, func(tx Tx) error {
		account, err := onlyAccount(ctx, tx, input.Email, input.UserID)
		if err != nil {
			return err
		}
		user = account.User
		if err := resetTo(ctx, tx, account, NewHash{Hash: hashed}, u.Now()); err != nil {
			return err
		}
		return clearFailures(ctx, tx, account)
	})
	return user, err
}

// Me describes the caller: a user with its memberships and the seller that the call acts on, a key, or the platform.
func (u Users) Me(ctx context.Context) (Me, error) {
	actor, err := domain.Authorize(ctx, domain.Me)
	if err != nil {
		return Me{}, err
	}
	me := Me{Type: callerTypes[actor.Kind], ID: actor.ID, Mode: u.Mode, RetentionDays: u.RetentionDays}
	switch actor.Kind {
	case domain.UserActor:
		err = u.describeUser(ctx, actor, &me)
	case domain.OrganizationKeyActor:
		var organization Organization
		organization, err = u.Store.Organization(ctx, actor.OrgID)
		me.Organization = &organization
	case domain.SystemActor:
		me.ID = actor.Creator().ID
	case domain.Nobody, domain.APIKeyActor, domain.DeviceActor, domain.BuyerActor:
	}
	if err == nil && actor.SellerID != "" {
		var seller Seller
		seller, err = u.Store.Seller(ctx, actor.SellerID)
		me.Seller = &seller
	}
	if err != nil {
		return Me{}, err
	}
	return me, nil
}

// callerTypes has no row for callers that may not call me.
var callerTypes = map[domain.ActorKind]CallerType{
	domain.UserActor:            CallerUser,
	domain.APIKeyActor:          CallerAPIKey,
	domain.OrganizationKeyActor: CallerOrganizationKey,
	domain.SystemActor:          CallerSystem,
}

// describeUser adds the fields of a user. The role is the higher of those at the seller and at its organization.
func (u Users) describeUser(ctx context.Context, actor *domain.Actor, me *Me) error {
	user, err := u.Store.User(ctx, actor.ID)
	if err != nil {
		return err
	}
	me.User = &user
	if role := actor.RoleAt(actor.SellerID, actor.OrgID); role != domain.NoRole {
		me.Role = &role
	}
	me.Memberships, err = u.Store.Memberships(ctx, actor.ID)
	return err
}

// newAccount returns a new account with its hashed password, and the password itself if it was generated.
func newAccount(ctx context.Context, passwords *Passwords, input NewMember, now time.Time) (Account, string, error) {
	input, err := input.validateAccount()
	if err != nil {
		return Account{}, "", err
	}
	text, shown := orMade(input.Password)
	hashed, err := passwords.Hash(ctx, text)
	if err != nil {
		return Account{}, "", err
	}
	user := User{ID: ids.New(now), Email: input.Email, Name: input.Name, CreatedAt: moment.New(now)}
	return Account{User: user, PasswordHash: hashed}, shown, nil
}

const addressInUse = "is already in use"

// AddressInUse reports whether err means that the email address already has an account.
func AddressInUse(err error) bool {
	refused, ok := errors.AsType[*domain.Error](err)
	return ok && len(refused.Fields) == 1 && refused.Fields[0].Path == "email" && refused.Fields[0].Message == addressInUse
}

// insertOnly inserts an account if its address has none yet.
func insertOnly(ctx context.Context, tx Tx, account Account) error {
	if ids, err := tx.AccountIDs(ctx, account.Email); err != nil || len(ids) > 0 {
		return orRefused(err, domain.Invalid("email", addressInUse))
	}
	return tx.InsertAccount(ctx, account)
}

// userChange returns a new audit entry for a user, which must not hold a password or its hash.
func userChange(action domain.Operation, id string) domain.Change {
	return domain.Change{Action: action, Object: "user", ObjectID: id}
}

// platformOnly returns FORBIDDEN unless the caller is the platform.
func platformOnly(ctx context.Context) error {
	if domain.ActorOf(ctx).Kind != domain.SystemActor {
		return domain.Forbidden("Only the platform can do this")
	}
	return nil
}
