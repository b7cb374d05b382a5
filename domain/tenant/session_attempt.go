package tenant

import (
	"context"
	"slices"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/texts"
)

// attempt is an attempt to authenticate by password: a login or a change of the password.
type attempt struct {
	email string
	// userID is set for a change of the password: the user of the call's session.
	userID   string
	password string
	cookie   bool
	action   domain.Operation
	// refusal is the error for a wrong password.
	refusal *domain.Error
	// then runs after the right password, before the new session is opened.
	then func(ctx context.Context, tx Tx, account Account) error
}

// open checks the attempt's password and opens a session.
//
// The rows that count failures stay locked while the password is checked. Parallel guesses at one account or from one
// address therefore wait for each other across processes, and none is checked before earlier failures are counted. The
// hash slot is taken before the transaction, so that waiting holds no connection.
func (s Sessions) open(ctx context.Context, a attempt) (LoginResult, error) {
	a.email = texts.Trim(a.email)
	known, err := s.knownAccount(ctx, a)
	if err != nil {
		return LoginResult{}, err
	}
	release, err := s.Passwords.slot(ctx, known)
	if err != nil {
		return LoginResult{}, err
	}
	defer release()

	var result LoginResult
	var refused error // a refusal commits, so that the failure is counted
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
		s.Unknown.fail(domain.CallOf(ctx), s.Now())
		err = refused
	}
	if err != nil {
		return LoginResult{}, err
	}
	return result, nil
}

// knownAccount returns the account of the attempt that knows the place of the call, preferring a known browser to a
// known network, or the zero value. It does the same work for an address without accounts.
func (s Sessions) knownAccount(ctx context.Context, a attempt) (known regular, err error) {
	err = s.Store.InTx(ctx, func(tx Tx) error {
		known.account = a.userID
		if a.userID == "" {
			if known.account, err = s.accountAt(ctx, tx, a.email); err != nil {
				return err
			}
		}
		known.invitedBy, err = tx.Inviter(ctx, known.account)
		return err
	})
	return known, err
}

// accountAt returns the account of an address that knows the place of the call, or "".
func (s Sessions) accountAt(ctx context.Context, tx Tx, email string) (known string, err error) {
	ids, err := tx.AccountIDs(ctx, email)
	if err != nil {
		return "", err
	}
	places, err := s.places(ctx, tx, ids, s.Now())
	if err != nil {
		return "", err
	}
	for _, id := range ids {
		of, is := places[id]
		if is && of.own {
			return id, nil
		}
		if is && known == "" {
			known = id
		}
	}
	return known, nil
}

// prove returns the account that the attempt authenticates, locked, or the reason for refusing it.
func (s Sessions) prove(ctx context.Context, tx Tx, a attempt, now time.Time) (account Account, refused, err error) {
	ids := []string{a.userID}
	if a.userID == "" {
		if ids, err = tx.AccountIDs(ctx, a.email); err != nil {
			return Account{}, nil, err
		}
	}
	counted, err := s.counts(ctx, tx, a, ids, now)
	if err != nil {
		return Account{}, nil, err
	}
	wait, open := counted.wait(now), counted.open(ids, now)
	if len(open) == 0 && !counted.takesStrangers(now) {
		return Account{}, lockedOut(wait), nil
	}
	matched, err := checkPasswords(ctx, tx, a.password, open)
	switch {
	case err != nil:
		return Account{}, nil, err
	case len(matched) > 0:
		if err := counted.clear(ctx, tx, ids, matched); err != nil {
			return Account{}, nil, err
		}
		account, err = s.opened(ctx, tx, a, matched, len(open) > 1, now)
		return account, nil, err
	}
	if err := counted.fail(ctx, tx, open, now); err != nil {
		return Account{}, nil, err
	}
	if wait > 0 {
		return Account{}, lockedOut(counted.wait(now)), nil
	}
	return Account{}, a.refusal, nil
}

// provenAccount is an account whose password matches.
type provenAccount struct {
	Account

	// outdated is true if the stored hash has another cost than new hashes.
	outdated bool
}

