package tenant

import (
	"context"
	"time"

	"ticketgate/domain"
)

// Sessions is what can be done with sessions, and how they begin.
type Sessions struct {
	Store     Store
	Passwords *Passwords
	// Account and Address say how often an e-mail and a network address may fail.
	Account Throttle
	Address Throttle
	// Unknown bounds the failures of callers whose address is not known.
	Unknown *FailureBudget
	Limits  SessionLimits
	// Places sign the tokens of known browsers.
	Places PlaceKeys
	Now    func() time.Time
}

// longestGuess bounds what is worth checking: no e-mail and no password is longer, in characters.
const longestGuess = 1000

// Login checks e-mail and password and opens a session with a token of its own; a session that the call itself came
// with ends. Whatever is wrong, an unknown e-mail too, is the same UNAUTHENTICATED; after several failures it is
// RATE_LIMITED, also with the right password.
func (s Sessions) Login(ctx context.Context, input LoginInput) (LoginResult, error) {
	actor, err := domain.Authorize(ctx, domain.Login)
	if err != nil {
		return LoginResult{}, err
	}
	var problems domain.Problems
	problems.Length("email", input.Email, longestGuess)
	problems.Length("password", input.Password, longestGuess)
	if problems.Any() {
		return LoginResult{}, problems.Err()
	}
	return s.open(ctx, attempt{
		email: input.Email, password: input.Password, cookie: input.Cookie, action: domain.Login,
		refusal: domain.Unauthenticated("E-mail or password is wrong"),
		then: func(ctx context.Context, tx Tx, _ Account) error {
			if actor.SessionID == "" {
				return nil
			}
			return tx.EndSession(ctx, actor.SessionID)
		},
	})
}

// Logout ends the session of the call: its token is dead on every process from the answer on.
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

// LogoutEverywhere ends all sessions of the user, this one included, and tells how many they were.
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

// List returns the user's own sessions that still authenticate, oldest first.
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

// ChangePassword sets a new password for the user who knows the current one. All its sessions end; the answer is a
// new one. Wrong guesses of the current password count like failed logins.
func (s Sessions) ChangePassword(ctx context.Context, input PasswordChange) (LoginResult, error) {
	actor, err := domain.Authorize(ctx, domain.ChangePassword)
	if err != nil {
		return LoginResult{}, err
	}
	var problems domain.Problems
	problems.Length("currentPassword", input.CurrentPassword, longestGuess)
	password(&problems, "newPassword", input.NewPassword)
	if !problems.Any() && input.NewPassword == input.CurrentPassword {
		problems.Add("newPassword", "must differ from the current password")
	}
	if problems.Any() {
		return LoginResult{}, problems.Err()
	}
	return s.open(ctx, attempt{
		userID: actor.ID, password: input.CurrentPassword, cookie: input.Cookie, action: domain.ChangePassword,
		refusal: domain.Invalid("currentPassword", "is wrong"),
		then: func(ctx context.Context, tx Tx, account Account) error {
			if err := s.replacePassword(ctx, tx, account, input.NewPassword); err != nil {
				return err
			}
			_, err := tx.EndSessions(ctx, account.ID, 0)
			return err
		},
	})
}

// replacePassword sets a password that its owner chose alone. Links for a new one end.
func (s Sessions) replacePassword(ctx context.Context, tx Tx, account Account, password string) error {
	if err := tx.EndResets(ctx, account.ID, s.Now()); err != nil {
		return err
	}
	return tx.SetPassword(ctx, account.ID, NewHash{Hash: hashBeside([]Account{account}, password)}, s.Now())
}

// Sweep removes sessions that ended by themselves, failures that are a day old, places that were not used for months, and
// invitations and links a month after their end. A periodic job calls it.
func (s Sessions) Sweep(ctx context.Context) error {
	now := s.Now()
	return s.Store.InTx(ctx, func(tx Tx) error {
		if err := tx.ForgetFailures(ctx, now.AddDate(0, 0, -1)); err != nil {
			return err
		}
		if err := tx.ForgetPlaces(ctx, now.AddDate(0, 0, -knownNetworkDays)); err != nil {
			return err
		}
		if err := tx.ForgetInvitations(ctx, now.AddDate(0, -1, 0)); err != nil {
			return err
		}
		return tx.ForgetSessions(ctx, now, now.Add(-s.Limits.Idle))
	})
}

// sessionChange begins an audit entry. A session belongs to its user alone: no seller sees it in its log.
func sessionChange(action domain.Operation, id string) domain.Change {
	return domain.Change{Action: action, Object: "session", ObjectID: id}
}
