package apikey

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
)

var noon = time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)

func at(t *testing.T, text string) moment.DateTime {
	t.Helper()
	when, err := moment.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return when
}

func TestExpiryOfANewKey(t *testing.T) {
	t.Parallel()
	leapDay := time.Date(2028, 2, 29, 12, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		now     time.Time
		sent    string
		allowed bool
		stored  string
	}{
		"the current time is rejected":            {noon, "2026-11-27T12:00:00Z", false, ""},
		"one millisecond later is allowed":        {noon, "2026-11-27T12:00:00.001Z", true, "2026-11-27T12:00:00.001Z"},
		"fractions of a millisecond are dropped":  {noon, "2026-11-27T12:00:00.000999999Z", false, ""},
		"the past is rejected":                    {noon, "0001-01-01T00:00:00Z", false, ""},
		"one year ahead is allowed":               {noon, "2027-11-27T12:00:00Z", true, "2027-11-27T12:00:00.000Z"},
		"one year and a second is too far":        {noon, "2027-11-27T12:00:01Z", false, ""},
		"one year and a millisecond is too far":   {noon, "2027-11-27T12:00:00.001Z", false, ""},
		"the year 9999 is too far":                {noon, "9999-12-31T23:59:59Z", false, ""},
		"an offset is stored as UTC":              {noon, "2026-12-01T00:30:00+14:00", true, "2026-11-30T10:30:00.000Z"},
		"an offset can move a time into the past": {noon, "2026-11-27T13:59:59+02:00", false, ""},
		"nine digits are not rounded up":          {noon, "2026-11-28T00:00:00.999999999Z", true, "2026-11-28T00:00:00.999Z"},
		"a year after a leap day is 1 March":      {leapDay, "2029-03-01T12:00:00Z", true, "2029-03-01T12:00:00.000Z"},
		"a year after a leap day, too far":        {leapDay, "2029-03-01T12:00:00.001Z", false, ""},
		"the current millisecond is rejected":     {noon.Add(300 * time.Microsecond), "2026-11-27T12:00:00Z", false, ""},
		"the next millisecond is allowed": {
			noon.Add(300 * time.Microsecond), "2026-11-27T12:00:00.001Z", true, "2026-11-27T12:00:00.001Z",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			key, err := NewKey{Name: "k", ExpiresAt: optional.Some(at(t, c.sent))}.key(Owner{SellerID: "s"}, c.now)
			if (err == nil) != c.allowed {
				t.Fatalf("allowed is %v, want %v (%v)", err == nil, c.allowed, err)
			}
			if err == nil && key.ExpiresAt.String() != c.stored {
				t.Errorf("stored %s, want %s", key.ExpiresAt, c.stored)
			}
			if err != nil && domain.AsError(err).Fields[0].Path != "expiresAt" {
				t.Errorf("fields: %v", domain.AsError(err).Fields)
			}
		})
	}
}

func TestExpiryOfAnUpdate(t *testing.T) {
	t.Parallel()
	for sent, want := range map[string]string{
		`"2026-11-27T20:37:00.12+01:00"`: "2026-11-27T19:37:00.120Z",
		`1795780800000`:                  "2026-11-27T12:00:00.000Z",
		`1.7957808e12`:                   "2026-11-27T12:00:00.000Z",
		`0`:                              "1970-01-01T00:00:00.000Z",
		`-1`:                             "1969-12-31T23:59:59.999Z",
		`-62135596800000`:                "0001-01-01T00:00:00.000Z",
		`-62135596800001`:                "",
		`253402300800000`:                "",
		`1795780800000.5`:                "",
		`1e400`:                          "",
		`""`:                             "",
		`"tomorrow"`:                     "",
		`"2027-02-30T00:00:00Z"`:         "",
		`"2027-02-28"`:                   "",
		`"1795780800000"`:                "",
		`true`:                           "",
		`{}`:                             "",
		`["2026-11-27T20:37:00Z"]`:       "",
	} {
		var expiry Expiry
		err := json.Unmarshal([]byte(sent), &expiry)
		if (err == nil) != (want != "") || (err == nil && expiry.String() != want) {
			t.Errorf("JSON %s: got %s, %v; want %q", sent, expiry, err, want)
		}
		var decoded any
		decoder := json.NewDecoder(strings.NewReader(sent))
		decoder.UseNumber() // as gqlgen reads variables
		if decoder.Decode(&decoded) != nil {
			t.Fatal(sent)
		}
		var graph Expiry
		err = graph.UnmarshalGQL(decoded)
		if (err == nil) != (want != "") || (err == nil && graph != expiry) {
			t.Errorf("GraphQL %s: got %s, %v; want %q", sent, graph, err, want)
		}
	}
	var literal Expiry
	if err := literal.UnmarshalGQL(int64(1795780800000)); err != nil || !literal.Equal(noon) {
		t.Errorf("a GraphQL integer literal: got %s, %v", literal, err)
	}
}

