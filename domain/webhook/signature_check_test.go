package webhook_test

import (
	"context"
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"hash"
	"runtime"
	"slices"
	"strings"
	"testing"

	"ticketgate/domain/webhook"
)

// sent is a body as sent. It contains characters and numbers that other JSON printers write differently.
const sent = `{"id":"4b7c…","type":"ticket.created","mode":"dev","data":{"ticket":{"name":"Zoë <A&B>","url":"https://a/b","price":10.5,"n":{"2":1,"b":2,"a":[]}}}}`

func made(of func() hash.Hash, key, body string) string {
	mac := hmac.New(of, []byte(key))
	mac.Write([]byte(body))
	return hex.EncodeToString(mac.Sum(nil))
}

func TestCheckSignature(t *testing.T) {
	const key = "hidden key ü"
	right := made(sha256.New, key, sent)
	raw, _ := hex.DecodeString(right)
	plain := sha256.Sum256([]byte(key + sent))
	for _, c := range []struct {
		name                 string
		body, signature, key string
		matches              bool
		causes               []webhook.DeviationCause
	}{
		{"a valid signature", sent, right, key, true, nil},
		{"upper case matches and is reported", sent, strings.ToUpper(right), key, true, []webhook.DeviationCause{webhook.CauseHexCase}},
		{"no signature", sent, "", key, false, []webhook.DeviationCause{webhook.CauseMissing}},
		{"no key", sent, right, "", false, []webhook.DeviationCause{webhook.CauseKeyEmpty}},
		{"a line break after the signature", sent, right + "\n", key, false, []webhook.DeviationCause{webhook.CauseSurroundings}},
		{"another product's prefix", sent, "sha256=" + right, key, false, []webhook.DeviationCause{webhook.CausePrefix}},
		{"base64", sent, base64.StdEncoding.EncodeToString(raw), key, false, []webhook.DeviationCause{webhook.CauseBase64}},
		{"base64 for URLs, unpadded", sent, base64.RawURLEncoding.EncodeToString(raw), key, false, []webhook.DeviationCause{webhook.CauseBase64}},
		{
			"base64 of another hash, with another key", sent, base64.StdEncoding.EncodeToString(make([]byte, 64)), key, false,
			[]webhook.DeviationCause{webhook.CauseBase64, webhook.CauseNoDigest},
		},
		{"a text that is not a digest", sent, "not a digest!", key, false, []webhook.DeviationCause{webhook.CauseNoDigest}},
		{"a word that is valid base64", sent, "unsigned", key, false, []webhook.DeviationCause{webhook.CauseNoDigest}},
		{"missing one digit", sent, right[:63], key, false, []webhook.DeviationCause{webhook.CauseNoDigest}},
		{"missing one byte", sent, right[:62], key, false, []webhook.DeviationCause{webhook.CauseNoDigest}},
		{"hexadecimal that is also base64", sent, "abcd", key, false, []webhook.DeviationCause{webhook.CauseNoDigest}},
		{"three digits", sent, "abc", key, false, []webhook.DeviationCause{webhook.CauseNoDigest}},
		{"one digit too many", sent, right + "0", key, false, []webhook.DeviationCause{webhook.CauseNoDigest}},
		{"as long as a SHA-1 digest", sent, right[:40], key, false, []webhook.DeviationCause{webhook.CauseNoDigest}},
		{"the whole header", sent, "x-service-signature: " + right, key, false, []webhook.DeviationCause{webhook.CauseSurroundings}},
		{"the header in curl's form", sent, "'Signature:" + right + "'", key, false, []webhook.DeviationCause{webhook.CauseSurroundings}},
		{"the header as JSON", sent, `"x-service-signature": "` + right + `"`, key, false, []webhook.DeviationCause{webhook.CauseSurroundings}},
		{"the header without a value", sent, "x-service-signature: ", key, false, []webhook.DeviationCause{webhook.CauseMissing}},
		{
			"the header cut off", sent, "x-service-signature: " + right[:63], key, false,
			[]webhook.DeviationCause{webhook.CauseSurroundings, webhook.CauseNoDigest},
		},
		{"a prefix with a colon", sent, "SHA256:" + right, key, false, []webhook.DeviationCause{webhook.CausePrefix}},
		{"a byte order mark before the signature", sent, "\ufeff" + right, key, false, []webhook.DeviationCause{webhook.CauseSurroundings}},
		{"SHA-1", sent, made(sha1.New, key, sent), key, false, []webhook.DeviationCause{webhook.CauseOtherHash}},
		{"MD5", sent, made(md5.New, key, sent), key, false, []webhook.DeviationCause{webhook.CauseOtherHash}},
		{"SHA-512", sent, made(sha512.New, key, sent), key, false, []webhook.DeviationCause{webhook.CauseOtherHash}},
		{"a plain hash of the key and body", sent, hex.EncodeToString(plain[:]), key, false, []webhook.DeviationCause{webhook.CauseNotHMAC}},
		{"the key and body swapped", sent, made(sha256.New, sent, key), key, false, []webhook.DeviationCause{webhook.CauseNotHMAC}},
		{"a byte order mark", "\ufeff" + sent, right, key, false, []webhook.DeviationCause{webhook.CauseBOM}},
		{"a line break after the body", sent + "\r\n", right, key, false, []webhook.DeviationCause{webhook.CauseNewline}},
		{
			"saved by a Windows editor", "\ufeff" + sent + "\r\n", right, key, false,
			[]webhook.DeviationCause{webhook.CauseBOM, webhook.CauseNewline},
		},
		{
			"several lines saved by a Windows editor", "\ufeff{\r\n}\r\n", made(sha256.New, key, "{\n}"), key, false,
			[]webhook.DeviationCause{webhook.CauseBOM, webhook.CauseCRLF, webhook.CauseNewline},
		},
		{"white space around the body", " " + sent + " \n", right, key, false, []webhook.DeviationCause{webhook.CauseNewline}},
		{
			"printed with spaces after a byte order mark", "\ufeff" + strings.ReplaceAll(sent, `":`, `": `), right, key, false,
			[]webhook.DeviationCause{webhook.CauseBOM, webhook.CauseReserialized},
		},
		{"signed with a line break", sent, made(sha256.New, key, sent+"\n"), key, false, []webhook.DeviationCause{webhook.CauseNewline}},
		{"printed with spaces", strings.ReplaceAll(sent, `":`, `": `), right, key, false, []webhook.DeviationCause{webhook.CauseReserialized}},
		{"numbers in another form", strings.Replace(sent, "10.5", "10.50", 1), right, key, false, []webhook.DeviationCause{webhook.CauseReserialized}},
		{"signed over Python's output", sent, made(sha256.New, key, pythonPrints), key, false, []webhook.DeviationCause{webhook.CauseReserialized}},
		{"signed over PHP's output", sent, made(sha256.New, key, phpPrints), key, false, []webhook.DeviationCause{webhook.CauseReserialized}},
		{"signed over Go's output", sent, made(sha256.New, key, goPrints), key, false, []webhook.DeviationCause{webhook.CauseReserialized}},
		{"a line break after the key", sent, right, key + "\n", false, []webhook.DeviationCause{webhook.CauseKeySpace}},
		{"a byte order mark before the key", sent, right, "\ufeff" + key + "\r\n", false, []webhook.DeviationCause{webhook.CauseKeySpace}},
		{"quotes around the key", sent, right, `"` + key + `"`, false, []webhook.DeviationCause{webhook.CauseKeyQuoted}},
		{"a key decoded as hexadecimal", sent, made(sha256.New, "\xca\xfe", sent), "cafe", false, []webhook.DeviationCause{webhook.CauseKeyDecoded}},
		{"a key decoded as base64", sent, made(sha256.New, "key!", sent), "a2V5IQ==", false, []webhook.DeviationCause{webhook.CauseKeyDecoded}},
		{
			"several mistakes", sent + "\n", "sha256=" + right, key + "\n", false,
			[]webhook.DeviationCause{webhook.CausePrefix, webhook.CauseKeySpace, webhook.CauseNewline},
		},
		{"signed with CR LF after the body", sent, made(sha256.New, key, sent+"\r\n"), key, false, []webhook.DeviationCause{webhook.CauseNewline}},
		{"signed with a byte order mark", sent, made(sha256.New, key, "\ufeff"+sent), key, false, []webhook.DeviationCause{webhook.CauseBOM}},
		{"signed with the key in quotes", sent, made(sha256.New, `"`+key+`"`, sent), key, false, []webhook.DeviationCause{webhook.CauseKeyQuoted}},
		{"signed over data only", sent, made(sha256.New, key, sent[strings.Index(sent, `{"ticket"`):len(sent)-1]), key, false, []webhook.DeviationCause{webhook.CauseDataOnly}},
		{"a mistyped digit", sent, "z" + right[1:], key, false, []webhook.DeviationCause{webhook.CauseNoDigest}},
		{"only a part of the body", `{"ticket":{}}`, right, key, false, []webhook.DeviationCause{webhook.CauseDataOnly}},
		{"a different key", sent, right, "another", false, []webhook.DeviationCause{webhook.CauseKeyOrBody}},
		{"a different body", strings.Replace(sent, "Zoë", "Zoe", 1), right, key, false, []webhook.DeviationCause{webhook.CauseKeyOrBody}},
	} {
		t.Run(c.name, func(t *testing.T) {
			verdict := webhook.CheckSignature(t.Context(), c.body, c.signature, c.key)
			var causes []webhook.DeviationCause
			for _, found := range verdict.Found {
				causes = append(causes, found.Cause)
			}
			if verdict.Matches != c.matches || !slices.Equal(causes, c.causes) {
				t.Errorf("got %t, %v; want %t, %v", verdict.Matches, causes, c.matches, c.causes)
			}
			if want := made(sha256.New, c.key, c.body); verdict.Expected != want {
				t.Errorf("Expected is %s, want %s", verdict.Expected, want)
			}
		})
	}
}

