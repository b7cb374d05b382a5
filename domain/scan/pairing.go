package scan

import (
	"crypto/rand"
	"strings"
	"time"

	"ticketgate/domain/moment"
	"ticketgate/domain/secrets"
)

// PairingCode lets whoever holds the device make it one of the seller's, once.
type PairingCode struct {
	DeviceID string `json:"accessUserId"`
	// Code is for typing: 12 letters and digits in groups of four.
	Code string `json:"code"`
	// QRPayload is for a QR code; pairing takes it like the code.
	QRPayload string          `json:"qrPayload"`
	ExpiresAt moment.DateTime `json:"expiresAt"`
}

// Pairing is what a new device says.
type Pairing struct {
	Code string `json:"code"`
}

const (
	// pairingAlphabet has no letter that is read as a digit.
	pairingAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	// pairingLength gives 60 random bits: with a limited rate of calls nobody guesses one in a day.
	pairingLength = 12
	pairingGroup  = 4
	pairingLife   = 24 * time.Hour
	// pairingScheme begins a QR payload, so that a device tells it from the code of a ticket.
	pairingScheme = "ticketgate-pair:"
)

// newPairingCode makes a code that holds for a day.
func newPairingCode(deviceID string, now time.Time) PairingCode {
	var random [pairingLength]byte
	_, _ = rand.Read(random[:]) // never fails: crypto/rand ends the program instead
	var code strings.Builder
	for i, b := range random {
		if i > 0 && i%pairingGroup == 0 {
			code.WriteByte('-')
		}
		code.WriteByte(pairingAlphabet[int(b)%len(pairingAlphabet)]) // 32 divides 256: every letter is as likely
	}
	return PairingCode{
		DeviceID: deviceID, Code: code.String(), QRPayload: pairingScheme + code.String(),
		ExpiresAt: moment.New(now.Add(pairingLife)),
	}
}

var pairingSpelling = strings.NewReplacer("-", "", " ", "", "O", "0", "I", "1", "L", "1")

// codeDigest is under what a code is stored, however it was typed.
func codeDigest(typed string) secrets.Digest {
	typed = strings.TrimPrefix(strings.TrimSpace(typed), pairingScheme)
	return secrets.DigestOf("pairing " + pairingSpelling.Replace(strings.ToUpper(typed)))
}
