package webhook

import (
	"context"
	"crypto/hmac"
	"crypto/md5"  //nolint:gosec // recognised, never used to protect anything
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

// SignatureCheck is a call as a receiver saw it: what a person pastes who wants to know why a signature is refused.
type SignatureCheck struct {
	Body string
	// Signature is the value of the header x-service-signature, or what the receiver computed itself.
	Signature string
	// HMACKey is the key that the receiver uses. Absent, it is that of the webhook WebhookID.
	HMACKey   *string
	WebhookID *string
}

// SignatureVerdict says whether a signature is that of a body, and if not, what was done to one of them.
type SignatureVerdict struct {
	// Matches is what a receiver decides by: the signature is right for exactly this body and key.
	Matches bool
	// Expected is the right signature for this body and key.
	Expected string
	// Found is everything that was found to differ, in the order in which to mend it.
	Found []Deviation
}

// Deviation is one thing that keeps a signature from matching, or that makes it look as if it would not.
type Deviation struct {
	Cause DeviationCause
	// Advice is a sentence that says what is wrong and what is right.
	Advice string
}

// DeviationCause names a kind of deviation, for programs.
type DeviationCause string

// The causes. All but HEX_CASE keep a signature from matching.
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
	CauseReserialised DeviationCause = "BODY_RESERIALISED"
	CauseKeySpace     DeviationCause = "KEY_SPACE"
	CauseKeyQuoted    DeviationCause = "KEY_QUOTED"
	CauseKeyDecoded   DeviationCause = "KEY_DECODED"
	CauseKeyEmpty     DeviationCause = "KEY_EMPTY"
	CauseDataOnly     DeviationCause = "BODY_DATA_ONLY"
	CauseNoDigest     DeviationCause = "SIGNATURE_NO_DIGEST"
	CauseKeyOrBody    DeviationCause = "OTHER_KEY_OR_BODY"
)

// maxCheckedBody bounds a pasted body, in bytes: what is sent is no longer (decisions 1.7).
const maxCheckedBody = 1 << 20

func (c SignatureCheck) check() error {
	var problems domain.Problems
	if len(c.Body) > maxCheckedBody {
		problems.Add("body", "must be at most 1 MiB")
	}
	if (c.HMACKey == nil) == (c.WebhookID == nil) {
		problems.Add("hmacKey", "or webhookId must be given, and not both")
	}
	if length := utf8.RuneCountInString(texts.Of(c.HMACKey)); length > maxKeyLength {
		problems.Add("hmacKey", fmt.Sprintf("must be at most %d characters, not %d", maxKeyLength, length))
	}
	const longest = 1024
	if len(c.Signature) > longest {
		problems.Add("signature", "must be at most 1024 characters")
	}
	return problems.Err()
}

// CheckSignature finds out why a signature does not match. It tries what people were seen to do to signatures, keys and
// bodies, and is right about what it names: each deviation is taken from a combination that does match. It stops trying when
// ctx ends; what it returns then is no verdict.
func CheckSignature(ctx context.Context, body, signature, key string) SignatureVerdict {
	verdict := SignatureVerdict{Expected: Sign([]byte(key), []byte(body))}
	if key == "" {
		verdict.note(CauseKeyEmpty, "The key is empty. A webhook without hmacKey is not signed: take the webhook's hmacKey as it was set.")
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
			verdict.note(CauseHexCase, "The signature has upper-case letters. It matches; compare without regard to case.")
		}
		return verdict
	}
	if made, ok := howMade(ctx, digest, body, key); ok {
		verdict.Found = append(verdict.Found, made...)
		return verdict
	}
	if len(digest) != sha256.Size {
		verdict.Found = append(verdict.Found, otherLength(hex.EncodedLen(len(digest))))
		if base64Of64 := slices.ContainsFunc(written, isBase64) && len(digest) == sha512.Size384; base64Of64 {
			verdict.Found = []Deviation{noDigest()} // 64 characters: more likely a digit is mistyped
		}
		return verdict
	}
	verdict.Found = append(verdict.Found, unexplained(body))
	return verdict
}

func (v *SignatureVerdict) note(cause DeviationCause, advice string) {
	v.Found = append(v.Found, Deviation{cause, advice})
}

// readSignature reads the digest that a text stands for, if any, and what is odd about how it is written.
func readSignature(text string) (digest []byte, odd []Deviation) {
	plain, named := withoutName(unwrapped(text))
	if named {
		odd = append(odd, Deviation{CauseSurroundings, "The header's name stands before the signature: take its value alone."})
	}
	if plain == "" {
		return nil, []Deviation{{
			CauseMissing, "There is no signature. Calls carry " + SignatureHeader + " only while the webhook has an hmacKey; " +
				"header names have no case.",
		}}
	}
	if !named && plain != text {
		odd = append(odd, Deviation{CauseSurroundings, "White space or quotes stand around the signature: trim them."})
	}
	for _, prefix := range signaturePrefixes {
		if len(plain) > len(prefix) && strings.EqualFold(plain[:len(prefix)], prefix) {
			plain = plain[len(prefix):]
			odd = append(odd, Deviation{
				CausePrefix, "The signature has the prefix " + prefix + " that this service never sends: compare the bare hexadecimal.",
			})
			break
		}
	}
	digest, deviation := readDigest(plain)
	return digest, append(odd, deviation...)
}

