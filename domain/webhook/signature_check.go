package webhook

import (
	"context"
	"crypto/hmac"
	"crypto/md5"  //nolint:gosec // recognized, never used to protect anything
	"crypto/sha1" //nolint:gosec // as above
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"hash"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/texts"
)

// SignatureCheck is a call as a receiver saw it, entered by a user to find out why a signature doesn't match.
type SignatureCheck struct {
	Body string
	// Signature is the value of the x-service-signature header, or the value that the receiver computed.
	Signature string
	// HMACKey is the key that the receiver uses. If nil, the key of the webhook WebhookID is used.
	HMACKey   *string
	WebhookID *string
}

// SignatureVerdict says whether a signature matches a body, and if not, why.
type SignatureVerdict struct {
	// Matches reports whether the signature is valid for exactly this body and key.
	Matches bool
	// Expected is the valid signature for this body and key.
	Expected string
	// Found lists the deviations, in the order in which to fix them.
	Found []Deviation
}

// Deviation is a reason why a signature doesn't match, or looks as if it didn't.
type Deviation struct {
	Cause DeviationCause
	// Advice is a sentence that explains the deviation and its fix.
	Advice string
}

// DeviationCause identifies a kind of deviation for programs.
type DeviationCause string

// The causes. With all of them except HEX_CASE, the signature does not match.
const (
	CauseHexCase      DeviationCause = "HEX_CASE"
	CauseMissing      DeviationCause = "SIGNATURE_MISSING"
	CauseSurroundings DeviationCause = "SIGNATURE_SURROUNDINGS"
	CausePrefix       DeviationCause = "SIGNATURE_PREFIX"
	CauseBase64       DeviationCause = "BASE64_NOT_HEX"
	CauseOtherHash    DeviationCause = "OTHER_HASH"
	CauseNotHMAC      DeviationCause = "NOT_HMAC"
	CauseBOM          DeviationCause = "BODY_BOM"
	CauseNewline      DeviationCause = "BODY_NEWLINE"
	CauseCRLF         DeviationCause = "BODY_LINE_ENDS"
	CauseReserialized DeviationCause = "BODY_RESERIALISED"
	CauseKeySpace     DeviationCause = "KEY_SPACE"
	CauseKeyQuoted    DeviationCause = "KEY_QUOTED"
	CauseKeyDecoded   DeviationCause = "KEY_DECODED"
	CauseKeyEmpty     DeviationCause = "KEY_EMPTY"
	CauseDataOnly     DeviationCause = "BODY_DATA_ONLY"
	CauseNoDigest     DeviationCause = "SIGNATURE_NO_DIGEST"
	CauseKeyOrBody    DeviationCause = "OTHER_KEY_OR_BODY"
)

// maxCheckedBody is the maximum size of a body to check, in bytes. No body that is sent is larger.
const maxCheckedBody = 1 << 20

func (c SignatureCheck) check() error {
	var errs domain.FieldErrors
	if len(c.Body) > maxCheckedBody {
		errs.Add("body", "must be at most 1 MiB")
	}
	if (c.HMACKey == nil) == (c.WebhookID == nil) {
		errs.Add("hmacKey", "or webhookId is required, but not both")
	}
	if length := utf8.RuneCountInString(texts.Of(c.HMACKey)); length > maxKeyLength {
		errs.Add("hmacKey", fmt.Sprintf("must be at most %d characters, not %d", maxKeyLength, length))
	}
	const longest = 1024
	if len(c.Signature) > longest {
		errs.Add("signature", "must be at most 1024 characters")
	}
	return errs.Err()
}

