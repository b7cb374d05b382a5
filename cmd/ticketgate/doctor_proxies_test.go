package main

import (
	"strings"
	"testing"

	"ticketgate/cmd/ticketgate/program"
	"ticketgate/graph/edge"
)

func TestDoctorChecksTheTrustedProxies(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, listen, proxies string
		prod                  bool
		verdict               verdict
		found                 string
	}{
		{"prod on loopback, no trusted proxy", "127.0.0.1:8080", "", true, note, "throttles by address are off"},
		{"prod on loopback by name", "localhost:8080", "", true, note, "throttles by address are off"},
		{"prod on loopback by IPv6", "[::1]:8080", "", true, note, "throttles by address are off"},
		{"prod on a private address", "10.0.0.5:8080", "", true, note, "throttles by address are off"},
		{"prod on every address", ":8080", "", true, fine, "off for internal addresses"},
		{"prod on a public address", "192.0.2.1:443", "", true, fine, "off for internal addresses"},
		{"prod on loopback, trusting another network", "127.0.0.1:8080", "10.0.0.0/8", true, note, "does not contain: throttles"},
		{"prod on loopback, trusted", "127.0.0.1:8080", "loopback", true, fine, "127.0.0.0/8, ::1/128"},
		{"prod on a private address, trusted", "10.0.0.5:8080", "192.168.1.0/24", true, fine, "192.168.1.0/24"},
		{"dev", "127.0.0.1:8080", "", false, fine, "is the connection's"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			config := &program.Config{Listen: row.listen, Prod: row.prod}
			if row.proxies != "" {
				config.TrustedProxies, _ = edge.ParseProxies(row.proxies)
			}
			got := examineProxies(config)
			if got.verdict != row.verdict || !strings.Contains(got.found, row.found) || (got.verdict == note) != (got.advice != "") {
				t.Errorf("%+v", got)
			}
		})
	}
}
