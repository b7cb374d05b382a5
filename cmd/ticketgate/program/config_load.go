package program

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgconn"

	"ticketgate/cmd/ticketgate/route"
	"ticketgate/domain"
	"ticketgate/domain/texts"
	"ticketgate/domain/webhook"
)

// SettingsError lists all invalid settings, so that an operator sees them together. It never contains a value, which
// could be a secret in the wrong variable.
type SettingsError []string

// Error returns one line per setting.
func (e SettingsError) Error() string { return strings.Join(e, "\n") }

// Required are the settings that a server requires in prod. In dev, it starts a private PostgreSQL and generates secrets.
var Required = []string{SettingDatabaseURL, SettingOwnerURL, SettingSecretKey, SettingSystemToken}

// Load reads the settings of a server from the environment. Empty variables count as unset. It also returns warnings, for
// example about variables that look like a setting but are none.
func Load(environment []string) (*Config, []string, error) { return LoadFor(environment, Required) }

// LoadFor is like Load, for a command that uses only some of the Required settings.
func LoadFor(environment, used []string) (*Config, []string, error) {
	values, warnings := ownSettings(environment)
	config := &Config{RetrySchedule: webhook.DefaultRetrySchedule()}
	var wrong SettingsError
	for _, setting := range Settings {
		value, from := values[setting.Name], "its value"
		if value == "" {
			value, from = setting.Default, "its default"
		}
		if value != "" && !setting.read(config, value) {
			wrong = append(wrong, fmt.Sprintf("%s must be %s; %s (%d characters) is invalid",
				setting.Name, setting.Right, from, utf8.RuneCountInString(value)))
		}
	}
	if len(wrong) == 0 { // rules between settings require valid ones
		wrong = config.contradictions(used)
	}
	if len(wrong) > 0 {
		return nil, warnings, wrong
	}
	if config.DatabaseURL != "" && config.OwnerURL == "" {
		config.OwnerURL = cmp.Or(config.DirectURL, config.DatabaseURL)
		warnings = append(warnings, SettingOwnerURL+
			" is not set: migrations run as the application's own role, which can therefore change the audit log")
	}
	return config, warnings, nil
}

// ownSettings returns the values of variables that are settings, and warnings about other variables that start with
// TICKETGATE_.
func ownSettings(environment []string) (values map[string]string, warnings []string) {
	const prefix, tests, supervisor = "TICKETGATE_", "TICKETGATE_TEST_", "TICKETGATE_SUPERVISE_POSTGRES"
	names := make([]string, len(Settings))
	for i, setting := range Settings {
		names[i] = setting.Name
	}
	values = map[string]string{}
	for _, variable := range environment {
		name, value, _ := strings.Cut(variable, "=")
		switch {
		case slices.Contains(names, name):
			values[name] = value
		case strings.HasPrefix(name, prefix) && !strings.HasPrefix(name, tests) && name != supervisor:
			warnings = append(warnings, unknownSetting(name, names))
		}
	}
	return values, warnings
}

func unknownSetting(name string, names []string) string {
	if nearest, ok := texts.Nearest(name, names); ok {
		return fmt.Sprintf("%s is not a setting and has no effect; did you mean %s?", name, nearest)
	}
	return name + " is not a setting and has no effect"
}

// contradictions returns the settings that are valid individually but not together (OPS-1), and the used ones that are missing.
func (c *Config) contradictions(used []string) SettingsError {
	var wrong SettingsError
	refuse := func(setting, why string) { wrong = append(wrong, setting+" "+why) }
	if c.OwnerURL != "" && c.DatabaseURL == "" {
		refuse(SettingDatabaseURL, "must be set when "+SettingOwnerURL+" is: they name the same database")
	}
	c.poolerContradictions(refuse)
	if c.ReplicaURL != "" && c.DatabaseURL == "" {
		refuse(SettingDatabaseURL, "must be set when "+SettingReplicaURL+" is: it names the primary")
	}
	if c.SessionIdle > c.SessionLifetime {
		refuse("TICKETGATE_SESSION_IDLE", "must not be longer than TICKETGATE_SESSION_LIFETIME")
	}
	if longest := c.RetrySchedule.Longest(); longest >= c.Retention {
		refuse("TICKETGATE_RETENTION", fmt.Sprintf("must be longer than %s, the maximum duration of TICKETGATE_RETRY_SCHEDULE: "+
			"removed deliveries are not attempted", longest))
	}
	if c.SMTP != nil && (c.MailFrom == "" || c.PublicURL == "") {
		refuse(SettingSMTP, "requires "+settingMailFrom+" and "+settingPublicURL+": every email has a sender and a link")
	}
	if first, second, found := route.SameURL(c.Clusters); found {
		refuse(SettingClusters, "must have another URL for each cluster: "+first+" and "+second+" have the same")
	}
	missing := c.missing(used)
	if c.Prod {
		return append(wrong, c.prodDemands(missing)...)
	}
	if !isLoopback(c.Listen) && (slices.Contains(missing, SettingSecretKey) || slices.Contains(missing, SettingSystemToken)) {
		refuse(SettingListen, "must be a loopback address in mode dev, unless "+
			SettingSecretKey+" and "+SettingSystemToken+" are set")
	}
	return wrong
}

