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

// The bounds of a password in characters. There are no rules about its composition. Length is what matters.
const (
	minPassword = 12
	maxPassword = 200
)

// password adds the faults of a new password. It is taken as sent, including spaces.
func password(errs *domain.FieldErrors, path, text string) {
	length := utf8.RuneCountInString(text)
	switch {
	case length < minPassword || length > maxPassword:
		errs.Add(path, fmt.Sprintf("must have %d to %d characters, not %d", minPassword, maxPassword, length))
	case strings.TrimSpace(text) == "":
		errs.Add(path, "must not consist of spaces only")
	}
	errs.Text(path, text)
}

// orMade returns given as the password. If it is empty, it generates a password of 130 random bits, which is also
// returned in shown.
func orMade(given string) (password, shown string) {
	if given != "" {
		return given, ""
	}
	created := rand.Text()
	return created, created
}

// cost holds the parameters of an argon2id hash. Each stored hash carries its own, so the cost can grow.
type cost struct {
	memory  uint32 // KiB
	passes  uint32
	threads uint8
}

var currentCost = cost{memory: 19 * 1024, passes: 2, threads: 1}

// CheapHashes makes the hashes of this process almost free. It is for tests, which create accounts by the hundred and
// otherwise spend half their time hashing. Call it before the first hash.
func CheapHashes() { currentCost = cost{memory: 64, passes: 1, threads: 1} }

const (
	saltLength = 16
	hashLength = 32
)

// Passwords hashes and checks passwords, a few at a time: each hash takes 19 MiB and tens of milliseconds of CPU.
type Passwords struct{ slots *share.Shares }

// NewPasswords returns Passwords whose concurrent hashes are bounded, in total and per caller. If the bound is two or
// more, callers at unknown places leave one slot to others.
func NewPasswords(bounds share.Bounds) *Passwords { return &Passwords{slots: share.New(bounds)} }

// Groups of callers that share their turns, however many they are.
const (
	// strangers are callers at places where no account is known to have signed in.
	strangers ids.Org = "unknown places"
	// signedIn are users of whom only a session is known.
	signedIn ids.Org = "signed-in users"
	// accountsOf is the prefix for the accounts that one organization's invitations created.
	accountsOf ids.Org = "accounts of "
)

// regular is an account that knows the place of a call. The zero value is none.
type regular struct {
	account string
	// invitedBy is the organization whose invitation created the account, if any.
	invitedBy ids.Org
}

// payer returns whose share the account's hashes count in. Accounts of one organization's invitations share it, because
// an organization can create any number of them.
func (r regular) payer() share.Payer {
	payer := share.Payer{Seller: ids.Seller("account " + r.account)}
	if r.invitedBy != "" {
		payer.Organization = accountsOf + r.invitedBy
	}
	return payer
}

// slot waits until the caller may hash. release frees the slot. Subscribers take turns, so that many attempts of one
// don't delay the others. An account that knows the place of the call or owns its session has a turn of its own, and
// strangers always leave it a slot (LIMIT-20).
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

// Hash returns the hash of a password for storage.
func (p *Passwords) Hash(ctx context.Context, password string) (string, error) {
	release, err := p.slot(ctx, regular{})
	if err != nil {
		return "", err
	}
	defer release()
	return hash(password), nil
}

// hash returns a PHC string with the current cost. The caller holds a slot.
func hash(password string) string {
	salt := make([]byte, saltLength)
	_, _ = rand.Read(salt) // never fails: crypto/rand ends the program instead
	return currentCost.phc(salt, currentCost.key(password, salt))
}

// hashBeside is hash with the salt of the address's other accounts. A login can then check a password against all of
// them with a single hash, and takes the same time for one account as for several. The caller holds a slot.
func hashBeside(accounts []Account, password string) string {
	for _, account := range accounts {
		if c, salt, _, err := parseHash(account.PasswordHash); err == nil && c == currentCost {
			return c.phc(salt, c.key(password, salt))
		}
	}
	return hash(password)
}

// candidates checks one password against several hashes and computes the key of each salt once. The caller holds a
// slot.
type candidates struct {
	password string
	keys     map[string][]byte
}

// matches is the function matches with cached keys.
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

// key returns the argon2id key. It allocates the cost's memory.
func (c cost) key(password string, salt []byte) []byte {
	return argon2.IDKey([]byte(password), salt, c.passes, c.memory, c.threads, hashLength)
}

// phc returns the stored form of a hash.
func (c cost) phc(salt, key []byte) string {
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, c.memory, c.passes, c.threads,
		base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(key))
}

// matches reports whether the password has the stored hash, and whether the hash is outdated because the cost has
// changed. The caller holds a slot.
func matches(stored, password string) (same, outdated bool, err error) {
	return (&candidates{password: password}).matches(stored)
}

// decoy returns a hash to check for unknown email addresses, so that the response takes as long as for a wrong
// password. Its salt and key are zeros. No password is known to match.
func decoy() string { return currentCost.phc(make([]byte, saltLength), make([]byte, hashLength)) }

var errBadHash = errors.New("the stored password hash is not a valid argon2id hash")

// parseHash parses a PHC string. A damaged row must lead to an error, never to a successful login.
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

// sane reports whether the cost is usable. A damaged row must not allocate all memory or, with zero passes, end the
// program.
func (c cost) sane() bool {
	const mostMemory, mostPasses = 1 << 20, 100
	return c.memory >= 8 && c.memory <= mostMemory && c.passes >= 1 && c.passes <= mostPasses && c.threads >= 1
}
