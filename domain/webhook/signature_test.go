package webhook_test

import (
	"strings"
	"testing"

	"ticketgate/domain/webhook"
)

// The first three are test cases 1, 2 and 6 of RFC 4231. The others were computed with openssl.
func TestSign(t *testing.T) {
	for _, c := range []struct{ name, key, body, want string }{
		{"a key of 20 bytes", strings.Repeat("\x0b", 20), "Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"},
		{"a key shorter than the digest", "Jefe", "what do ya want for nothing?", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"},
		{"a key longer than the block is hashed first", strings.Repeat("\xaa", 131), "Test Using Larger Than Block-Size Key - Hash Key First", "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"},
		{"bytes beyond ASCII, signed as they are", "clé", "{\"a\":\"é<\u2028>&\"}", "a0ee6a3f278db25ebb1df61c04a6c3e1ed2c849e829f0171d413a24af7b3aaa6"},
		{"a key with line breaks and NUL", "a\r\nb\x00", "{}", "f5b1b109ec07954beb309d121afa6089f6c8a0b32fee1774b039759026404d36"},
		{"an empty body", "k", "", "8bb990c40a7d61cb97597a942125025be50ac8beb74436e3735b98893a7f6620"},
	} {
		if got := webhook.Sign([]byte(c.key), []byte(c.body)); got != c.want {
			t.Errorf("%s: got %s", c.name, got)
		}
	}
}
