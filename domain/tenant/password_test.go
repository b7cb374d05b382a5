package tenant

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/share"
)

func TestPasswordHashCostIsSufficient(t *testing.T) {
	t.Parallel()
	if want := (cost{memory: 19 * 1024, passes: 2, threads: 1}); programCost != want {
		t.Errorf("got %+v, want %+v", programCost, want)
	}
	salt := []byte("0123456789abcdef")
	stored := programCost.phc(salt, programCost.key("correct horse battery", salt))
	if !strings.HasPrefix(stored, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Fatalf("got %q", stored)
	}
	for password, want := range map[string]bool{"correct horse battery": true, "correct horse batterY": false} {
		if same, outdated, err := matches(stored, password); err != nil || same != want || !outdated {
			t.Errorf("%q: got %v, %v, %v, want %v and an outdated hash", password, same, outdated, err, want)
		}
	}
}

func TestMatches(t *testing.T) {
	t.Parallel()
	stored := hash("correct horse battery")
	if !strings.HasPrefix(stored, "$argon2id$v=19$m=64,t=1,p=1$") {
		t.Fatalf("got %q", stored)
	}
	if again := hash("correct horse battery"); again == stored {
		t.Error("two hashes of one password are equal, so the salt is not random")
	}
	for _, row := range []struct {
		stored, password string
		same, outdated   bool
	}{
		{stored, "correct horse battery", true, false},
		{stored, "correct horse batterY", false, false},
		{stored, "correct horse battery ", false, false},
		{decoy(), "", false, false},
		{cheaperHash(t, "correct horse battery"), "correct horse battery", true, true},
	} {
		same, outdated, err := matches(row.stored, row.password)
		if err != nil || same != row.same || outdated != row.outdated {
			t.Errorf("%q: got %v, %v, %v, want %v, %v", row.password, same, outdated, err, row.same, row.outdated)
		}
	}
}

// cheaperHash returns a hash with a lower cost, as earlier versions stored it.
func cheaperHash(t *testing.T, password string) string {
	t.Helper()
	c, salt, _, err := parseHash(hash(password))
	if err != nil {
		t.Fatal(err)
	}
	c.memory = 32
	return c.phc(salt, c.key(password, salt))
}

func TestDamagedHashesAreErrors(t *testing.T) {
	t.Parallel()
	good := hash("x")
	for name, damaged := range map[string]string{
		"empty":           "",
		"other function":  strings.Replace(good, "argon2id", "argon2i", 1),
		"other version":   strings.Replace(good, "v=19", "v=16", 1),
		"zero passes":     strings.Replace(good, "t=1", "t=0", 1),
		"zero threads":    strings.Replace(good, "p=1", "p=0", 1),
		"too much memory": strings.Replace(good, "m=64", "m=4000000000", 1),
		"no parameters":   strings.Replace(good, "m=64,t=1,p=1", "", 1),
		"truncated key":   good[:len(good)-40],
		"invalid key":     good[:len(good)-1] + "!",
		"extra part":      good + "$",
	} {
		if same, _, err := matches(damaged, "x"); err == nil || same {
			t.Errorf("%s: got %v, %v, want an error", name, same, err)
		}
	}
}

func TestPasswordRules(t *testing.T) {
	t.Parallel()
	for text, ok := range map[string]bool{
		"twelve chars":                     true,
		"eleven char":                      false,
		"zwölf zählen":                     true,
		strings.Repeat("é", maxPassword):   true,
		strings.Repeat("é", 1+maxPassword): false,
		strings.Repeat(" ", minPassword):   false,
		strings.Repeat("a", minPassword):   true, // no rules about composition
		"with a NUL \x00 inside":           false,
		"not UTF-8 \xff at all":            false,
	} {
		var errs domain.FieldErrors
		if password(&errs, "password", text); errs.Any() == ok {
			t.Errorf("%q: got %v", text, errs.Err())
		}
	}
}

func TestHashingWaitsForItsTurn(t *testing.T) {
	t.Parallel()
	passwords := NewPasswords(share.Bounds{Total: 1, PerSeller: 1, Wait: time.Minute})
	release, err := passwords.slot(t.Context(), regular{})
	if err != nil {
		t.Fatal(err)
	}
	impatient, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := passwords.Hash(impatient, "x"); !domain.HasCode(err, domain.CodeUnavailable) {
		t.Errorf("got %v while the only slot was taken", err)
	}
	release()
	if _, err := passwords.Hash(t.Context(), "x"); err != nil {
		t.Errorf("got %v with a free slot", err)
	}
}

func TestOrGenerated(t *testing.T) {
	t.Parallel()
	if password, shown := orMade("given"); password != "given" || shown != "" {
		t.Errorf("got %q, shown %q", password, shown)
	}
	password1, shown := orMade("")
	password2, _ := orMade("")
	if password1 != shown || password1 == password2 || len(password1) < 26 {
		t.Errorf("got %q shown as %q, then %q", password1, shown, password2)
	}
}