// signaturePrefixes are what other products put before a signature.
var signaturePrefixes = [...]string{"sha256=", "sha256:", "v1=", "v1,", "v1:", "hmac-sha256=", "hmac-sha256:", "hmac-sha256 ", "0x"}

// unwrapped takes off what copying and reading from a file leave around a text.
func unwrapped(text string) string { return strings.Trim(text, " \t\r\n\"'`\ufeff\u00a0") }

// withoutName takes off the name of the header where the whole line was pasted. Any name will do, since a setting adds one.
func withoutName(line string) (value string, named bool) {
	name, value, found := strings.Cut(line, ":")
	if !found || slices.ContainsFunc(signaturePrefixes[:], func(prefix string) bool { return strings.EqualFold(name+":", prefix) }) {
		return line, false
	}
	return unwrapped(value), true
}

// readDigest reads hexadecimal, and base64 where it has the length of a digest: nearly any word is base64 of something.
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
				CauseBase64, "The signature is base64. This service sends hexadecimal: encode the digest as hex.",
			}}
		}
	}
	return nil, []Deviation{noDigest()}
}

func isBase64(d Deviation) bool { return d.Cause == CauseBase64 }

const hexadecimal = "0123456789abcdefABCDEF"

func noDigest() Deviation {
	return Deviation{CauseNoDigest, "The signature is neither hexadecimal nor a digest in base64: it must be 64 hexadecimal digits."}
}

// digestSizes are the lengths of digests that otherDigest knows, in bytes.
var digestSizes = [...]int{md5.Size, sha1.Size, sha256.Size, sha512.Size384, sha512.Size}

// otherLength says that a signature of so many digits cannot be right.
func otherLength(digits int) Deviation {
	const right = 2 * sha256.Size
	wrong := fmt.Sprintf("In hexadecimal the signature has %d digits and must have %d: ", digits, right)
	if digits > right {
		return Deviation{CauseNoDigest, wrong + "something was added to it, or it was made with another hash than SHA-256."}
	}
	return Deviation{CauseNoDigest, wrong + "it was cut off, or made with another hash than SHA-256."}
}

// variant is a body or a key as somebody may have changed it, with what to say about it.
type variant struct {
	text string
	made []Deviation
	// printed tells that a printer of JSON made the text.
	printed bool
}

const manyBytes = 64 << 10

// howMade finds the combination of key, body and digest that a signature was made of.
func howMade(ctx context.Context, digest []byte, body, key string) ([]Deviation, bool) {
	for b := range bodies(body) {
		if ctx.Err() != nil {
			return nil, false
		}
		for i, k := range keys(key) {
			if i > 0 && len(body) > manyBytes && b.printed {
				break // sixty texts of a megabyte with each of eight keys would take a second
			}
			if hmac.Equal(digest, sum(sha256.New, k.text, b.text)) {
				return slices.Concat(k.made, b.made), true
			}
		}
	}
	if made, ok := otherDigest(digest, body, key); ok {
		return []Deviation{made}, true
	}
	return nil, false
}

// bodies are the body as it came and as it may have been before something changed it. They are made one at a time: together
// they would take sixty times the body's size (LIMIT-24).
func bodies(body string) iter.Seq[variant] {
	return func(yield func(variant) bool) {
		add := func(v variant) bool { return v.text == body || yield(v) }
		for i, v := range mended(body) {
			if i == 0 && !yield(v) || i > 0 && !add(v) {
				return
			}
		}
		for _, lineBreak := range [...]string{"\n", "\r\n"} {
			made := Deviation{CauseNewline, "The signature was made with a line break after the body; the body has none."}
			if !add(variant{text: body + lineBreak, made: []Deviation{made}}) {
				return
			}
		}
		made := Deviation{CauseBOM, "The signature was made with a byte order mark before the body; the body has none."}
		if add(variant{text: byteOrderMark + body, made: []Deviation{made}}) {
			printedAgain(body, add)
		}
	}
}

// printedAgain yields what printers of JSON make of a body, and of its member data.
func printedAgain(body string, yield func(variant) bool) {
	plain, marks := body, []Deviation(nil)
	if text, mark := withoutMark(body); text != body {
		plain, marks = text, []Deviation{mark}
	}
	value, err := ecmajson.Parse([]byte(plain), ecmajson.Limits{})
	if err != nil {
		return
	}
	for printed := range reserialised(value) {
		made := append(slices.Clip(marks), Deviation{
			CauseReserialised, printed.what + ": verify the raw bytes, before any JSON parser sees them.",
		})
		if !yield(variant{printed.text, made, true}) {
			return
		}
	}
	if data, whole := value.Member("data"); whole {
		yield(variant{text: string(data.Print()), made: []Deviation{{
			CauseDataOnly, "The signature was made of the member data alone: sign the whole body.",
		}}})
	}
}