// missing returns those of the used settings that are not set.
func (c *Config) missing(used []string) []string {
	set := map[string]bool{
		SettingDatabaseURL: c.DatabaseURL != "", SettingOwnerURL: c.OwnerURL != "",
		SettingSecretKey: len(c.SecretKeys) > 0, SettingSystemToken: len(c.SystemTokens) > 0,
	}
	return slices.DeleteFunc(slices.Clone(used), func(name string) bool { return set[name] })
}

// poolerContradictions reports contradictions between the pooler settings.
func (c *Config) poolerContradictions(refuse func(setting, why string)) {
	switch {
	case c.Pooled && c.DatabaseURL == "":
		refuse(SettingDatabaseURL, "must be set when "+SettingPooler+" is: it leads to the pooler")
	case c.Pooled && c.DirectURL == "":
		refuse(SettingDirectURL, "must be set when "+SettingPooler+" is: "+
			"notifications, the lease and migrations need connections past the pooler")
	case !c.Pooled && c.DirectURL != "":
		refuse(SettingPooler, "must be set when "+SettingDirectURL+" is: without a pooler, "+SettingDatabaseURL+" is direct")
	}
}

// prodDemands returns the missing settings, and those whose values prod refuses.
func (c *Config) prodDemands(missing []string) SettingsError {
	var wrong SettingsError
	for _, setting := range missing {
		wrong = append(wrong, setting+" must be set in mode prod: "+rightOf(setting))
	}
	if c.OwnerURL != "" && c.DatabaseURL != "" && roleOf(c.OwnerURL) == roleOf(c.DatabaseURL) {
		wrong = append(wrong, SettingOwnerURL+" must name a different role than "+SettingDatabaseURL+
			" in mode prod: the application's role must not be able to change the schema or the audit log")
	}
	wrong = append(wrong, c.guessableSecrets()...)
	if c.AllowPrivateAddresses {
		wrong = append(wrong, SettingAllowPrivate+" must be false in mode prod: webhooks could call internal addresses")
	}
	return wrong
}

func rightOf(name string) string {
	for _, setting := range Settings {
		if setting.Name == name {
			return setting.Right
		}
	}
	return ""
}

// roleOf returns the role of a valid database URL.
func roleOf(url string) string {
	config, err := pgconn.ParseConfig(url)
	if err != nil {
		return ""
	}
	return config.User
}

// NewLog returns a logger with the configured level, format and rate limit.
func NewLog(c *Config, to io.Writer) *slog.Logger {
	options := &slog.HandlerOptions{Level: c.LogLevel, ReplaceAttr: withCause}
	if c.LogFormat == "json" {
		return slog.New(boundLog(slog.NewJSONHandler(printableJSON{to}, options), c.LogRate)) // the text handler quotes by itself
	}
	return slog.New(boundLog(slog.NewTextHandler(to, options), c.LogRate))
}

// printableJSON escapes terminal control sequences in log records (LIMIT-10).
type printableJSON struct{ to io.Writer }

// Write writes one record.
func (p printableJSON) Write(record []byte) (int, error) {
	if _, err := p.to.Write(texts.PrintableJSON(record)); err != nil {
		return 0, err
	}
	return len(record), nil
}

// withCause adds the cause to errors that callers see without it.
func withCause(_ []string, a slog.Attr) slog.Attr {
	if a.Value.Kind() != slog.KindAny {
		return a // calling Any would allocate for each text and number of each line
	}
	err, _ := a.Value.Any().(error)
	if known, ok := errors.AsType[*domain.Error](err); ok && known.Unwrap() != nil {
		a.Value = slog.StringValue(err.Error() + ": " + known.Unwrap().Error())
	}
	return a
}