func TestSignatureLengthHint(t *testing.T) {
	right := made(sha256.New, "key", sent)
	for signature, want := range map[string]string{
		right[:63]: "has 63 hexadecimal digits, but must have 64. It was cut off", right + "00": "has 66 hexadecimal digits, but must have 64. Something was added",
	} {
		verdict := webhook.CheckSignature(t.Context(), sent, signature, "key")
		if len(verdict.Found) != 1 || !strings.Contains(verdict.Found[0].Advice, want) {
			t.Errorf("%+v", verdict.Found)
		}
	}
}

// The output of python3, PHP and Go for sent after parsing it.
const (
	pythonPrints = `{"id": "4b7c\u2026", "type": "ticket.created", "mode": "dev", "data": {"ticket": {"name": "Zo\u00eb <A&B>", "url": "https://a/b", "price": 10.5, "n": {"2": 1, "b": 2, "a": []}}}}`
	phpPrints    = `{"id":"4b7c\u2026","type":"ticket.created","mode":"dev","data":{"ticket":{"name":"Zo\u00eb <A&B>","url":"https:\/\/a\/b","price":10.5,"n":{"2":1,"b":2,"a":[]}}}}`
	goPrints     = `{"data":{"ticket":{"n":{"2":1,"a":[],"b":2},"name":"Zoë \u003cA\u0026B\u003e","price":10.5,"url":"https://a/b"}},"id":"4b7c…","mode":"dev","type":"ticket.created"}`
)

