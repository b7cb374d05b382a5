package texts

import (
	"strings"
	"testing"
)

func TestValidEmail(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", maxLocalPart)
	for _, address := range []string{
		"a@b", "ada@example.com", "ada.o'neil+tickets@mail.example.co.uk", "élise@exämple.fr", "用户@例子.中国",
		"_@xn--exmple-cua.fr", "1@2.3", long + "@example.com", "a@" + strings.Repeat("b", maxLabel) + ".com",
	} {
		if !ValidEmail(address) {
			t.Errorf("%q is not accepted as an email address", address)
		}
	}
	for _, address := range []string{
		"", "@", "ada", "ada@", "@example.com", "a b@example.com", "ada@exa mple.com", "ada@-example.com", "ada@example-.com",
		"ada@example..com", "ada@.com", "ada@example.com.", "a@b@c", "ada\x00@example.com", "ada\xff@example.com",
		"ada@ex_ample.com", "Ada <ada@example.com>", `"a"@example.com`, "ada@[192.0.2.1]", "ada@example.com,b@example.com",
		long + "a@example.com", "a@" + strings.Repeat("b", 1+maxLabel) + ".com", "ada@" + strings.Repeat("a.", 130) + "com",
		"ada@example.com\r\nBcc: eve@example.com", " ada@example.com",
	} {
		if ValidEmail(address) {
			t.Errorf("%q is accepted as an email address", address)
		}
	}
}
