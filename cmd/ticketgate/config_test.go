package main

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"ticketgate/domain"
)

// Values that are right, for the rows that need one beside what they test.
const (
	rightKey   = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
	rightToken = "a-system-token-of-forty-characters-12345"
	goodKey    = "Zk3v0l9s1Q7mXw2yB8nT5rHc6uJdPaLeGf4iKoVtSxE=" // prod takes these two
	goodToken  = "9f1c64d07be235a8c1f0e49b7d3a682e5c0b91f7"
	rightURL   = "postgres://app:unguessable@db.example.org/tickets"
	ownerURL   = "postgres://owner:unguessable@db.example.org/tickets"
)

func TestDefaults(t *testing.T) {
	t.Parallel()
	config, warnings, err := loadConfig([]string{"HOME=/nowhere", "TICKETGATE_MODE=", "TICKETGATE_TEST_ANY=1"})
	if err != nil || len(warnings) > 0 {
		t.Fatalf("got %v and warnings %q", err, warnings)
	}
	if config.Listen != "127.0.0.1:8080" || config.Prod || config.DataDir != "./data" || config.AllowPrivateAddresses {
		t.Errorf("got %+v", config)
	}
	if config.Retention != 30*24*time.Hour || config.SessionIdle != 30*time.Minute || config.SessionLifetime != 12*time.Hour {
		t.Errorf("times: got %v, %v, %v", config.Retention, config.SessionIdle, config.SessionLifetime)
	}
	if config.RetrySchedule.Retries() != 6 || config.LogLevel != slog.LevelInfo {
		t.Errorf("got %d retries, level %v", config.RetrySchedule.Retries(), config.LogLevel)
	}
}

func TestValues(t *testing.T) {
	t.Parallel()
	config, _, err := loadConfig([]string{
		"TICKETGATE_MODE=prod", "TICKETGATE_DATABASE_URL=" + rightURL, "TICKETGATE_DATABASE_OWNER_URL=" + ownerURL,
		"TICKETGATE_SECRET_KEY=" + goodKey + "," + strings.Repeat("_-8", 14) + "A", "TICKETGATE_LISTEN=:443",
		"TICKETGATE_SYSTEM_TOKEN=" + goodToken + "," + "~" + goodToken, "TICKETGATE_RETENTION=2d",
		"TICKETGATE_RETRY_SCHEDULE=0s,1s, 2m", "TICKETGATE_SIGNATURE_HEADER=X-Shop-Signature", "TICKETGATE_LOG_LEVEL=debug",
		"TICKETGATE_ADMIN_LISTEN=[::1]:6060",
	})
	if err != nil {
		t.Fatal(err)
	}
	keys := config.SecretKeys
	if len(keys) != 2 || len(keys[0]) != 32 || len(keys[1]) != 32 {
		t.Errorf("secret keys: got %d", len(keys))
	}
	if want := []string{goodToken, "~" + goodToken}; !reflect.DeepEqual(config.SystemTokens, want) {
		t.Errorf("system tokens: got %q", config.SystemTokens)
	}
	if !config.Prod || config.Mode() != "prod" || config.Retention != 48*time.Hour || config.LogLevel != slog.LevelDebug {
		t.Errorf("got %+v", config)
	}
	wait, ok := config.RetrySchedule.Wait(3, 0.5, 0)
	if config.RetrySchedule.Retries() != 3 || wait != 2*time.Minute || !ok {
		t.Errorf("retry schedule: got %d retries, the third after %v", config.RetrySchedule.Retries(), wait)
	}
}

func TestAMistypedNameIsWarnedOf(t *testing.T) {
	t.Parallel()
	_, warnings, err := loadConfig([]string{"TICKETGATE_LISTN=x", "TICKETGATE_ZZZZZZZZZZ=x", "OTHER_LISTN=x"})
	want := []string{
		"TICKETGATE_LISTN is no setting and has no effect; did you mean TICKETGATE_LISTEN?",
		"TICKETGATE_ZZZZZZZZZZ is no setting and has no effect",
	}
	if err != nil || !reflect.DeepEqual(warnings, want) {
		t.Errorf("got %v and %q", err, warnings)
	}
}

