package secrets_test

import (
	"strings"
	"testing"

	"ticketgate/domain/secrets"
)

const crcOfZeros = "9164a4a7"

func TestSecrets(t *testing.T) {
	for kind, prefix := range map[secrets.Kind]string{
		secrets.APIKey: "key_", secrets.Session: "sess_", secrets.Device: "dev_",
	} {
		secret := secrets.New(kind)
		if len(secret) != len(prefix)+96 || !strings.HasPrefix(secret, prefix) {
			t.Errorf("%q is not a %s secret", secret, prefix)
		}
		if got, ok := secrets.KindOf(secret); got != kind || !ok {
			t.Errorf("KindOf(%q) is %q, %v", secret, got, ok)
		}
	}
	// The CRC-32 (IEEE) of "key_" and 88 zeros, computed independently with zlib.
	known := "key_" + strings.Repeat("0", 88) + crcOfZeros
	if _, ok := secrets.KindOf(known); !ok {
		t.Errorf("%q is refused", known)
	}
	t.Run("every changed character is detected", func(t *testing.T) {
		secret := secrets.New(secrets.APIKey)
		for i := range secret {
			for _, c := range "0123456789abcdefABCDEFgz_-" {
				if rune(secret[i]) == c {
					continue
				}
				changed := secret[:i] + string(c) + secret[i+1:]
				if _, ok := secrets.KindOf(changed); ok {
					t.Fatalf("%q passes", changed)
				}
			}
		}
	})
	if hint := secrets.Hint("key_0123456789abcdefghijkl"); hint != "key_0123…ijkl" {
		t.Errorf("hint %q", hint)
	}
}
