package tenant

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"ticketgate/domain"
)

// attempt is one try to prove who somebody is by a password: a login or a change of the password.
type attempt struct {
	email string
	// userID is the user of the session that the attempt comes with, if its own password is to be proven.
	userID   string
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
		s.Unknown.fail(domain.CallOf(ctx), s.Now())
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
	// known says that the browser is known, or the session: no bound that strangers use up holds it up.
	known bool
}

// prove returns the account that the attempt belongs to, locked, or why it was refused. Accounts that are locked here and
// now are left out; with several accounts of the address, a success at one is a failure at the others, so that knowing one
// password opens no way to guess another (ACCOUNT-7).
func (s Sessions) prove(ctx context.Context, tx Tx, a attempt, now time.Time) (account Account, refused, err error) {
	ids := []string{a.userID}
	if a.userID == "" {
		if ids, err = tx.AccountIDs(ctx, a.email); err != nil {
			return Account{}, nil, err
		}
	}
	subjects, err := s.subjects(ctx, tx, a, ids, now)
	if err != nil {
		return Account{}, nil, err
	}
	address := subject{throttle: s.Address}
	if from := domain.CallOf(ctx).Network(); from != "" {
		address.digest = addressSubject(from)
		if address.failures, err = tx.Failures(ctx, address.digest); err != nil {
			return Account{}, nil, err
		}
	}
	refused = s.Unknown.check(domain.CallOf(ctx), now)
	if wait := address.failures.Wait(now); wait > 0 {
		refused = lockedOut(wait)
	}
	if refused != nil {
		maps.DeleteFunc(subjects, func(_ string, of subject) bool { return !of.known })
	}
	open, wait := openSubjects(subjects, now)
	if len(open) == 0 {
		return Account{}, orRefused(refused, lockedOut(wait)), nil
	}
	matched, err := checkPasswords(ctx, tx, a.password, open, now)
	if err != nil {
		return Account{}, nil, err
	}
	if err := settleFailures(ctx, tx, open, matched, now); err != nil {
		return Account{}, nil, err
	}
	if len(matched) == 0 {
		if address.digest != (domain.Digest{}) {
			err = tx.SetFailures(ctx, address.digest, address.throttle.Fail(address.failures, now))
		}
		return Account{}, a.refusal, err
	}
	account, err = s.merged(ctx, tx, matched)
	return account, nil, err
}

// subjects returns for each account under which subject its failures are counted at the place of the call, locked in the
// order of the accounts: transactions that lock in one order never wait in a circle. An address without an account has one
// subject as well, under the key "".
func (s Sessions) subjects(ctx context.Context, tx Tx, a attempt, ids []string, now time.Time) (map[string]subject, error) {
	call := domain.CallOf(ctx)
	network := call.Network()
	keys := ids
	if len(ids) == 0 {
		keys = []string{""}
	}
	places := make([]domain.Digest, len(keys))
	for i, id := range keys {
		places[i] = networkPlace(cmp.Or(id, domain.FoldEmail(a.email)), network)
	}
	known, err := tx.KnownPlaces(ctx, places)
	if err != nil {
		return nil, err
	}
	subjects := make(map[string]subject, len(keys))
	for i, id := range keys {
		of := subject{digest: accountSubject(cmp.Or(id, domain.FoldEmail(a.email))), throttle: s.Account}
		nonce := s.Places.nonceOf(id, call.PlaceTokens, now)
		switch {
		case a.userID != "": // a session is the proof that its user signed in
			of.digest, of.known = sessionSubject(id), true
		case nonce != nil:
			of.digest, of.known = browserSubject(id, nonce), true
		case network != "" && known[places[i]]:
			of.digest = places[i]
		}
		if of.failures, err = tx.Failures(ctx, of.digest); err != nil {
			return nil, err
		}
		subjects[id] = of
	}
	return subjects, nil
}

// openSubjects returns the subjects that are not locked, and for how long the first of the locked ones is.
func openSubjects(subjects map[string]subject, now time.Time) (open map[string]subject, wait time.Duration) {
	open = map[string]subject{}
	for id, of := range subjects {
		switch left := of.failures.Wait(now); {
		case left == 0:
			open[id] = of
		case wait == 0 || left < wait:
			wait = left
		}
	}
	return open, wait
}

// checkPasswords returns the accounts that have the password, oldest first. It does the same work without any account. The
// rows are locked, so that a password that is being changed can't open a session which survives the change.
func checkPasswords(ctx context.Context, tx Tx, password string, open map[string]subject, now time.Time) ([]Account, error) {
	accounts, err := tx.Accounts(ctx, slices.Collect(maps.Keys(open)))
	if err != nil {
		return nil, err
	}
	check := candidates{password: password}
	if len(accounts) == 0 {
		_, _, err = check.matches(decoy)
		return nil, err
	}
	var matched []Account
	for _, account := range accounts {
		same, outdated, err := check.matches(account.PasswordHash)
		if err != nil {
			return nil, err
		}
		if !same {
			continue
		}
		if outdated {
			renewed := NewHash{Hash: hash(password), Shared: account.PasswordShared}
			if err := tx.SetPassword(ctx, account.ID, renewed, now); err != nil {
				return nil, err
			}
		}
		matched = append(matched, account)
	}
	return matched, nil
}

// settleFailures clears the failures of the accounts that have the password and counts one of each other account.
func settleFailures(ctx context.Context, tx Tx, open map[string]subject, matched []Account, now time.Time) error {
	for _, id := range slices.Sorted(maps.Keys(open)) {
		of, after := open[id], Failures{}
		if !slices.ContainsFunc(matched, func(account Account) bool { return account.ID == id }) {
			after = of.throttle.Fail(of.failures, now)
		}
		if err := tx.SetFailures(ctx, of.digest, after); err != nil {
			return err
		}
	}
	return nil
}

// merged returns the oldest of the accounts that one address and password open, with the memberships of all: they belong to
// one person, who would not reach the others.
func (s Sessions) merged(ctx context.Context, tx Tx, matched []Account) (Account, error) {
	account := matched[0]
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

// remember makes the place of a login known for its account, and returns the token for the browser.
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
	var err error
	result.PlaceToken, err = s.remember(ctx, tx, account, a.cookie, now)
	return result, err
}