// CheckSignature returns a verdict that says whether a signature matches and, if not, why. It tries the usual mistakes
// with signatures, keys and bodies. It reports deviations only for a combination that matches, so every reported
// deviation is certain. If ctx ends, it stops early, and the result is not a verdict.
func CheckSignature(ctx context.Context, body, signature, key string) SignatureVerdict {
	verdict := SignatureVerdict{Expected: Sign([]byte(key), []byte(body))}
	if key == "" {
		verdict.note(CauseKeyEmpty, "The key is empty. Calls of a webhook without hmacKey are not signed. Use the hmacKey of the webhook.")
		return verdict
	}
	digest, written := readSignature(signature)
	verdict.Found = written
	if digest == nil {
		return verdict
	}
	verdict.Matches = len(written) == 0 && hmac.Equal(digest, sum(sha256.New, key, body))
	if verdict.Matches {
		if signature != strings.ToLower(signature) {
			verdict.note(CauseHexCase, "The signature contains upper-case letters. It matches; compare signatures case-insensitively.")
		}
		return verdict
	}
	if deviations, ok := explain(ctx, digest, body, key); ok {
		verdict.Found = append(verdict.Found, deviations...)
		return verdict
	}
	if len(digest) != sha256.Size {
		verdict.Found = append(verdict.Found, otherLength(hex.EncodedLen(len(digest))))
		if base64Of64 := slices.ContainsFunc(written, isBase64) && len(digest) == sha512.Size384; base64Of64 {
			verdict.Found = []Deviation{noDigest()} // 64 characters: more likely hexadecimal with a typo
		}
		return verdict
	}
	verdict.Found = append(verdict.Found, unexplained(body))
	return verdict
}

func (v *SignatureVerdict) note(cause DeviationCause, advice string) {
	v.Found = append(v.Found, Deviation{cause, advice})
}

// readSignature decodes a signature to its digest, if any, and returns the deviations of its form.
func readSignature(text string) (digest []byte, odd []Deviation) {
	plain, named := withoutName(unwrapped(text))
	if named {
		odd = append(odd, Deviation{CauseSurroundings, "The signature includes the name of the header. Use the value only."})
	}
	if plain == "" {
		return nil, []Deviation{{
			CauseMissing, "There is no signature. Calls have the header " + SignatureHeader + " only if the webhook has an hmacKey. " +
				"Header names are case-insensitive.",
		}}
	}
	if !named && plain != text {
		odd = append(odd, Deviation{CauseSurroundings, "The signature is surrounded by white space or quotes. Trim it."})
	}
	for _, prefix := range signaturePrefixes {
		if len(plain) > len(prefix) && strings.EqualFold(plain[:len(prefix)], prefix) {
			plain = plain[len(prefix):]
			odd = append(odd, Deviation{
				CausePrefix, "The signature has the prefix " + prefix + ", which Ticketgate never sends. Compare the hexadecimal digits.",
			})
			break
		}
	}
	digest, deviation := readDigest(plain)
	return digest, append(odd, deviation...)
}

// signaturePrefixes are prefixes that other products put before a signature.
var signaturePrefixes = [...]string{"sha256=", "sha256:", "v1=", "v1,", "v1:", "hmac-sha256=", "hmac-sha256:", "hmac-sha256 ", "0x"}

// unwrapped removes characters that copying or reading from a file adds around a text.
func unwrapped(text string) string { return strings.Trim(text, " \t\r\n\"'`\ufeff\u00a0") }

// withoutName removes the header's name if the whole line was pasted. It accepts any name, since a setting can add
// another one.
func withoutName(line string) (value string, named bool) {
	name, value, found := strings.Cut(line, ":")
	if !found || slices.ContainsFunc(signaturePrefixes[:], func(prefix string) bool { return strings.EqualFold(name+":", prefix) }) {
		return line, false
	}
	return unwrapped(value), true
}

// readDigest decodes hexadecimal. It accepts base64 only if the result is as long as a digest, since most words are
// valid base64.
func readDigest(text string) (digest []byte, odd []Deviation) {
	if strings.Trim(text, hexadecimal) == "" {
		digest, err := hex.DecodeString(text)
		if err != nil {
			return nil, []Deviation{otherLength(len(text))}
		}
		return digest, nil
	}
	for _, encoding := range [...]*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding} {
		if digest, err := encoding.DecodeString(text); err == nil && slices.Contains(digestSizes[:], len(digest)) {
			return digest, []Deviation{{
				CauseBase64, "The signature is base64. Encode the digest in hexadecimal instead.",
			}}
		}
	}
	return nil, []Deviation{noDigest()}
}

func isBase64(d Deviation) bool { return d.Cause == CauseBase64 }

const hexadecimal = "0123456789abcdefABCDEF"

