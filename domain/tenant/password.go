package tenant

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/share"
)

// The bounds of a password in characters. There are no rules about its composition: length is what counts.
const (
	shortestPassword = 12
	longestPassword  = 200
)

// password notes what is wrong with a new password; it is taken as it is, spaces included.
func password(problems *domain.Problems, path, text string) {
	length := utf8.RuneCountInString(text)
	switch {
	case length < shortestPassword || length > longestPassword:
		problems.Add(path, fmt.Sprintf("must have %d to %d characters, not %d", shortestPassword, longestPassword, length))
	case strings.TrimSpace(text) == "":
		problems.Add(path, "must not be only spaces")
	}
	problems.Text(path, text)
}

// orMade returns the password, or a new one of 130 random bits when there is none, and what the caller is to be
// shown: only one that was made.
func orMade(given string) (password, shown string) {
	if given != "" {
		return given, ""
	}
	made := rand.Text()
	return made, made
}

// cost is what one argon2id hash takes. Each hash carries its own, so that it can grow.
type cost struct {
	memory  uint32 // KiB
	passes  uint32
	threads uint8
}

var currentCost = cost{memory: 19 * 1024, passes: 2, threads: 1}

// CheapHashes makes the hashes of this process cost next to nothing. It is for tests, which make accounts by the hundred: half of
// their processor time was hashes. It must be called before the first hash.
func CheapHashes() { currentCost = cost{memory: 64, passes: 1, threads: 1} }

const (
	saltLength = 16
	hashLength = 32
)

// Passwords hashes and checks passwords, a few at a time: each takes 19 MiB and tens of milliseconds of a core.
type Passwords struct{ slots *share.Shares }

// NewPasswords allows so many hashes at a time in this process, in all and for one caller. Of two or more, callers at unknown
// places leave one to others.
func NewPasswords(bounds share.Bounds) *Passwords { return &Passwords{slots: share.New(bounds)} }

// Callers that take turns together, however many they are.
const (
	// strangers are at places where no account is known to have signed in.
	strangers ids.Org = "unknown places"
	// signedIn are users of whom no more is known than that they have a session.
	signedIn ids.Org = "signed-in users"
	// accountsOf begins the name of the accounts that one organization's invitations made.
	accountsOf ids.Org = "accounts of "
)

// regular is an account that knows the place of a call; the zero value is none.
type regular struct {
	account string
	// invitedBy is the organization whose invitation made the account, if any did.
	invitedBy ids.Org
}

// payer returns whose turn the account has. An organization makes as many accounts as it likes.
func (r regular) payer() share.Payer {
	payer := share.Payer{Seller: ids.Seller("account " + r.account)}
	if r.invitedBy != "" {
		payer.Organization = accountsOf + r.invitedBy
	}
	return payer
}

// slot waits for its turn until the caller gives up. What it returns ends the turn. Subscribers take turns, so that one with
// many attempts makes no other one wait for all of them. An account that knows the place of the call, or whose session it is,
// has a turn of its own, and strangers leave it a place, however many they are (LIMIT-20).
func (p *Passwords) slot(ctx context.Context, known regular) (release func(), err error) {
	payer := share.Payer{Seller: ids.Seller(domain.CallOf(ctx).Subscriber()), Organization: strangers}
	switch actor := domain.ActorOf(ctx); {
	case known.account != "":
		payer = known.payer()
	case actor.Kind == domain.UserActor:
		payer = share.Payer{Seller: ids.Seller("account " + actor.ID), Organization: signedIn}
	case actor.Kind == domain.SystemActor:
		payer = share.Payer{}
	}
	release, err = p.slots.Take(ctx, payer)
	if err != nil {
		return nil, domain.Unavailable(err)
	}
	return release, nil
}

// Hash makes the hash of a password that is to be stored.
func (p *Passwords) Hash(ctx context.Context, password string) (string, error) {
	release, err := p.slot(ctx, regular{})
	if err != nil {
		return "", err
	}
	defer release()
	return hash(password), nil
}

// hash makes a PHC string with the current cost; the caller holds a slot.
func hash(password string) string {
	salt := make([]byte, saltLength)
	_, _ = rand.Read(salt) // never fails: crypto/rand ends the program instead
	return currentCost.phc(salt, currentCost.key(password, salt))
}

// hashBeside is hash with the salt of the address's other accounts: a login checks a password against all of them by
// computing one hash, and takes as long for one account as for several. The caller holds a slot.
func hashBeside(accounts []Account, password string) string {
	for _, account := range accounts {
		if c, salt, _, err := parseHash(account.PasswordHash); err == nil && c == currentCost {
			return c.phc(salt, c.key(password, salt))
		}
	}
	return hash(password)
}

// candidates checks one password against several hashes, computing each salt's key once. The caller holds a slot.
type candidates struct {
	password string
	keys     map[string][]byte
}

// matches is the function matches with the keys that were computed before.
func (c *candidates) matches(stored string) (same, outdated bool, err error) {
	costs, salt, key, err := parseHash(stored)
	if err != nil {
		return false, false, err
	}
	of := costs.phc(salt, nil)
	if c.keys[of] == nil {
		if c.keys == nil {
			c.keys = map[string][]byte{}
		}
		c.keys[of] = costs.key(c.password, salt)
	}
	return subtle.ConstantTimeCompare(c.keys[of], key) == 1, costs != currentCost, nil
}

// key takes the cost's memory while it runs.
func (c cost) key(password string, salt []byte) []byte {
	return argon2.IDKey([]byte(password), salt, c.passes, c.memory, c.threads, hashLength)
}

// phc is the form in which hashes are stored.
func (c cost) phc(salt, key []byte) string {
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, c.memory, c.passes, c.threads,
		base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(key))
}

// matches tells whether a password has this hash, and whether the hash should be made anew because the cost has
// changed; the caller holds a slot.
func matches(stored, password string) (same, outdated bool, err error) {
	return (&candidates{password: password}).matches(stored)
}

// decoy returns the hash that is checked when nobody has the e-mail, so that the answer takes as long as a wrong password. Its
// salt and key are zeros: no password is known to lead there.
func decoy() string { return currentCost.phc(make([]byte, saltLength), make([]byte, hashLength)) }

var errBadHash = errors.New("the stored password hash is none of argon2id")

// parseHash reads a PHC string. Rows are ours, but one that was damaged must be an error and no way in.
func parseHash(stored string) (c cost, salt, key []byte, err error) {
	parts := strings.Split(stored, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return c, nil, nil, errBadHash
	}
	_, scanned := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &c.memory, &c.passes, &c.threads)
	salt, saltErr := base64.RawStdEncoding.DecodeString(parts[4])
	key, keyErr := base64.RawStdEncoding.DecodeString(parts[5])
	if errors.Join(scanned, saltErr, keyErr) != nil || !c.sane() || len(salt) < 8 || len(key) != hashLength {
		return c, nil, nil, errBadHash
	}
	return c, salt, key, nil
}

// sane keeps a damaged row from taking all memory or, with no pass, from ending the program.
func (c cost) sane() bool {
	const mostMemory, mostPasses = 1 << 20, 100
	return c.memory >= 8 && c.memory <= mostMemory && c.passes >= 1 && c.passes <= mostPasses && c.threads >= 1
}
