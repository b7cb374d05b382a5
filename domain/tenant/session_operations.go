package tenant

import (
	"context"
	"time"

	"ticketgate/domain"
)

// Sessions implements logins and the operations on sessions.
type Sessions struct {
	Store     Store
	Passwords *Passwords
	// Account and Address are the throttles of failures by email address and by network.
	Account Throttle
	Address Throttle
	// Unknown bounds the failures of callers with unknown addresses.
	Unknown *FailureBudget
	Limits  SessionLimits
	// Places signs the tokens of known browsers.
	Places PlaceKeys
	Now    func() time.Time
}

// maxGuess is the longest email address or password worth checking, in characters. No stored one is longer.
const maxGuess = 1000

// Login checks the email address and password and opens a session with a new token. The session of the call itself, if
// any, ends. Every failure is the same UNAUTHENTICATED error, including an unknown address. After several failures it
// is RATE_LIMITED, even with the right password.
func (s Sessions) Login(ctx context.Context, input LoginInput) (LoginResult, error) {
	actor, err := domain.Authorize(ctx, domain.Login)
	if err != nil {
		return LoginResult{}, err
	}
	var errs domain.FieldErrors
	errs.Length("email", input.Email, maxGuess)
	errs.Length("password", input.Password, maxGuess)
	if errs.Any() {
		return LoginResult{}, errs.Err()
	}
	return s.open(ctx, attempt{
		email: input.Email, password: input.Password, cookie: input.Cookie, action: domain.Login,
		refusal: domain.Unauthenticated("The email address or password is incorrect"),
		then: func(ctx context.Context, tx Tx, _ Account) error {
			if actor.SessionID == "" {
				return nil
			}
			return tx.EndSession(ctx, actor.SessionID)
		},
	})
}

// Logout ends the session of the call. Its token is invalid on every process once Logout returns (AUTH-5).
func (s Sessions) Logout(ctx context.Context) error {
	actor, err := domain.Authorize(ctx, domain.Logout)
	if err != nil {
		return err
	}
	return s.Store.InTx(ctx, func(tx Tx) error {
		change := sessionChange(domain.Logout, actor.SessionID)
		change.Before = map[string]any{"_id": actor.SessionID}
		if err := tx.Audit(ctx, change); err != nil {
			return err
		}
		return tx.EndSession(ctx, actor.SessionID)
	})
}

// LogoutEverywhere ends all sessions of the user, including the current one, and returns their number.
func (s Sessions) LogoutEverywhere(ctx context.Context) (int, error) {
	actor, err := domain.Authorize(ctx, domain.LogoutEverywhere)
	if err != nil {
		return 0, err
	}
	var ended int
	err = s.Store.InTx(ctx, func(tx Tx) error {
		change := domain.Change{Action: domain.LogoutEverywhere, Object: "user", ObjectID: actor.ID}
		change.After = map[string]any{"sessions": 0}
		if err := tx.Audit(ctx, change); err != nil {
			return err
		}
		ended, err = tx.EndSessions(ctx, actor.ID, 0)
		return err
	})
	return ended, err
}

// List returns the user's active sessions, oldest first.
func (s Sessions) List(ctx context.Context) ([]Session, error) {
	actor, err := domain.Authorize(ctx, domain.Sessions)
	if err != nil {
		return nil, err
	}
	now := s.Now()
	list, err := s.Store.Sessions(ctx, actor.ID, now, now.Add(-s.Limits.Idle))
	for i := range list {
		list[i].Current = list[i].ID == actor.SessionID
	}
	return list, err
}

// ChangePassword sets a new password for a user who knows the current one. It ends all sessions of the user and returns
// a new one. Wrong guesses of the current password count as failed logins.
func (s Sessions) ChangePassword(ctx context.Context, input PasswordChange) (LoginResult, error) {
	actor, err := domain.Authorize(ctx, domain.ChangePassword)
	if err != nil {
		return LoginResult{}, err
	}
	var errs domain.FieldErrors
	errs.Length("currentPassword", input.CurrentPassword, maxGuess)
	password(&errs, "newPassword", input.NewPassword)
	if !errs.Any() && input.NewPassword == input.CurrentPassword {
		errs.Add("newPassword", "must differ from the current password")
	}
	if errs.Any() {
		return LoginResult{}, errs.Err()
	}
	return s.open(ctx, attempt{
		userID: actor.ID, password: input.CurrentPassword, cookie: input.Cookie, action: domain.ChangePassword,
		refusal: domain.Invalid("currentPassword", "is incorrect"),
		then: func(ctx context.Context, tx Tx, account Account) error {
			if err := s.replacePassword(ctx, tx, account, input.NewPassword); err != nil {
				return err
			}
			_, err := tx.EndSessions(ctx, account.ID, 0)
			return err
		},
	})
}

// replacePassword sets a password that only its owner knows. Open reset links end.
func (s Sessions) replacePassword(ctx context.Context, tx Tx, account Account, password string) error {
	if err := tx.EndResets(ctx, account.ID, s.Now()); err != nil {
		return err
	}
	return tx.SetPassword(ctx, account.ID, NewHash{Hash: hashBeside([]Account{account}, password)}, s.Now())
}

// Sweep deletes ended sessions, failures older than a day, unused known places, and invitations and links a month after
// they ended. A periodic job calls it.
func (s Sessions) Sweep(ctx context.Context) error {
	now := s.Now()
	return s.Store.InTx(ctx, func(tx Tx) error {
		if err := tx.ClearFailures(ctx, now.AddDate(0, 0, -1)); err != nil {
			return err
		}
		if err := tx.PurgePlaces(ctx, now.AddDate(0, 0, -knownNetworkDays)); err != nil {
			return err
		}
		if err := tx.PurgeInvitations(ctx, now.AddDate(0, -1, 0)); err != nil {
			return err
		}
		return tx.PurgeSessions(ctx, now, now.Add(-s.Limits.Idle))
	})
}

// sessionChange returns a new audit entry for a session. Sessions belong to their user alone, so no seller's log shows
// them.
func sessionChange(action domain.Operation, id string) domain.Change {
	return domain.Change{Action: action, Object: "session", ObjectID: id}
}
