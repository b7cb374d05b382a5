package systemtest

import (
	"strings"
)

// Valid values, for cases that need them in addition to the tested setting.
const (
	SecretKey       = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
	SystemToken     = "a-system-token-of-forty-characters-12345"
	ProdSecretKey   = "Zk3v0l9s1Q7mXw2yB8nT5rHc6uJdPaLeGf4iKoVtSxE=" // accepted by prod
	ProdSystemToken = "9f1c64d07be235a8c1f0e49b7d3a682e5c0b91f7"
	RightURL        = "postgres://app:unguessable@db.example.org/tickets"
	OwnerURL        = "postgres://owner:unguessable@db.example.org/tickets"
)

// WrongSettings are environments that the program must refuse. Setting is the setting that the error must name.
// wrong_settings_test.go runs the program with each of them.
var WrongSettings = []struct {
	Name, Setting string
	Environment   []string
}{
	{"a database URL with another scheme", "TICKETGATE_DATABASE_URL", []string{"TICKETGATE_DATABASE_URL=mysql://app@db/tickets"}},
	{"a database URL without a role", "TICKETGATE_DATABASE_URL", []string{"TICKETGATE_DATABASE_URL=postgres://db.example.org/tickets"}},
	{"a database URL without a database", "TICKETGATE_DATABASE_URL", []string{"TICKETGATE_DATABASE_URL=postgres://app@db.example.org"}},
	{"a database URL with a bad port", "TICKETGATE_DATABASE_URL", []string{"TICKETGATE_DATABASE_URL=postgres://app@db:none/tickets"}},
	{"a database URL with a bad option", "TICKETGATE_DATABASE_URL", []string{"TICKETGATE_DATABASE_URL=" + RightURL + "?sslmode=perhaps"}},
	{"an invalid owner's URL", "TICKETGATE_DATABASE_OWNER_URL", []string{"TICKETGATE_DATABASE_OWNER_URL=owner"}},
	{"an owner's URL alone", "TICKETGATE_DATABASE_URL", []string{"TICKETGATE_DATABASE_OWNER_URL=" + OwnerURL}},
	{"a pooler in another mode", "TICKETGATE_DATABASE_POOLER", []string{"TICKETGATE_DATABASE_POOLER=session"}},
	{"a pooler without a direct URL", "TICKETGATE_DATABASE_DIRECT_URL", []string{
		"TICKETGATE_DATABASE_URL=" + RightURL, "TICKETGATE_DATABASE_POOLER=transaction",
	}},
	{"a pooler without a database", "TICKETGATE_DATABASE_URL", []string{
		"TICKETGATE_DATABASE_DIRECT_URL=" + RightURL, "TICKETGATE_DATABASE_POOLER=transaction",
	}},
	{"a direct URL without a pooler", "TICKETGATE_DATABASE_POOLER", []string{
		"TICKETGATE_DATABASE_URL=" + RightURL, "TICKETGATE_DATABASE_DIRECT_URL=" + RightURL,
	}},
	{"a replica that is not a URL", "TICKETGATE_DATABASE_REPLICA_URL", []string{"TICKETGATE_DATABASE_REPLICA_URL=replica"}},
	{"a replica without a database", "TICKETGATE_DATABASE_URL", []string{"TICKETGATE_DATABASE_REPLICA_URL=" + RightURL}},
	{"two names for one cluster", "TICKETGATE_ROUTE_CLUSTERS", []string{
		"TICKETGATE_ROUTE_CLUSTERS=a=http://Cluster.example.org,b=http://other.example.org,c=https://cluster.example.org.:080/",
	}},
	{"one connection", "TICKETGATE_DATABASE_CONNECTIONS", []string{"TICKETGATE_DATABASE_CONNECTIONS=1"}},
	{"connections as a word", "TICKETGATE_DATABASE_CONNECTIONS", []string{"TICKETGATE_DATABASE_CONNECTIONS=eight"}},
	{"an address without a port", "TICKETGATE_LISTEN", []string{"TICKETGATE_LISTEN=127.0.0.1"}},
	{"a port out of range", "TICKETGATE_LISTEN", []string{"TICKETGATE_LISTEN=127.0.0.1:65536"}},
	{"a port by name", "TICKETGATE_LISTEN", []string{"TICKETGATE_LISTEN=127.0.0.1:http"}},
	{"a URL to listen on", "TICKETGATE_LISTEN", []string{"TICKETGATE_LISTEN=http://127.0.0.1:80"}},
	{"dev on every address", "TICKETGATE_LISTEN", []string{"TICKETGATE_LISTEN=:8080"}},
	{"dev on a network address", "TICKETGATE_LISTEN", []string{"TICKETGATE_LISTEN=192.0.2.1:8080", "TICKETGATE_SECRET_KEY=" + SecretKey}},
	{"dev with the token alone", "TICKETGATE_LISTEN", []string{"TICKETGATE_LISTEN=[::]:0", "TICKETGATE_SYSTEM_TOKEN=" + SystemToken}},
	{"an admin listener on the network", "TICKETGATE_ADMIN_LISTEN", []string{"TICKETGATE_ADMIN_LISTEN=0.0.0.0:6060"}},
	{"an admin listener without a host", "TICKETGATE_ADMIN_LISTEN", []string{"TICKETGATE_ADMIN_LISTEN=:6060"}},
	{"a proxy by name", "TICKETGATE_TRUSTED_PROXIES", []string{"TICKETGATE_TRUSTED_PROXIES=proxy.example.org"}},
	{"every address as a proxy", "TICKETGATE_TRUSTED_PROXIES", []string{"TICKETGATE_TRUSTED_PROXIES=loopback,0.0.0.0/0"}},
	{"a proxy with a port", "TICKETGATE_TRUSTED_PROXIES", []string{"TICKETGATE_TRUSTED_PROXIES=192.0.2.1:80"}},
	{"another mode", "TICKETGATE_MODE", []string{"TICKETGATE_MODE=production"}},
	{"the mode in capitals", "TICKETGATE_MODE", []string{"TICKETGATE_MODE=PROD"}},
	{"a short secret key", "TICKETGATE_SECRET_KEY", []string{"TICKETGATE_SECRET_KEY=c2hvcnQ="}},
	{"a secret key in hexadecimal", "TICKETGATE_SECRET_KEY", []string{"TICKETGATE_SECRET_KEY=" + strings.Repeat("0f", 32)}},
	{"an empty second secret key", "TICKETGATE_SECRET_KEY", []string{"TICKETGATE_SECRET_KEY=" + SecretKey + ","}},
	{"a short system token", "TICKETGATE_SYSTEM_TOKEN", []string{"TICKETGATE_SYSTEM_TOKEN=" + strings.Repeat("x", 31)}},
	{"a long system token", "TICKETGATE_SYSTEM_TOKEN", []string{"TICKETGATE_SYSTEM_TOKEN=" + strings.Repeat("x", 201)}},
	{"a system token with a space", "TICKETGATE_SYSTEM_TOKEN", []string{"TICKETGATE_SYSTEM_TOKEN=" + strings.Repeat("x", 31) + " y"}},
	{"three system tokens", "TICKETGATE_SYSTEM_TOKEN", []string{"TICKETGATE_SYSTEM_TOKEN=" + SystemToken + "," + SystemToken + "," + SystemToken}},
	{"a collector without a scheme", "TICKETGATE_OTLP_ENDPOINT", []string{"TICKETGATE_OTLP_ENDPOINT=collector:4318"}},
	{"a collector with another protocol", "TICKETGATE_OTLP_ENDPOINT", []string{"TICKETGATE_OTLP_ENDPOINT=grpc://collector:4317"}},
	{"a collector with a password", "TICKETGATE_OTLP_ENDPOINT", []string{"TICKETGATE_OTLP_ENDPOINT=http://user:password@collector:4318"}},
	{"a collector with a query", "TICKETGATE_OTLP_ENDPOINT", []string{"TICKETGATE_OTLP_ENDPOINT=http://collector:4318/?token=secret"}},
	{"a number as truth", "TICKETGATE_ALLOW_PRIVATE_ADDRESSES", []string{"TICKETGATE_ALLOW_PRIVATE_ADDRESSES=1"}},
	{"a header with a space", "TICKETGATE_SIGNATURE_HEADER", []string{"TICKETGATE_SIGNATURE_HEADER=x signature"}},
	{"a header of the call", "TICKETGATE_SIGNATURE_HEADER", []string{"TICKETGATE_SIGNATURE_HEADER=Content-Type"}},
	{"a header that allows repeats", "TICKETGATE_SIGNATURE_HEADER", []string{"TICKETGATE_SIGNATURE_HEADER=Idempotency-Key"}},
	{"waits without a unit", "TICKETGATE_RETRY_SCHEDULE", []string{"TICKETGATE_RETRY_SCHEDULE=30,60"}},
	{"a negative wait", "TICKETGATE_RETRY_SCHEDULE", []string{"TICKETGATE_RETRY_SCHEDULE=-1s"}},
	{"21 waits", "TICKETGATE_RETRY_SCHEDULE", []string{"TICKETGATE_RETRY_SCHEDULE=1s" + strings.Repeat(",1s", 20)}},
	{"a wait of a month", "TICKETGATE_RETRY_SCHEDULE", []string{"TICKETGATE_RETRY_SCHEDULE=720h"}},
	{"no retention", "TICKETGATE_RETENTION", []string{"TICKETGATE_RETENTION=0d"}},
	{"retention of half a day", "TICKETGATE_RETENTION", []string{"TICKETGATE_RETENTION=36h"}},
	{
		"attempts longer than the retention", "TICKETGATE_RETENTION",
		[]string{"TICKETGATE_RETENTION=10d", "TICKETGATE_RETRY_SCHEDULE=120h,120h"},
	},
	{"a session without end", "TICKETGATE_SESSION_LIFETIME", []string{"TICKETGATE_SESSION_LIFETIME=0"}},
	{"a session idle for seconds", "TICKETGATE_SESSION_IDLE", []string{"TICKETGATE_SESSION_IDLE=10s"}},
	{"a session idle longer than its lifetime", "TICKETGATE_SESSION_IDLE", []string{"TICKETGATE_SESSION_IDLE=13h"}},
	{"no sessions", "TICKETGATE_SESSIONS_PER_USER", []string{"TICKETGATE_SESSIONS_PER_USER=0"}},
	{"no workers", "TICKETGATE_WORKERS", []string{"TICKETGATE_WORKERS=0"}},
	{"a rate of zero", "TICKETGATE_PUBLIC_RATE", []string{"TICKETGATE_PUBLIC_RATE=0"}},
	{"a burst with a sign", "TICKETGATE_PUBLIC_BURST", []string{"TICKETGATE_PUBLIC_BURST=+5"}},
	{"another log level", "TICKETGATE_LOG_LEVEL", []string{"TICKETGATE_LOG_LEVEL=verbose"}},
	{"another log format", "TICKETGATE_LOG_FORMAT", []string{"TICKETGATE_LOG_FORMAT=xml"}},
	{"prod with defaults", "TICKETGATE_DATABASE_URL", []string{"TICKETGATE_MODE=prod"}},
	{"prod without the owner", "TICKETGATE_DATABASE_OWNER_URL", ProdWithout("TICKETGATE_DATABASE_OWNER_URL")},
	{"prod without a secret key", "TICKETGATE_SECRET_KEY", ProdWithout("TICKETGATE_SECRET_KEY")},
	{"prod without a system token", "TICKETGATE_SYSTEM_TOKEN", ProdWithout("TICKETGATE_SYSTEM_TOKEN")},
	{"prod with one role", "TICKETGATE_DATABASE_OWNER_URL", append(ProdWithout("TICKETGATE_DATABASE_OWNER_URL"), "TICKETGATE_DATABASE_OWNER_URL="+RightURL)},
	{"prod with private addresses", "TICKETGATE_ALLOW_PRIVATE_ADDRESSES", append(ProdWithout(""), "TICKETGATE_ALLOW_PRIVATE_ADDRESSES=true")},
}

// ProdWithout returns all settings that prod requires, except one.
func ProdWithout(name string) []string {
	var kept []string
	for _, variable := range []string{
		"TICKETGATE_MODE=prod", "TICKETGATE_DATABASE_URL=" + RightURL, "TICKETGATE_DATABASE_OWNER_URL=" + OwnerURL,
		"TICKETGATE_SECRET_KEY=" + ProdSecretKey, "TICKETGATE_SYSTEM_TOKEN=" + ProdSystemToken,
	} {
		if name == "" || !strings.HasPrefix(variable, name+"=") {
			kept = append(kept, variable)
		}
	}
	return kept
}
