package tenant

import (
	"context"
	"time"

	"ticketgate/domain"
)

// attempt is one try to prove who somebody is by a password: a login or a change of the password.
type attempt struct {
	email    string
	password string
	cookie   bool
	action   domain.Operation
	// refusal is what a wrong password gets.
	refusal *domain.Error
	// then is what happens with the right one, before the new session begins.
	then func(ctx context.Context, tx Tx, account Account) error
}

// open checks the attempt's password and opens a session.
//
// The rows that count failures stay locked while the password is checked: parallel guesses at one account, or from
// one address, wait for each other on whatever process they are, and none slips in before the failure is counted.
// A turn is taken before the transaction, so that waiting holds no connection.
func (s Sessions) open(ctx context.Context, a attempt) (LoginResult, error) {
	a.email = domain.Trim(a.email)
	call := domain.CallOf(ctx)
	if err := s.Unknown.check(call, s.Now()); err != nil {
		return LoginResult{}, err
	}
	release, err := s.Passwords.slot(ctx)
	if err != nil {
		return LoginResult{}, err
	}
	defer release()

	var result LoginResult
	var refused error // a refusal commits: the failure is counted
	err = s.Store.InTx(ctx, func(tx Tx) error {
		now := s.Now()
		account, no, err := s.prove(ctx, tx, a, now)
		if refused = no; err != nil || refused != nil {
			return err
		}
		result, err = s.begin(ctx, tx, a, account, now)
		return err
	})
	if err == nil && refused != nil {
		s.Unknown.fail(call, s.Now())
		err = refused
	}
	if err != nil {
		return LoginResult{}, err
	}
	return result, nil
}

// subject is whose failures are counted, and how.
type subject struct {
	digest   domain.Digest
	throttle Throttle
	failures Failures
}

// prove returns the account that the attempt belongs to, locked, or why it was refused.
func (s Sessions) prove(ctx context.Context, tx Tx, a attempt, now time.Time) (account Account, refused, err error) {
	// Always the account first: transactions that lock in one order never wait in a circle.
	subjects := []subject{{digest: accountSubject(a.email), throttle: s.Account}}
	if network := domain.CallOf(ctx).Network(); network != "" {
		subjects = append(subjects, subject{digest: addressSubject(network), throttle: s.Address})
	}
	for i := range subjects {
		subjects[i].failures, err = tx.Failures(ctx, subjects[i].digest)
		if err != nil {
			return Account{}, nil, err
		}
		if wait := subjects[i].failures.Wait(now); wait > 0 {
			return Account{}, lockedOut(wait), nil
		}
	}
	account, known, err := checkPassword(ctx, tx, a, now)
	if err != nil {
		return Account{}, nil, err
	}
	if known {
		return account, nil, tx.SetFailures(ctx, subjects[0].digest, Failures{})
	}
	for _, one := range subjects {
		if err := tx.SetFailures(ctx, one.digest, one.throttle.Fail(one.failures, now)); err != nil {
			return Account{}, nil, err
		}
	}
	return Account{}, a.refusal, nil
}

// checkPassword does the same work whether or not anybody has the e-mail. The account's row is locked, so that a
// password that is being changed can't open a session which survives the change.
func checkPassword(ctx context.Context, tx Tx, a attempt, now time.Time) (account Account, right bool, err error) {
	account, err = tx.AccountByEmail(ctx, a.email)
	if domain.HasCode(err, domain.CodeNotFound) {
		_, _, err = matches(decoy, a.password)
		return Account{}, false, err
	}
	if err != nil {
		return Account{}, false, err
	}
	right, outdated, err := matches(account.PasswordHash, a.password)
	if err == nil && right && outdated {
		err = tx.SetPasswordHash(ctx, account.ID, hash(a.password), now)
	}
	return account, right, err
}

// begin opens the session, in the name of the user from here on.
func (s Sessions) begin(ctx context.Context, tx Tx, a attempt, account Account, now time.Time) (LoginResult, error) {
	if err := a.then(ctx, tx, account); err != nil {
		return LoginResult{}, err
	}
	session, secret := newSession(account.User, domain.CallOf(ctx), s.Limits, now)
	if err := tx.InsertSession(ctx, session); err != nil {
		return LoginResult{}, err
	}
	named := domain.WithActor(ctx, &domain.Actor{Kind: domain.UserActor, ID: account.ID, SessionID: session.ID})
	if err := tx.Audit(named, sessionChange(a.action, session.ID).Diff(nil, session.Session)); err != nil {
		return LoginResult{}, err
	}
	if _, err := tx.EndSessions(ctx, account.ID, s.Limits.Parallel); err != nil {
		return LoginResult{}, err
	}
	result := LoginResult{Token: secret, Session: session.Session, User: account.User}
	if a.cookie {
		result.Token, result.Cookie = "", secret
	}
	return result, nil
}
