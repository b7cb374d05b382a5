package scan

import (
	"crypto/rand"
	"strings"
	"time"

	"ticketgate/domain/moment"
	"ticketgate/domain/secrets"
)

// PairingCode pairs a device with an access user of the seller, once.
type PairingCode struct {
	DeviceID string `json:"accessUserId"`
	// Code is the code to type: 12 letters and digits in groups of four.
	Code string `json:"code"`
	// QRPayload is the content of a QR code. Pair accepts it too.
	QRPayload string          `json:"qrPayload"`
	ExpiresAt moment.DateTime `json:"expiresAt"`
}

// Pairing is the input of pairAccessUser.
type Pairing struct {
	Code string `json:"code"`
}

const (
	// pairingAlphabet excludes letters that look like digits.
	pairingAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	// pairingLength gives 60 random bits. At the limited call rate, a code can't be guessed within a day.
	pairingLength = 12
	pairingGroup  = 4
	pairingLife   = 24 * time.Hour
	// pairingScheme starts a QR payload, so that a device can distinguish it from a ticket's code.
	pairingScheme = "ticketgate-pair:"
)

// newPairingCode returns a code that is valid for a day.
func newPairingCode(deviceID string, now time.Time) PairingCode {
	var random [pairingLength]byte
	_, _ = rand.Read(random[:]) // never fails: crypto/rand ends the program instead
	var code strings.Builder
	for i, b := range random {
		if i > 0 && i%pairingGroup == 0 {
			code.WriteByte('-')
		}
		code.WriteByte(pairingAlphabet[int(b)%len(pairingAlphabet)]) // uniform, since 32 divides 256
	}
	return PairingCode{
		DeviceID: deviceID, Code: code.String(), QRPayload: pairingScheme + code.String(),
		ExpiresAt: moment.New(now.Add(pairingLife)),
	}
}

var pairingSpelling = strings.NewReplacer("-", "", " ", "", "O", "0", "I", "1", "L", "1")

// codeDigest returns the digest under which a code is stored, in whatever form it was typed.
func codeDigest(typed string) secrets.Digest {
	typed = strings.TrimPrefix(strings.TrimSpace(typed), pairingScheme)
	return secrets.DigestOf("pairing " + pairingSpelling.Replace(strings.ToUpper(typed)))
}