func TestKeyChange(t *testing.T) {
	t.Parallel()
	past, future := moment.New(noon.Add(-time.Hour)), moment.New(noon.Add(time.Hour))
	tooLate := moment.New(noon.AddDate(1, 0, 1))
	list := func(p ...domain.Permission) optional.Value[[]domain.Permission] { return optional.Some(p) }
	sellers := func(change func(*Key)) Key {
		key := Key{Name: "k", SellerID: "s", Active: true, CreatedAt: moment.New(noon.Add(-time.Minute))}
		key = key.withAccess(false, []domain.Permission{"scans:list"})
		change(&key)
		return key
	}
	as := func(e moment.DateTime) optional.Value[Expiry] { return optional.Some(Expiry{DateTime: e}) }
	number := func(text string) optional.Value[Expiry] {
		var expiry Expiry
		if err := expiry.UnmarshalJSON([]byte(text)); err != nil {
			t.Fatal(err)
		}
		return optional.Some(expiry)
	}
	expired := func(k *Key) { k.ExpiresAt = &past }
	expiredInactive := func(k *Key) { k.ExpiresAt, k.Active = &past, false }
	unchanged := func(*Key) {}
	full := func(k *Key) { *k = k.withAccess(true, nil) }
	organization := func(k *Key) { *k = Key{Name: "k", OrgID: "o", Active: true} }
	active, activate := func(k Key) bool { return k.Active }, optional.Some(true)
	emptied := func(k Key) bool { return k.Permissions != nil && len(k.Permissions) == 0 }
	fullAndEmpty := func(k Key) bool { return k.HasFullAccess() && emptied(k) }
	for name, c := range map[string]struct {
		old     func(*Key)
		change  Change
		refused string // path
		check   func(Key) bool
	}{
		"an empty change keeps everything": {expired, Change{}, "", func(k Key) bool {
			return k.Name == "k" && k.Active && *k.ExpiresAt == past && len(k.Permissions) == 1
		}},
		"a name keeps the expiry": {expired, Change{Name: optional.Some(" new ")}, "", func(k Key) bool {
			return k.Name == "new" && *k.ExpiresAt == past
		}},
		"null keeps name and active": {
			expired,
			Change{Name: optional.Null[string](), Active: optional.Null[bool]()},
			"",
			func(k Key) bool { return k.Name == "k" && k.Active },
		},
		"null clears the expiry": {expired, Change{ExpiresAt: optional.Null[Expiry]()}, "", func(k Key) bool {
			return k.ExpiresAt == nil
		}},
		"an expiry may be in the past": {unchanged, Change{ExpiresAt: as(past)}, "", func(k Key) bool { return k.ExpiredAt(noon) }},
		// BODY-20
		"a number of seconds is rejected": {unchanged, Change{ExpiresAt: number("1798536383")}, "expiresAt", nil},
		"zero is rejected":                {unchanged, Change{ExpiresAt: number("0")}, "expiresAt", nil},
		"a number before creation fails":  {unchanged, Change{ExpiresAt: number("1795780739999")}, "expiresAt", nil},
		"a number at creation is accepted": {
			unchanged, Change{ExpiresAt: number("1795780740000")}, "", func(k Key) bool { return k.ExpiredAt(noon) },
		},
		"a number in the future is accepted": {unchanged, Change{ExpiresAt: number("1798536383000")}, "", func(k Key) bool {
			return k.ExpiresAt.String() == "2026-12-29T09:26:23.000Z"
		}},
		"an expiry must not be too far": {unchanged, Change{ExpiresAt: as(tooLate)}, "expiresAt", nil},

		"an expired key can't be activated":   {expiredInactive, Change{Active: activate}, "active", nil},
		"nor with a new expiry in the past":   {expiredInactive, Change{Active: activate, ExpiresAt: as(past)}, "active", nil},
		"unless the call extends the expiry":  {expiredInactive, Change{Active: activate, ExpiresAt: as(future)}, "", active},
		"or clears it":                        {expiredInactive, Change{Active: activate, ExpiresAt: optional.Null[Expiry]()}, "", active},
		"active may be repeated when expired": {expired, Change{Active: activate}, "", active},

		"full access empties the list": {unchanged, Change{FullSellerAccess: optional.Some(true)}, "", fullAndEmpty},
		"even if a list is sent with it": {
			unchanged, Change{FullSellerAccess: optional.Some(true), Permissions: list("scans:list")}, "", fullAndEmpty,
		},
		"a list doesn't end full access": {full, Change{Permissions: list("scans:list")}, "", fullAndEmpty},
		"null clears the permissions":    {unchanged, Change{Permissions: optional.Null[[]domain.Permission]()}, "", emptied},
		"the list is replaced without duplicates": {
			unchanged,
			Change{Permissions: list("events:list", "tickets:list", "events:list")},
			"",
			func(k Key) bool {
				return slices.Equal(k.Permissions, []domain.Permission{"events:list", "tickets:list"})
			},
		},
		"a wildcard is rejected":       {unchanged, Change{Permissions: list("events:list", "events:*")}, "permissions[1]", nil},
		"a key permission is rejected": {unchanged, Change{Permissions: list("apiKeys:create")}, "permissions[0]", nil},

		"an organization key has no list": {organization, Change{Permissions: list()}, "permissions", nil},
		"nor full access":                 {organization, Change{FullSellerAccess: optional.Some(false)}, "fullSellerAccess", nil},
		"but null is accepted for both": {
			organization,
			Change{FullSellerAccess: optional.Null[bool](), Permissions: optional.Null[[]domain.Permission]()},
			"",
			func(k Key) bool { return k.Permissions == nil && k.FullSellerAccess == nil },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			key, err := c.change.apply(sellers(c.old), noon)
			switch {
			case c.refused != "":
				if !domain.HasCode(err, domain.CodeValidationFailed) || domain.AsError(err).Fields[0].Path != c.refused {
					t.Fatalf("got %v, want an error at %s", err, c.refused)
				}
			case err != nil:
				t.Fatal(err)
			case !c.check(key):
				t.Errorf("the key is now %+v", key)
			}
		})
	}
}

