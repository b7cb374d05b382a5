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

// A known place is a browser or a network where an account signed in before. The failures of the account are counted there by
// themselves, so that wrong passwords sent from elsewhere don't lock out its owner (ACCOUNT-7).

// Known places are forgotten after these times.
const (
	// PlaceTokenLifetime is how long a browser is known after a login.
	PlaceTokenLifetime = 365 * 24 * time.Hour
	knownNetworkDays   = 90
)

// PlaceKeys sign the tokens by which browsers are known. A token holds no credential.
type PlaceKeys struct{ keys [][]byte }

// NewPlaceKeys takes the secret keys of the installation: the first signs, all verify.
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

// sign returns a token of the account for the browser with the nonce; an empty nonce is a new browser.
func (k PlaceKeys) sign(accountID string, nonce []byte, now time.Time) string {
	if len(k.keys) == 0 {
		return ""
	}
	token := make([]byte, placeNonceLength, placeTokenLength)
	if copy(token, nonce) == 0 {
		_, _ = rand.Read(token) // never fails: crypto/rand ends the program instead
	}
	token = binary.BigEndian.AppendUint64(token, uint64(now.Unix())) //nolint:gosec // the time of this program lies after 1970
	token = append(token, placeMAC(k.keys[0], accountID, token)...)
	return base64.RawURLEncoding.EncodeToString(token)
}

// verify returns the nonce of the browser that a token of the account names, or nil.
func (k PlaceKeys) verify(accountID, token string, now time.Time) []byte {
	raw, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || len(raw) != placeTokenLength {
		return nil
	}
	signed, mac := raw[:placeNonceLength+placeTimeLength], raw[placeNonceLength+placeTimeLength:]
	issued := time.Unix(int64(binary.BigEndian.Uint64(signed[placeNonceLength:])), 0) //nolint:gosec // signed by us
	for _, key := range k.keys {
		if hmac.Equal(mac, placeMAC(key, accountID, signed)) && now.Sub(issued) < PlaceTokenLifetime {
			return signed[:placeNonceLength]
		}
	}
	return nil
}

// nonceOf returns the nonce of the first token that is one of the account's.
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

// networkPlace names an account at a network from which calls come.
func networkPlace(accountID, network string) secrets.Digest {
	return sha256.Sum256([]byte("place " + accountID + " " + network))
}

// browserSubject is an account in a known browser, under which failures are counted.
func browserSubject(accountID string, nonce []byte) secrets.Digest {
	return sha256.Sum256([]byte("account " + accountID + " in browser " + string(nonce)))
}
