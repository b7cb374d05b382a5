package tenant

import (
	"context"
	"time"

	"ticketgate/domain"
)

// Users is what can be done with users.
type Users struct {
	Store     Store
	Passwords *Passwords
	Now       func() time.Time
	// Mode is what Me tells of the installation: dev or prod.
	Mode string
	// RetentionDays is what Me tells of how long things are kept.
	RetentionDays int
}

// What only the platform's command line does. It has no door, therefore no row in the table of operations.
const (
	createUser    domain.Operation = "createUser"
	resetPassword domain.Operation = "resetPassword"
)

// Create makes a user who is a member of nothing yet; only the platform itself may.
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
		if err := tx.InsertAccount(ctx, account); err != nil {
			return err
		}
		return tx.Audit(ctx, userChange(createUser, account.ID).Diff(nil, account.User))
	})
	return Credentials{User: account.User, Password: shown}, err
}

// ResetPassword gives a user a new password, ends all its sessions and opens a locked account; only the platform
// itself may.
func (u Users) ResetPassword(ctx context.Context, input NewPassword) (Credentials, error) {
	if err := platformOnly(ctx); err != nil {
		return Credentials{}, err
	}
	text, shown := orMade(input.Password)
	var problems domain.Problems
	if password(&problems, "password", text); problems.Any() {
		return Credentials{}, problems.Err()
	}
	hashed, err := u.Passwords.Hash(ctx, text)
	if err != nil {
		return Credentials{}, err
	}
	result := Credentials{Password: shown}
	err = u.Store.InTx(ctx, func(tx Tx) error {
		if err := tx.SetFailures(ctx, accountSubject(input.Email), Failures{}); err != nil {
			return err
		}
		account, err := tx.AccountByEmail(ctx, input.Email)
		if err != nil {
			return err
		}
		result.User = account.User
		change := userChange(resetPassword, account.ID)
		change.After = map[string]any{"password": "changed"}
		if err := tx.Audit(ctx, change); err != nil {
			return err
		}
		if err := tx.SetPasswordHash(ctx, account.ID, hashed, u.Now()); err != nil {
			return err
		}
		_, err = tx.EndSessions(ctx, account.ID, 0)
		return err
	})
	return result, err
}

// Me tells the caller who it is: a user with its memberships and the seller that the call acts on, a key, or the
// platform.
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

// callerTypes has no row for those who may not ask.
var callerTypes = map[domain.ActorKind]CallerType{
	domain.UserActor:            CallerUser,
	domain.APIKeyActor:          CallerAPIKey,
	domain.OrganizationKeyActor: CallerOrganizationKey,
	domain.SystemActor:          CallerSystem,
}

// describeUser adds what only a person has. The role is the greater of those at the seller and its organization.
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

// newAccount makes a user with its password hashed, and the password when it was made here.
func newAccount(ctx context.Context, passwords *Passwords, input NewMember, now time.Time) (Account, string, error) {
	input, err := input.validate()
	if err != nil {
		return Account{}, "", err
	}
	text, shown := orMade(input.Password)
	hashed, err := passwords.Hash(ctx, text)
	if err != nil {
		return Account{}, "", err
	}
	user := User{ID: domain.NewID(now), Email: input.Email, Name: input.Name, CreatedAt: domain.NewDateTime(now)}
	return Account{User: user, PasswordHash: hashed}, shown, nil
}

// userChange begins an audit entry; what it shows never holds a password or its hash.
func userChange(action domain.Operation, id string) domain.Change {
	return domain.Change{Action: action, Object: "user", ObjectID: id}
}

// platformOnly lets the platform itself pass and nobody else.
func platformOnly(ctx context.Context) error {
	if domain.ActorOf(ctx).Kind != domain.SystemActor {
		return domain.Forbidden("Only the platform itself may do this")
	}
	return nil
}