// wrongSettings are environments that must be refused, by the setting that the refusal names. The program itself is
// tried with each in wrong_settings_test.go.
var wrongSettings = []struct {
	name, setting string
	environment   []string
}{
	{"a database URL of another kind", settingDatabaseURL, []string{"TICKETGATE_DATABASE_URL=mysql://app@db/tickets"}},
	{"a database URL without a role", settingDatabaseURL, []string{"TICKETGATE_DATABASE_URL=postgres://db.example.org/tickets"}},
	{"a database URL without a database", settingDatabaseURL, []string{"TICKETGATE_DATABASE_URL=postgres://app@db.example.org"}},
	{"a database URL with a bad port", settingDatabaseURL, []string{"TICKETGATE_DATABASE_URL=postgres://app@db:none/tickets"}},
	{"a database URL with a bad option", settingDatabaseURL, []string{"TICKETGATE_DATABASE_URL=" + rightURL + "?sslmode=perhaps"}},
	{"an owner's URL that is none", settingOwnerURL, []string{"TICKETGATE_DATABASE_OWNER_URL=owner"}},
	{"an owner's URL alone", settingDatabaseURL, []string{"TICKETGATE_DATABASE_OWNER_URL=" + ownerURL}},
	{"one connection", settingConnections, []string{"TICKETGATE_DATABASE_CONNECTIONS=1"}},
	{"connections in words", settingConnections, []string{"TICKETGATE_DATABASE_CONNECTIONS=eight"}},
	{"an address without a port", settingListen, []string{"TICKETGATE_LISTEN=127.0.0.1"}},
	{"a port out of range", settingListen, []string{"TICKETGATE_LISTEN=127.0.0.1:65536"}},
	{"a port by name", settingListen, []string{"TICKETGATE_LISTEN=127.0.0.1:http"}},
	{"a URL to listen on", settingListen, []string{"TICKETGATE_LISTEN=http://127.0.0.1:80"}},
	{"dev on every address", settingListen, []string{"TICKETGATE_LISTEN=:8080"}},
	{"dev on a network address", settingListen, []string{"TICKETGATE_LISTEN=192.0.2.1:8080", "TICKETGATE_SECRET_KEY=" + rightKey}},
	{"dev with the token alone", settingListen, []string{"TICKETGATE_LISTEN=[::]:0", "TICKETGATE_SYSTEM_TOKEN=" + rightToken}},
	{"an admin listener on the network", settingAdminListen, []string{"TICKETGATE_ADMIN_LISTEN=0.0.0.0:6060"}},
	{"an admin listener without a host", settingAdminListen, []string{"TICKETGATE_ADMIN_LISTEN=:6060"}},
	{"a proxy by name", settingProxies, []string{"TICKETGATE_TRUSTED_PROXIES=proxy.example.org"}},
	{"every address as a proxy", settingProxies, []string{"TICKETGATE_TRUSTED_PROXIES=loopback,0.0.0.0/0"}},
	{"a proxy with a port", settingProxies, []string{"TICKETGATE_TRUSTED_PROXIES=192.0.2.1:80"}},
	{"another mode", settingMode, []string{"TICKETGATE_MODE=production"}},
	{"the mode in capitals", settingMode, []string{"TICKETGATE_MODE=PROD"}},
	{"a short secret key", settingSecretKey, []string{"TICKETGATE_SECRET_KEY=c2hvcnQ="}},
	{"a secret key in hexadecimal", settingSecretKey, []string{"TICKETGATE_SECRET_KEY=" + strings.Repeat("0f", 32)}},
	{"a second secret key that is none", settingSecretKey, []string{"TICKETGATE_SECRET_KEY=" + rightKey + ","}},
	{"a short system token", settingSystemToken, []string{"TICKETGATE_SYSTEM_TOKEN=" + strings.Repeat("x", 31)}},
	{"a long system token", settingSystemToken, []string{"TICKETGATE_SYSTEM_TOKEN=" + strings.Repeat("x", 201)}},
	{"a system token with a space", settingSystemToken, []string{"TICKETGATE_SYSTEM_TOKEN=" + strings.Repeat("x", 31) + " y"}},
	{"three system tokens", settingSystemToken, []string{"TICKETGATE_SYSTEM_TOKEN=" + rightToken + "," + rightToken + "," + rightToken}},
	{"a collector without a scheme", settingOTLPEndpoint, []string{"TICKETGATE_OTLP_ENDPOINT=collector:4318"}},
	{"a collector of another protocol", settingOTLPEndpoint, []string{"TICKETGATE_OTLP_ENDPOINT=grpc://collector:4317"}},
	{"a collector with a password", settingOTLPEndpoint, []string{"TICKETGATE_OTLP_ENDPOINT=http://user:password@collector:4318"}},
	{"a collector with a query", settingOTLPEndpoint, []string{"TICKETGATE_OTLP_ENDPOINT=http://collector:4318/?token=secret"}},
	{"a number as truth", settingAllowPrivate, []string{"TICKETGATE_ALLOW_PRIVATE_ADDRESSES=1"}},
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
		"attempts for longer than they are kept", "TICKETGATE_RETENTION",
		[]string{"TICKETGATE_RETENTION=10d", "TICKETGATE_RETRY_SCHEDULE=120h,120h"},
	},
	{"a session without end", "TICKETGATE_SESSION_LIFETIME", []string{"TICKETGATE_SESSION_LIFETIME=0"}},
	{"a session idle for seconds", "TICKETGATE_SESSION_IDLE", []string{"TICKETGATE_SESSION_IDLE=10s"}},
	{"a session idle for longer than it lasts", "TICKETGATE_SESSION_IDLE", []string{"TICKETGATE_SESSION_IDLE=13h"}},
	{"no sessions", "TICKETGATE_SESSIONS_PER_USER", []string{"TICKETGATE_SESSIONS_PER_USER=0"}},
	{"no workers", "TICKETGATE_WORKERS", []string{"TICKETGATE_WORKERS=0"}},
	{"a rate of none", "TICKETGATE_PUBLIC_RATE", []string{"TICKETGATE_PUBLIC_RATE=0"}},
	{"a burst with a sign", "TICKETGATE_PUBLIC_BURST", []string{"TICKETGATE_PUBLIC_BURST=+5"}},
	{"another log level", "TICKETGATE_LOG_LEVEL", []string{"TICKETGATE_LOG_LEVEL=verbose"}},
	{"another log format", "TICKETGATE_LOG_FORMAT", []string{"TICKETGATE_LOG_FORMAT=xml"}},
	{"prod with defaults", settingDatabaseURL, []string{"TICKETGATE_MODE=prod"}},
	{"prod without the owner", settingOwnerURL, prodWithout(settingOwnerURL)},
	{"prod without a secret key", settingSecretKey, prodWithout(settingSecretKey)},
	{"prod without a system token", settingSystemToken, prodWithout(settingSystemToken)},
	{"prod with one role", settingOwnerURL, append(prodWithout(settingOwnerURL), "TICKETGATE_DATABASE_OWNER_URL="+rightURL)},
	{"prod with private addresses", settingAllowPrivate, append(prodWithout(""), "TICKETGATE_ALLOW_PRIVATE_ADDRESSES=true")},
}

