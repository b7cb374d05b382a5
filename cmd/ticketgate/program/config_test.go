package program

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"ticketgate/cmd/systemtest"
	"ticketgate/domain"
	"ticketgate/domain/domaintest"
)

func TestDefaults(t *testing.T) {
	t.Parallel()
	config, warnings, err := Load([]string{"HOME=/nowhere", "TICKETGATE_MODE=", "TICKETGATE_TEST_ANY=1"})
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
	config, _, err := Load([]string{
		"TICKETGATE_MODE=prod", "TICKETGATE_DATABASE_URL=" + systemtest.RightURL, "TICKETGATE_DATABASE_OWNER_URL=" + systemtest.OwnerURL,
		"TICKETGATE_SECRET_KEY=" + systemtest.ProdSecretKey + "," + strings.Repeat("_-8", 14) + "A", "TICKETGATE_LISTEN=:443",
		"TICKETGATE_SYSTEM_TOKEN=" + systemtest.ProdSystemToken + "," + "~" + systemtest.ProdSystemToken, "TICKETGATE_RETENTION=2d",
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
	domaintest.Equal(t, "system tokens", config.SystemTokens, []string{systemtest.ProdSystemToken, "~" + systemtest.ProdSystemToken})
	if !config.Prod || config.Mode() != "prod" || config.Retention != 48*time.Hour || config.LogLevel != slog.LevelDebug {
		t.Errorf("got %+v", config)
	}
	wait, ok := config.RetrySchedule.Wait(3, 0.5, 0)
	if config.RetrySchedule.Retries() != 3 || wait != 2*time.Minute || !ok {
		t.Errorf("retry schedule: got %d retries, the third after %v", config.RetrySchedule.Retries(), wait)
	}
}

func TestAMistypedSettingGivesAWarning(t *testing.T) {
	t.Parallel()
	_, warnings, err := Load([]string{"TICKETGATE_LISTN=x", "TICKETGATE_ZZZZZZZZZZ=x", "OTHER_LISTN=x"})
	want := []string{
		"TICKETGATE_LISTN is not a setting and has no effect; did you mean TICKETGATE_LISTEN?",
		"TICKETGATE_ZZZZZZZZZZ is not a setting and has no effect",
	}
	systemtest.Must(t, err)
	domaintest.Equal(t, "warnings", warnings, want)
}

func TestWrongSettingsAreNamed(t *testing.T) {
	t.Parallel()
	if _, _, err := Load(systemtest.ProdWithout("")); err != nil {
		t.Fatalf("valid settings of prod were refused: %v", err)
	}
	for _, row := range systemtest.WrongSettings {
		t.Run(row.Name, func(t *testing.T) {
			t.Parallel()
			_, _, err := Load(row.Environment)
			if err == nil {
				t.Fatal("it was accepted")
			}
			if !strings.HasPrefix(err.Error(), row.Setting+" ") {
				t.Errorf("got %q, want %s named first", err, row.Setting)
			}
			for _, variable := range row.Environment {
				_, value, _ := strings.Cut(variable, "=")
				if len(value) > 8 && strings.Contains(err.Error(), value) {
					t.Errorf("the message contains the value %q: %s", value, err)
				}
			}
		})
	}
}

// A command requires in prod only what it uses.
func TestACommandRequiresWhatItUses(t *testing.T) {
	t.Parallel()
	for used, environment := range map[string][]string{
		"":                 {"TICKETGATE_MODE=prod"},
		SettingSystemToken: {"TICKETGATE_MODE=prod", "TICKETGATE_LISTEN=:80", "TICKETGATE_SYSTEM_TOKEN=" + systemtest.ProdSystemToken},
		SettingSecretKey:   {"TICKETGATE_LISTEN=:80", "TICKETGATE_SECRET_KEY=" + systemtest.SecretKey},
	} {
		names := strings.Fields(used)
		if _, _, err := LoadFor(environment, names); err != nil {
			t.Errorf("%q: %v", used, err)
		}
		if len(names) == 0 {
			continue
		}
		if _, _, err := LoadFor(environment[:len(environment)-1], names); err == nil {
			t.Errorf("without %s: accepted", used)
		}
	}
}

func TestAllWrongSettingsAreNamedTogether(t *testing.T) {
	t.Parallel()
	_, _, err := Load([]string{"TICKETGATE_LISTEN=x", "TICKETGATE_MODE=x", "TICKETGATE_WORKERS=x"})
	if err == nil || strings.Count(err.Error(), "\n") != 2 {
		t.Errorf("got %v, want three lines", err)
	}
}

// docs/operations.md is hand-written. Its table of settings must match the program's.
func TestOperationsPageListsEachSetting(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, setting := range Settings {
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

func TestEveryDefaultIsValid(t *testing.T) {
	t.Parallel()
	for _, setting := range Settings {
		if setting.Default != "" && !setting.read(&Config{}, setting.Default) {
			t.Errorf("%s: invalid default %q", setting.Name, setting.Default)
		}
	}
}

func TestTheLogHasTheCausesHiddenFromCallers(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"text", "json"} {
		var log bytes.Buffer
		NewLog(&Config{LogFormat: format}, &log).Error("not counted", "error", domain.Unavailable(errors.New("the pool is empty")))
		if !strings.Contains(log.String(), "Try again: the pool is empty") {
			t.Errorf("%s: %s", format, &log)
		}
	}
}

// LIMIT-20.
func TestUnknownCallersCantUseAllPasswordHashes(t *testing.T) {
	t.Parallel()
	for hashes := range 65 {
		config := Config{Limits: Limits{PasswordHashes: &hashes}}
		if hashes == 0 {
			config.PasswordHashes = nil
		}
		if bounds := config.hashes(); bounds.PerSeller < 1 || bounds.PerSeller >= bounds.Total || bounds.PerOrganization() >= bounds.Total {
			t.Errorf("%d hashes: %+v leaves none for known callers", hashes, bounds)
		}
	}
}
