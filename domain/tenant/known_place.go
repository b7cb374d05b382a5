package tenant

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"time"

	"ticketgate/domain/secrets"
)

// A known place is a browser or a network where an account signed in before. Failures there are counted separately, so
// that wrong passwords from elsewhere don't lock the owner out (ACCOUNT-7).

// How long known places are kept.
const (
	// PlaceTokenLifetime is how long a browser is known after a login.
	PlaceTokenLifetime = 365 * 24 * time.Hour
	knownNetworkDays   = 90
)

// PlaceKeys sign the tokens that identify known browsers. A token is not a credential.
type PlaceKeys struct{ keys [][]byte }

// NewPlaceKeys derives the keys from the installation's secret keys. The first one signs, all of them verify.
func NewPlaceKeys(secrets ...[]byte) PlaceKeys {
	derived := PlaceKeys{}
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, secret)
		mac.Write([]byte("tokens of known places"))
		derived.keys = append(derived.keys, mac.Sum(nil))
	}
	return derived
}

const (
	placeNonceLength = 16
	placeTimeLength  = 8
	placeTokenLength = placeNonceLength + placeTimeLength + sha256.Size
)

// sign returns a token of the account for the browser with the nonce. The nonce of a new browser is empty.
func (k PlaceKeys) sign(accountID string, nonce []byte, now time.Time) string {
	if len(k.keys) == 0 {
		return ""
	}
	token := make([]byte, placeNonceLength, placeTokenLength)
	if copy(token, nonce) == 0 {
		_, _ = rand.Read(token) // never fails: crypto/rand ends the program instead
	}
	token = binary.BigEndian.AppendUint64(token, uint64(now.Unix())) //nolint:gosec // the current time is after 1970
	token = append(token, placeMAC(k.keys[0], accountID, token)...)
	return base64.RawURLEncoding.EncodeToString(token)
}

// verify returns the nonce of the browser in a token of the account, or nil if the token is not valid.
func (k PlaceKeys) verify(accountID, token string, now time.Time) []byte {
	raw, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || len(raw) != placeTokenLength {
		return nil
	}
	signed, mac := raw[:placeNonceLength+placeTimeLength], raw[placeNonceLength+placeTimeLength:]
	issued := time.Unix(int64(binary.BigEndian.Uint64(signed[placeNonceLength:])), 0) //nolint:gosec // signed by sign
	for _, key := range k.keys {
		if hmac.Equal(mac, placeMAC(key, accountID, signed)) && now.Sub(issued) < PlaceTokenLifetime {
			return signed[:placeNonceLength]
		}
	}
	return nil
}

// nonceOf returns the nonce of the first valid token of the account, or nil.
func (k PlaceKeys) nonceOf(accountID string, tokens []string, now time.Time) []byte {
	for _, token := range tokens {
		if nonce := k.verify(accountID, token, now); nonce != nil {
			return nonce
		}
	}
	return nil
}

func placeMAC(key []byte, accountID string, signed []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write(signed)
	mac.Write([]byte(accountID))
	return mac.Sum(nil)
}

// networkPlace returns the key of an account at a network.
func networkPlace(accountID, network string) secrets.Digest {
	return sha256.Sum256([]byte("place " + accountID + " " + network))
}

// browserSubject returns the key of an account in a known browser, for counting failures.
func browserSubject(accountID string, nonce []byte) secrets.Digest {
	return sha256.Sum256([]byte("account " + accountID + " in browser " + string(nonce)))
}