// prodWithout is all that prod needs but one setting.
func prodWithout(name string) []string {
	var kept []string
	for _, variable := range []string{
		"TICKETGATE_MODE=prod", "TICKETGATE_DATABASE_URL=" + rightURL, "TICKETGATE_DATABASE_OWNER_URL=" + ownerURL,
		"TICKETGATE_SECRET_KEY=" + goodKey, "TICKETGATE_SYSTEM_TOKEN=" + goodToken,
	} {
		if name == "" || !strings.HasPrefix(variable, name+"=") {
			kept = append(kept, variable)
		}
	}
	return kept
}

func TestWrongSettingsAreNamed(t *testing.T) {
	t.Parallel()
	if _, _, err := loadConfig(prodWithout("")); err != nil {
		t.Fatalf("what prod needs is refused: %v", err)
	}
	for _, row := range wrongSettings {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			_, _, err := loadConfig(row.environment)
			if err == nil {
				t.Fatal("it was taken")
			}
			if !strings.HasPrefix(err.Error(), row.setting+" ") {
				t.Errorf("got %q, want it to name %s first", err, row.setting)
			}
			for _, variable := range row.environment {
				_, value, _ := strings.Cut(variable, "=")
				if len(value) > 8 && strings.Contains(err.Error(), value) {
					t.Errorf("the message holds the value %q: %s", value, err)
				}
			}
		})
	}
}

func TestEveryWrongSettingIsNamedAtOnce(t *testing.T) {
	t.Parallel()
	_, _, err := loadConfig([]string{"TICKETGATE_LISTEN=x", "TICKETGATE_MODE=x", "TICKETGATE_WORKERS=x"})
	if err == nil || strings.Count(err.Error(), "\n") != 2 {
		t.Errorf("got %v, want three lines", err)
	}
}

// The page for operators is written by hand; its table of settings can't differ from the program's.
func TestOperationsPageListsEachSetting(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, setting := range settings {
		value := ""
		if setting.Default != "" {
			value = "`" + setting.Default + "`"
		}
		row := "| `" + setting.Name + "` | " + value + " | " + setting.Right + " | " + setting.Purpose + " |\n"
		if !strings.Contains(string(page), row) {
			t.Errorf("docs/operations.md lacks the row\n%s", row)
		}
	}
}

func TestEveryDefaultIsRight(t *testing.T) {
	t.Parallel()
	for _, setting := range settings {
		if setting.Default != "" && !setting.read(&Config{}, setting.Default) {
			t.Errorf("%s: its default %q is not right", setting.Name, setting.Default)
		}
	}
}

func TestTheLogSaysWhatCallersAreNotShown(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"text", "json"} {
		var log bytes.Buffer
		newLog(&Config{LogFormat: format}, &log).Error("not counted", "error", domain.Unavailable(errors.New("the pool is empty")))
		if !strings.Contains(log.String(), "please try again: the pool is empty") {
			t.Errorf("%s: %s", format, &log)
		}
	}
}

// LIMIT-20.
func TestStrangersLeaveAPasswordHash(t *testing.T) {
	t.Parallel()
	for hashes := range 65 {
		config := Config{Limits: Limits{PasswordHashes: &hashes}}
		if hashes == 0 {
			config.PasswordHashes = nil
		}
		if bounds := config.hashes(); bounds.PerSeller < 1 || bounds.PerSeller >= bounds.Total || bounds.PerOrganization() >= bounds.Total {
			t.Errorf("%d: %+v leaves nothing", hashes, bounds)
		}
	}
}