// mended are a body without what editors and transports add, each alone and all that come together: an editor of Windows
// adds a mark, line ends and a last line break at once.
func mended(body string) []variant {
	list := []variant{{text: body}}
	for _, mend := range [...]func(string) (string, Deviation){withoutMark, withoutCRLF, withoutSpaceAround} {
		for _, earlier := range list {
			if text, made := mend(earlier.text); text != earlier.text {
				list = append(list, variant{text: text, made: append(slices.Clip(earlier.made), made)})
			}
		}
	}
	return list
}

func withoutMark(body string) (string, Deviation) {
	return strings.TrimPrefix(body, byteOrderMark), Deviation{
		CauseBOM, "The body begins with a byte order mark that was not sent: verify the bytes as they came.",
	}
}

func withoutCRLF(body string) (string, Deviation) {
	return strings.ReplaceAll(body, "\r\n", "\n"), Deviation{
		CauseCRLF, "Line ends of the body were turned into CR LF: verify the bytes as they came.",
	}
}

func withoutSpaceAround(body string) (string, Deviation) {
	text, what := strings.Trim(body, " \t\r\n"), "White space stands around the body that was not sent"
	if text == strings.TrimRight(body, "\r\n") {
		what = "The body ends with a line break that was not sent"
	}
	return text, Deviation{CauseNewline, what + ": verify the bytes as they came."}
}

// byteOrderMark is what editors of Windows put before a text.
const byteOrderMark = "\ufeff"

// keys are the key as it was given and as somebody may have read it.
func keys(key string) []variant {
	list := []variant{{text: key}}
	add := func(text string, cause DeviationCause, advice string) {
		if text != key && text != "" {
			list = append(list, variant{text: text, made: []Deviation{{cause, advice}}})
		}
	}
	bare := strings.TrimSpace(strings.TrimPrefix(key, byteOrderMark))
	add(bare, CauseKeySpace,
		"White space, a line break or a byte order mark stands around the key: trim it, often a file's last line break.")
	add(key+"\n", CauseKeySpace, "The signature was made with a line break after the key; the key has none.")
	add(strings.Trim(bare, "\"'"), CauseKeyQuoted, "Quotes stand around the key: they are not part of it.")
	for _, quote := range [...]string{`"`, "'"} {
		add(quote+key+quote, CauseKeyQuoted, "The signature was made with quotes around the key: they are not part of it.")
	}
	const decoded, asIs = "The signature was made with the key decoded from ", ". The key is used as it is, as UTF-8 text."
	if raw, err := hex.DecodeString(key); err == nil {
		add(string(raw), CauseKeyDecoded, decoded+"hexadecimal"+asIs)
	}
	if raw, err := base64.StdEncoding.DecodeString(key); err == nil {
		add(string(raw), CauseKeyDecoded, decoded+"base64"+asIs)
	}
	return list
}

// otherDigest recognises digests that are no HMAC with SHA-256.
func otherDigest(digest []byte, body, key string) (Deviation, bool) {
	for _, other := range [...]struct {
		name string
		make func() hash.Hash
	}{{"SHA-1", sha1.New}, {"MD5", md5.New}, {"SHA-384", sha512.New384}, {"SHA-512", sha512.New}} {
		if hmac.Equal(digest, sum(other.make, key, body)) {
			return Deviation{CauseOtherHash, "The signature is an HMAC with " + other.name + ": use SHA-256."}, true
		}
	}
	for _, text := range [...]string{body, key + body, body + key} {
		if plain := sha256.Sum256([]byte(text)); hmac.Equal(digest, plain[:]) {
			return Deviation{CauseNotHMAC, "The signature is a plain SHA-256 of text: use HMAC, with the key as its key."}, true
		}
	}
	if hmac.Equal(digest, sum(sha256.New, body, key)) {
		return Deviation{CauseNotHMAC, "Key and body were exchanged: the key comes first in most HMAC functions."}, true
	}
	return Deviation{}, false
}

// unexplained says what is likely when nothing that was tried made the signature.
func unexplained(body string) Deviation {
	value, err := ecmajson.Parse([]byte(body), ecmajson.Limits{})
	if _, whole := value.Member("data"); err == nil && !whole {
		return Deviation{CauseDataOnly, "The body lacks the member data: sign the whole body, not a part of it."}
	}
	return Deviation{
		CauseKeyOrBody,
		"Nothing that usually goes wrong made this signature. Most likely it was made with another key (each webhook has its own, " +
			"and a changed key applies from the next attempt), or the body was changed, for example by a framework that parsed it.",
	}
}

func sum(of func() hash.Hash, key, body string) []byte {
	mac := hmac.New(of, []byte(key))
	mac.Write([]byte(body))
	return mac.Sum(nil)
}
