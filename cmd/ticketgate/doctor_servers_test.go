package main

import (
	"crypto/tls"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Each server keeps its own ways to connect, in their order: by default TLS, then plain text.
func TestServersOfAURLKeepTheirFallbacks(t *testing.T) {
	t.Parallel()
	for url, want := range map[string][]string{
		"":                         nil,
		"postgres://app@a/tickets": {"a:5432 TLS for a, then a:5432 plain"},
		"postgres://app@a:1,b:2/tickets?target_session_attrs=primary": {"a:1 TLS for a, then a:1 plain", "b:2 TLS for b, then b:2 plain"},
		"postgres://app@a,b/tickets?sslmode=disable":                  {"a:5432 plain", "b:5432 plain"},
		"postgres://app@a,b/tickets?sslmode=verify-full":              {"a:5432 TLS for a", "b:5432 TLS for b"},
		"postgres://app@a,a/tickets?sslmode=disable":                  {"a:5432 plain, then a:5432 plain"},
	} {
		var got []string
		for _, server := range serversOf(url) {
			ways := wayTo(server.Host, server.Port, server.TLSConfig)
			for _, fallback := range server.Fallbacks {
				ways += ", then " + wayTo(fallback.Host, fallback.Port, fallback.TLSConfig)
			}
			got = append(got, ways)
		}
		if difference := cmp.Diff(want, got); difference != "" {
			t.Errorf("%s (-want +got):\n%s", url, difference)
		}
	}
}

func wayTo(host string, port uint16, secured *tls.Config) string {
	if secured == nil {
		return fmt.Sprintf("%s:%d plain", host, port)
	}
	if secured.ServerName == "" {
		return fmt.Sprintf("%s:%d TLS", host, port)
	}
	return fmt.Sprintf("%s:%d TLS for %s", host, port, secured.ServerName)
}