// checkPasswords returns the accounts with the password, oldest first. It does the same work without any account. It
// locks the rows, so that a password being changed can't open a session that survives the change.
func checkPasswords(ctx context.Context, tx Tx, password string, open []string) ([]provenAccount, error) {
	accounts, err := tx.Accounts(ctx, open)
	if err != nil {
		return nil, err
	}
	check := candidates{password: password}
	if len(accounts) == 0 {
		_, _, err = check.matches(decoy())
		return nil, err
	}
	var matched []provenAccount
	for _, account := range accounts {
		same, outdated, err := check.matches(account.PasswordHash)
		if err != nil {
			return nil, err
		}
		if same {
			matched = append(matched, provenAccount{account, outdated})
		}
	}
	return matched, nil
}

// opened returns the account that a login opens, merging all accounts that have the password.
//
// A login with the password of one account also compares it with the other accounts. The owner of one account could
// guess at another by setting one password after another, so the comparisons are counted, apart from failed logins.
// While too many have failed, the login opens only the account whose password was set last: a guess is always newer
// than the guessed password (ACCOUNT-8). The work is the same for an address with one account.
func (s Sessions) opened(
	ctx context.Context, tx Tx, a attempt, matched []provenAccount, compared bool, now time.Time,
) (Account, error) {
	if a.userID == "" {
		subject := comparisonSubject(a.email)
		failures, err := tx.Failures(ctx, subject)
		if err != nil {
			return Account{}, err
		}
		if failures.Wait(now) > 0 {
			newest := slices.MaxFunc(matched, func(one, other provenAccount) int { return one.PasswordSetAt.Compare(other.PasswordSetAt) })
			matched = []provenAccount{newest}
		} else if compared && len(matched) == 1 {
			failures = s.Account.Fail(failures, now)
		}
		if err := tx.SetFailures(ctx, subject, failures); err != nil {
			return Account{}, err
		}
	}
	if first := &matched[0]; first.outdated {
		first.PasswordHash = hash(a.password)
		renewed := NewHash{Hash: first.PasswordHash, Shared: first.PasswordShared}
		if err := tx.SetPassword(ctx, first.ID, renewed, now); err != nil {
			return Account{}, err
		}
	}
	return s.merged(ctx, tx, matched)
}

// merged returns the oldest of the matched accounts with the memberships of all. They belong to one person, who could
// not reach the other accounts otherwise.
func (s Sessions) merged(ctx context.Context, tx Tx, matched []provenAccount) (Account, error) {
	account := matched[0].Account
	for _, other := range matched[1:] {
		if err := tx.MergeAccount(ctx, account.ID, other.ID); err != nil {
			return Account{}, err
		}
		if err := tx.Audit(ctx, userChange(mergeAccounts, account.ID).Diff(other.User, account.User)); err != nil {
			return Account{}, err
		}
		if other.PasswordShared && !account.PasswordShared {
			account.PasswordShared = true
			if err := tx.SetPassword(ctx, account.ID, NewHash{Hash: account.PasswordHash, Shared: true}, s.Now()); err != nil {
				return Account{}, err
			}
		}
	}
	return account, nil
}

// remember makes the place of a login known for its account and returns the token for the browser, if any.
func (s Sessions) remember(ctx context.Context, tx Tx, account Account, cookie bool, now time.Time) (token string, err error) {
	call := domain.CallOf(ctx)
	if network := call.Network(); network != "" {
		if err := tx.KnowPlace(ctx, networkPlace(account.ID, network), now); err != nil {
			return "", err
		}
	}
	if !cookie {
		return "", nil
	}
	return s.Places.sign(account.ID, s.Places.nonceOf(account.ID, call.PlaceTokens, now), now), nil
}

// begin opens the session. From here on, the user is the actor of audit entries.
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
	var err error
	result.PlaceToken, err = s.remember(ctx, tx, account, a.cookie, now)
	return result, err
}
