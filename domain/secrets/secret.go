package secrets

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"strings"
)

// Kind is the kind of a secret. It is the secret's prefix, so that scanners and people can recognize it.
type Kind string

// The kinds of secret.
const (
	APIKey  Kind = "key_"
	Session Kind = "sess_"
	Device  Kind = "dev_"
	// Checkout grants the buyer access to one checkout.
	Checkout Kind = "chk_"
	// Invitation accepts one invitation, once.
	Invitation Kind = "inv_"
	// Reset sets a new password for one account, once.
	Reset Kind = "rst_"
)

const (
	secretRandomBytes = 44
	secretHexLength   = 2*secretRandomBytes + 8
)

// Digest is the SHA-256 digest of a secret. Only the digest is stored (AUTH-7).
type Digest [sha256.Size]byte

// New returns a new secret: the kind's prefix and 96 lower-case hexadecimal characters, of which the last eight are the
// CRC-32 (IEEE) of everything before them (AUTH-7).
func New(kind Kind) string {
	var random [secretRandomBytes]byte
	_, _ = rand.Read(random[:]) // never fails: crypto/rand ends the program instead
	body := string(kind) + hex.EncodeToString(random[:])
	return body + checksum(body)
}

// KindOf returns the kind of a secret. It returns false for a text that is not a secret or has a typing error, so such
// a text needs no query.
func KindOf(text string) (Kind, bool) {
	for _, kind := range [...]Kind{
		APIKey, Session, Device, Checkout, Invitation, Reset,
	} {
		if rest, ok := strings.CutPrefix(text, string(kind)); ok {
			return kind, len(rest) == secretHexLength && isLowerHex(rest) &&
				checksum(text[:len(text)-8]) == text[len(text)-8:]
		}
	}
	return "", false
}

// DigestOf returns the digest under which a secret is stored.
func DigestOf(secret string) Digest { return sha256.Sum256([]byte(secret)) }

// Hint returns the part of a secret that a list may show: its first eight and last four characters.
func Hint(secret string) string {
	const head, tail = 8, 4
	if len(secret) < 2*(head+tail) {
		return ""
	}
	return secret[:head] + "…" + secret[len(secret)-tail:]
}

func checksum(body string) string {
	var sum [crc32.Size]byte
	binary.BigEndian.PutUint32(sum[:], crc32.ChecksumIEEE([]byte(body)))
	return hex.EncodeToString(sum[:])
}

func isLowerHex(text string) bool {
	for _, c := range []byte(text) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
