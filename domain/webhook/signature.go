package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
)

// SignatureHeader is the header that carries the signature of the body.
const SignatureHeader = "x-service-signature"

// Sign returns the lower-case hexadecimal HMAC-SHA-256 of body. The key is used as raw bytes. Calls with an empty key
// are not signed (WEBHOOK-2).
func Sign(key, body []byte) string {
	mac := hmac.New(sha256.New, key)
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}