func noDigest() Deviation {
	return Deviation{CauseNoDigest, "The signature is neither hexadecimal nor base64. It must have 64 hexadecimal digits."}
}

// digestSizes are the sizes of the digests that otherDigest recognizes, in bytes.
var digestSizes = [...]int{md5.Size, sha1.Size, sha256.Size, sha512.Size384, sha512.Size}

// otherLength returns the deviation for a signature with a wrong number of digits.
func otherLength(digits int) Deviation {
	const right = 2 * sha256.Size
	wrong := fmt.Sprintf("The signature has %d hexadecimal digits, but must have %d. ", digits, right)
	if digits > right {
		return Deviation{CauseNoDigest, wrong + "Something was added to it, or it was computed with a hash other than SHA-256."}
	}
	return Deviation{CauseNoDigest, wrong + "It was cut off, or computed with a hash other than SHA-256."}
}

// variant is a body or key after a common change, with the advice to give if it was used.
type variant struct {
	text string
	made []Deviation
	// printed reports whether a JSON printer produced the text.
	printed bool
}

const manyBytes = 64 << 10

// explain finds the combination of key, body and hash that gives this digest.
func explain(ctx context.Context, digest []byte, body, key string) ([]Deviation, bool) {
	for b := range bodies(body) {
		if ctx.Err() != nil {
			return nil, false
		}
		for i, k := range keys(key) {
			if i > 0 && len(body) > manyBytes && b.printed {
				break // sixty texts of a megabyte, each with eight keys, would take a second
			}
			if hmac.Equal(digest, sum(sha256.New, k.text, b.text)) {
				return slices.Concat(k.made, b.made), true
			}
		}
	}
	if deviation, ok := otherDigest(digest, body, key); ok {
		return []Deviation{deviation}, true
	}
	return nil, false
}

// bodies yields the body and the forms it may have had before it was changed. It creates one at a time, since all of
// them together would need sixty times the memory of the body (LIMIT-24).
func bodies(body string) iter.Seq[variant] {
	return func(yield func(variant) bool) {
		add := func(v variant) bool { return v.text == body || yield(v) }
		for i, v := range mended(body) {
			if i == 0 && !yield(v) || i > 0 && !add(v) {
				return
			}
		}
		for _, lineBreak := range [...]string{"\n", "\r\n"} {
			deviation := Deviation{CauseNewline, "The signature was computed over the body with an added line break."}
			if !add(variant{text: body + lineBreak, made: []Deviation{deviation}}) {
				return
			}
		}
		deviation := Deviation{CauseBOM, "The signature was computed over the body with an added byte order mark."}
		if add(variant{text: byteOrderMark + body, made: []Deviation{deviation}}) {
			printedAgain(body, add)
		}
	}
}

// printedAgain yields the output of JSON printers for the body, and for its data field.
func printedAgain(body string, yield func(variant) bool) {
	plain, marks := body, []Deviation(nil)
	if text, mark := withoutMark(body); text != body {
		plain, marks = text, []Deviation{mark}
	}
	value, err := ecmajson.Parse([]byte(plain), ecmajson.Limits{})
	if err != nil {
		return
	}
	for printed := range reserialized(value) {
		deviations := append(slices.Clip(marks), Deviation{
			CauseReserialized, printed.what + ". Verify the raw bytes, before any JSON parser handles them.",
		})
		if !yield(variant{printed.text, deviations, true}) {
			return
		}
	}
	if data, whole := value.Field("data"); whole {
		yield(variant{text: string(data.Print()), made: []Deviation{{
			CauseDataOnly, "The signature was computed over the data field only. Sign the whole body.",
		}}})
	}
}

// mended returns the body without what editors and transports add. It removes each addition alone, and all combinations
// of them, since a Windows editor adds a byte order mark, CR LF and a final line break together.
func mended(body string) []variant {
	list := []variant{{text: body}}
	for _, mend := range [...]func(string) (string, Deviation){withoutMark, withoutCRLF, withoutSpaceAround} {
		for _, earlier := range list {
			if text, deviation := mend(earlier.text); text != earlier.text {
				list = append(list, variant{text: text, made: append(slices.Clip(earlier.made), deviation)})
			}
		}
	}
	return list
}