func TestRotationEndsOldSecrets(t *testing.T) {
	t.Parallel()
	soon := moment.New(noon.Add(time.Hour))
	for name, c := range map[string]struct {
		expiresAt *moment.DateTime
		overlap   optional.Value[int]
		want      time.Time
		refused   bool
	}{
		"at once if the overlap is omitted":   {nil, optional.Value[int]{}, noon, false},
		"after the overlap":                   {nil, optional.Some(86_400), noon.Add(24 * time.Hour), false},
		"never later than the key itself":     {&soon, optional.Some(86_400), soon.Time, false},
		"a negative overlap is rejected":      {nil, optional.Some(-1), time.Time{}, true},
		"an overlap over 30 days is rejected": {nil, optional.Some(2_592_001), time.Time{}, true},
		"an expired key is rejected":          {new(moment.New(noon)), optional.Some(0), time.Time{}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			until, err := Rotation{OverlapSeconds: c.overlap}.until(Key{ExpiresAt: c.expiresAt}, noon)
			if !until.Equal(c.want) || domain.HasCode(err, domain.CodeValidationFailed) != c.refused {
				t.Errorf("got %v, %v", until, err)
			}
		})
	}
}

func TestAuthorizationHeader(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		headers []string
		want    string
	}{
		"one space":            {[]string{"Bearer abc"}, "abc"},
		"lower case":           {[]string{"bearer abc"}, "abc"},
		"upper case":           {[]string{"BEARER abc"}, "abc"},
		"mixed case":           {[]string{"bEaReR abc"}, "abc"},
		"two spaces":           {[]string{"Bearer  abc"}, "abc"},
		"many spaces":          {[]string{"bearer      abc"}, "abc"},
		"a tab":                {[]string{"Bearer\tabc"}, ""},
		"a tab after a space":  {[]string{"Bearer \tabc"}, ""},
		"spaces in the token":  {[]string{"Bearer abc abc"}, ""},
		"the scheme twice":     {[]string{"Bearer Bearer abc"}, ""},
		"no space":             {[]string{"Bearerabc"}, ""},
		"a Kelvin sign":        {[]string{"Bearer\u212a abc"}, ""},
		"a longer scheme":      {[]string{"Bearers abc"}, ""},
		"only spaces":          {[]string{"Bearer   "}, ""},
		"a space at the end":   {[]string{"Bearer abc "}, ""},
		"a space at the start": {[]string{" Bearer abc"}, ""},
		"two headers":          {[]string{"Bearer abc", "Bearer abc"}, ""},
		"8 KB":                 {[]string{"Bearer " + strings.Repeat("a", 8192)}, ""},
		"the longest":          {[]string{"Bearer " + strings.Repeat("a", 200)}, strings.Repeat("a", 200)},
		"NUL":                  {[]string{"Bearer ab\x00c"}, ""},
		"not ASCII":            {[]string{"Bearer abé"}, ""},
		"a different scheme":   {[]string{"Basic abc"}, ""},
		"no token":             {[]string{"Bearer "}, ""},
		"an empty header":      {[]string{""}, ""},
	} {
		if token, ok := Bearer(c.headers); ok != (c.want != "") || (ok && token != c.want) {
			t.Errorf("%s: got %q, %v", name, token, ok)
		}
	}
}

func TestKeyCredentialExpiresExactly(t *testing.T) {
	t.Parallel()
	deadline, end := moment.New(noon), noon
	for name, c := range map[string]struct {
		credential KeyCredential
		want       [3]bool // a microsecond before, at, and a microsecond after the deadline
	}{
		"with the key's expiry": {KeyCredential{Active: true, ExpiresAt: &deadline}, [3]bool{true, false, false}},
		"with the secret's end": {KeyCredential{Active: true, ValidUntil: &end}, [3]bool{true, false, false}},
		"never without expiry":  {KeyCredential{Active: true}, [3]bool{true, true, true}},
		"at once if inactive":   {KeyCredential{}, [3]bool{}},
	} {
		for i, offset := range []time.Duration{-time.Microsecond, 0, time.Microsecond} {
			if got := c.credential.Alive(noon.Add(offset)); got != c.want[i] {
				t.Errorf("ends %s: Alive at %v is %v", name, offset, got)
			}
		}
	}
}