// An address waits for at most one of the many attempts of another address (LIMIT-20).
func TestAddressesTakeTurnsToHash(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		passwords := NewPasswords(share.Bounds{Total: 1, PerSeller: 1, Wait: time.Minute})
		from := func(address string) context.Context {
			return domain.WithCall(t.Context(), domain.Call{Address: address})
		}
		first, err := passwords.slot(from("2001:db8:1:1::1"), regular{})
		if err != nil {
			t.Fatal(err)
		}
		var order []string
		wait := func(address string) {
			go func() {
				release, err := passwords.slot(from(address), regular{})
				if err == nil {
					order = append(order, address)
					release()
				}
			}()
			synctest.Wait()
		}
		for i := range 5 { // a subscriber with many networks takes one turn
			wait(fmt.Sprintf("2001:db8:1:%x::1", i+1))
		}
		wait("2001:db8:2:1::1")
		wait("192.0.2.2")
		first()
		synctest.Wait()
		if len(order) != 7 || order[1] != "2001:db8:2:1::1" || order[2] != "192.0.2.2" {
			t.Errorf("got %v", order)
		}
	})
}

// Hold takes a hash slot, for tests outside this package.
func (p *Passwords) Hold(ctx context.Context) (release func(), err error) {
	return p.slot(ctx, regular{})
}

// However many callers at unknown places wait, an account that knows its place, a signed-in user and the platform get a
// slot at once, and known callers get the next one (LIMIT-20).
func TestKnownCallersDoNotWaitForStrangers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		passwords := NewPasswords(share.Bounds{Total: 2, PerSeller: 1, Wait: 10 * time.Second})
		var refused atomic.Int64
		for i := range 200 {
			go func() {
				from := domain.WithCall(t.Context(), domain.Call{Address: fmt.Sprintf("203.0.113.%d", i)})
				if _, err := passwords.slot(from, regular{}); err != nil {
					refused.Add(1)
				}
			}()
		}
		synctest.Wait()
		from := domain.WithCall(t.Context(), domain.Call{Address: "192.0.2.1"})
		for _, actor := range []*domain.Actor{{}, {Kind: domain.UserActor, ID: "u1"}, {Kind: domain.SystemActor}} {
			known := regular{}
			if actor.Kind == 0 {
				known.account = "u2"
			}
			started := time.Now()
			release, err := passwords.slot(domain.WithActor(from, actor), known)
			if err != nil || time.Since(started) > 0 {
				t.Fatalf("%+v: %v after %v", actor, err, time.Since(started))
			}
			served := false
			go func() {
				next, err := passwords.slot(from, regular{account: "u3"})
				if served = err == nil; served {
					next()
				}
			}()
			synctest.Wait()
			if served {
				t.Error("more hashes run than there are slots")
			}
			release()
			synctest.Wait()
			if !served {
				t.Error("a stranger got the slot for known callers")
			}
		}
		<-time.After(11 * time.Second)
		synctest.Wait()
		if refused.Load() != 199 {
			t.Errorf("%d strangers were refused, want all except the first", refused.Load())
		}
	})
}

// However many accounts an organization's invitations created, and at whatever places they are known, other
// organizations' accounts and sessions get their turns (LIMIT-20).
func TestAccountsOfOneOrganizationTakeTurnsTogether(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		passwords := NewPasswords(share.Bounds{Total: 2, PerSeller: 1, Wait: time.Hour})
		var mutex sync.Mutex
		var order []string
		hash := func(name string, actor domain.Actor, known regular) {
			go func() {
				ctx := domain.WithCall(domain.WithActor(t.Context(), &actor), domain.Call{Address: "192.0.2.1"})
				release, err := passwords.slot(ctx, known)
				if err != nil {
					return
				}
				<-time.After(time.Second)
				mutex.Lock()
				order = append(order, name)
				mutex.Unlock()
				release()
			}()
			synctest.Wait()
		}
		const each = 50
		for i := range each {
			id := fmt.Sprint(i)
			hash("stranger", domain.Actor{}, regular{})
			hash("eves", domain.Actor{}, regular{account: "e" + id, invitedBy: "eve"})
			hash("session", domain.Actor{Kind: domain.UserActor, ID: "e" + id}, regular{})
		}
		for i := range 3 {
			hash("bobs", domain.Actor{}, regular{account: fmt.Sprint("b", i), invitedBy: "bob"})
		}
		hash("operators", domain.Actor{}, regular{account: "o"})
		<-time.After(each * 3 * time.Second)
		synctest.Wait()
		if len(order) != 3*each+4 {
			t.Fatalf("%d hashes were computed", len(order))
		}
		for name, within := range map[string]int{"bobs": 8, "operators": 8} {
			if at := slices.Index(order, name); at > within {
				t.Errorf("%s had to wait for %d hashes", name, at)
			}
		}
	})
}