func withoutMark(body string) (string, Deviation) {
	return strings.TrimPrefix(body, byteOrderMark), Deviation{
		CauseBOM, "The body starts with a byte order mark that was not sent. Verify the bytes as received.",
	}
}

func withoutCRLF(body string) (string, Deviation) {
	return strings.ReplaceAll(body, "\r\n", "\n"), Deviation{
		CauseCRLF, "The line breaks of the body were changed to CR LF. Verify the bytes as received.",
	}
}

func withoutSpaceAround(body string) (string, Deviation) {
	text, what := strings.Trim(body, " \t\r\n"), "The body is surrounded by white space that was not sent"
	if text == strings.TrimRight(body, "\r\n") {
		what = "The body ends with a line break that was not sent"
	}
	return text, Deviation{CauseNewline, what + ". Verify the bytes as received."}
}

// byteOrderMark is U+FEFF, which Windows editors put before a text.
const byteOrderMark = "\ufeff"

// keys returns the key and the forms in which a program may have read it.
func keys(key string) []variant {
	list := []variant{{text: key}}
	add := func(text string, cause DeviationCause, advice string) {
		if text != key && text != "" {
			list = append(list, variant{text: text, made: []Deviation{{cause, advice}}})
		}
	}
	bare := strings.TrimSpace(strings.TrimPrefix(key, byteOrderMark))
	add(bare, CauseKeySpace,
		"The key is surrounded by white space, a line break or a byte order mark, such as the final line break of a file. Trim it.")
	add(key+"\n", CauseKeySpace, "The signature was computed with a line break added to the key.")
	add(strings.Trim(bare, "\"'"), CauseKeyQuoted, "The key is in quotes. Remove them; they are not part of the key.")
	for _, quote := range [...]string{`"`, "'"} {
		add(quote+key+quote, CauseKeyQuoted, "The signature was computed with quotes around the key. They are not part of the key.")
	}
	const decoded, asIs = "The signature was computed with the key decoded from ", ". Use the key as it is, as UTF-8 text."
	if raw, err := hex.DecodeString(key); err == nil {
		add(string(raw), CauseKeyDecoded, decoded+"hexadecimal"+asIs)
	}
	if raw, err := base64.StdEncoding.DecodeString(key); err == nil {
		add(string(raw), CauseKeyDecoded, decoded+"base64"+asIs)
	}
	return list
}

// otherDigest recognizes digests other than HMAC-SHA-256.
func otherDigest(digest []byte, body, key string) (Deviation, bool) {
	for _, other := range [...]struct {
		name string
		make func() hash.Hash
	}{{"SHA-1", sha1.New}, {"MD5", md5.New}, {"SHA-384", sha512.New384}, {"SHA-512", sha512.New}} {
		if hmac.Equal(digest, sum(other.make, key, body)) {
			return Deviation{CauseOtherHash, "The signature is an HMAC with " + other.name + ". Use SHA-256."}, true
		}
	}
	for _, text := range [...]string{body, key + body, body + key} {
		if plain := sha256.Sum256([]byte(text)); hmac.Equal(digest, plain[:]) {
			return Deviation{CauseNotHMAC, "The signature is a plain SHA-256 hash. Use HMAC-SHA-256 with the key."}, true
		}
	}
	if hmac.Equal(digest, sum(sha256.New, body, key)) {
		return Deviation{CauseNotHMAC, "The key and the body were swapped. Most HMAC functions take the key first."}, true
	}
	return Deviation{}, false
}

// unexplained returns the most likely cause if no common mistake gives the signature.
func unexplained(body string) Deviation {
	value, err := ecmajson.Parse([]byte(body), ecmajson.Limits{})
	if _, whole := value.Field("data"); err == nil && !whole {
		return Deviation{CauseDataOnly, "The body has no data field. Sign the whole body, not a part of it."}
	}
	return Deviation{
		CauseKeyOrBody,
		"No common mistake explains this signature. It was probably computed with another key (each webhook has its own, and a " +
			"changed key applies from the next attempt), or the body was changed, for example by a framework that parsed it.",
	}
}

func sum(of func() hash.Hash, key, body string) []byte {
	mac := hmac.New(of, []byte(key))
	mac.Write([]byte(body))
	return mac.Sum(nil)
}
