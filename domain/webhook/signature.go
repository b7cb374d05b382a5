package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
)

// SignatureHeader is the field of a call's header that has the signature of its body.
const SignatureHeader = "x-service-signature"

// Sign proves to a listener that a body comes from here: the HMAC with SHA-256
// of exactly the bytes that are sent, in lower-case hexadecimal without a prefix
// (spec 6.3, decisions 7.4). The key is used as raw bytes; callers send no
// signature for an empty one (decisions 7.1).
func Sign(key, body []byte) string {
	mac := hmac.New(sha256.New, key)
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}
