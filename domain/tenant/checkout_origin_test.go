package tenant

import "testing"

func TestCheckoutOrigin(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"https://shop.example.com":         "https://shop.example.com",
		" https://Shop.Example.COM/ ":      "https://shop.example.com",
		"HTTPS://shop.example.com:443":     "https://shop.example.com",
		"https://shop.example.com:08443":   "https://shop.example.com:8443",
		"https://shop.example.com:":        "https://shop.example.com",
		"https://bücher.example":           "https://xn--bcher-kva.example",
		"https://192.0.2.1:8443":           "https://192.0.2.1:8443",
		"https://[2001:DB8::0:1]":          "https://[2001:db8::1]",
		"https://intranet":                 "https://intranet",
		"":                                 "",
		"*":                                "",
		"null":                             "",
		"shop.example.com":                 "",
		"https://":                         "",
		"https://:443":                     "",
		"https://*.example.com":            "",
		"https://shop.example.com/buy":     "",
		"https://shop.example.com?":        "",
		"https://shop.example.com/#":       "",
		"https://user@shop.example.com":    "",
		"https://shop.example.com:0":       "",
		"https://shop.example.com:65536":   "",
		"https://shop example.com":         "",
		"http://shop.example.com":          "",
		"ftp://localhost":                  "",
		"http://localhost.example.com":     "",
		"javascript:alert(1)":              "",
		"chrome-extension://abcdefghijklm": "",
	} {
		for _, local := range []bool{false, true} {
			if got, err := checkoutOrigin(text, local); (err == nil) != (want != "") || (err == nil && got != want) {
				t.Errorf("%q, local %v: got %q, %v, want %q", text, local, got, err, want)
			}
		}
	}
	for text, want := range map[string]string{
		"http://localhost": "http://localhost", "http://LOCALHOST:80/": "http://localhost", "http://localhost:5173": "http://localhost:5173",
	} {
		if got, err := checkoutOrigin(text, true); err != nil || got != want {
			t.Errorf("%q in development: got %q, %v", text, got, err)
		}
		if _, err := checkoutOrigin(text, false); err == nil {
			t.Errorf("%q is accepted outside development", text)
		}
	}
}