// The texts are the actual output of these printers.
func TestCheckSignatureNamesThePrinter(t *testing.T) {
	const key = "k"
	const body = "{\"type\":\"t\",\"id\":\"1\",\"data\":{\"n\":\"\u00e9 a/b <b> & \u2028\",\"k\":[1.5,{}],\"a\":{}}}"
	for _, c := range []struct{ printer, text string }{
		{"Python's json.dumps with separators", "{\"type\":\"t\",\"id\":\"1\",\"data\":{\"n\":\"\\u00e9 a/b <b> & \\u2028\",\"k\":[1.5,{}],\"a\":{}}}"},
		{"Python's json.dumps with indent=2", "{\n  \"type\": \"t\",\n  \"id\": \"1\",\n  \"data\": {\n    \"n\": \"\\u00e9 a/b <b> & \\u2028\",\n    \"k\": [\n      1.5,\n      {}\n    ],\n    \"a\": {}\n  }\n}"},
		{"Python's json.dumps, with sorted keys", "{\"data\": {\"a\": {}, \"k\": [1.5, {}], \"n\": \"\\u00e9 a/b <b> & \\u2028\"}, \"id\": \"1\", \"type\": \"t\"}"},
		{"JSON_UNESCAPED_SLASHES", "{\"type\":\"t\",\"id\":\"1\",\"data\":{\"n\":\"\\u00e9 a/b <b> & \\u2028\",\"k\":[1.5,{}],\"a\":{}}}"},
		{"PHP's json_encode with JSON_UNESCAPED_UNICODE", "{\"type\":\"t\",\"id\":\"1\",\"data\":{\"n\":\"\u00e9 a\\/b <b> & \\u2028\",\"k\":[1.5,{}],\"a\":{}}}"},
		{"JSON_UNESCAPED_SLASHES and JSON_UNESCAPED_UNICODE", "{\"type\":\"t\",\"id\":\"1\",\"data\":{\"n\":\"\u00e9 a/b <b> & \\u2028\",\"k\":[1.5,{}],\"a\":{}}}"},
		{"JSON_PRETTY_PRINT", "{\n    \"type\": \"t\",\n    \"id\": \"1\",\n    \"data\": {\n        \"n\": \"\\u00e9 a\\/b <b> & \\u2028\",\n        \"k\": [\n            1.5,\n            {}\n        ],\n        \"a\": {}\n    }\n}"},
		{"Go's json.Marshal, with sorted keys and followed by a line break", "{\"data\":{\"a\":{},\"k\":[1.5,{}],\"n\":\"\u00e9 a/b \\u003cb\\u003e \\u0026 \\u2028\"},\"id\":\"1\",\"type\":\"t\"}\n"},
	} {
		verdict := webhook.CheckSignature(t.Context(), body, made(sha256.New, key, c.text), key)
		if len(verdict.Found) != 1 || verdict.Found[0].Cause != webhook.CauseReserialized || !strings.Contains(verdict.Found[0].Advice, c.printer) {
			t.Errorf("%s: %v", c.printer, verdict.Found)
		}
		// In the other direction, the printer is unknown, since what was signed is what was sent.
		verdict = webhook.CheckSignature(t.Context(), c.text, made(sha256.New, key, body), key)
		if strings.Contains(verdict.Found[0].Advice, "JSON.stringify") {
			t.Errorf("%s, in the other direction: %v", c.printer, verdict.Found)
		}
	}
}

// A check stops when its caller leaves, and holds one changed body at a time (LIMIT-24).
func TestSignatureCheckStopsWithItsCaller(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	body := `{"data":{"text":"` + strings.Repeat("x<", 400_000) + `"}}`
	right := made(sha256.New, "key", body+"\n")
	if verdict := webhook.CheckSignature(ctx, body, right, "key"); slices.ContainsFunc(verdict.Found, func(d webhook.Deviation) bool {
		return d.Cause == webhook.CauseNewline
	}) {
		t.Error("the check continued after its caller left")
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	peak := uint64(0)
	done := make(chan struct{})
	go func() {
		defer close(done)
		webhook.CheckSignature(t.Context(), body, strings.Repeat("0", 64), "key")
	}()
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		peak = max(peak, after.HeapAlloc)
	}
	if grown := int64(peak) - int64(before.HeapAlloc); grown > 32<<20 {
		t.Errorf("a check of %d kB used %d MB", len(body)>>10, grown>>20)
	}
}
