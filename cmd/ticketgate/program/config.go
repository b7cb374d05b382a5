package program

import (
	"log/slog"
	"time"

	"ticketgate/cmd/ticketgate/route"
	"ticketgate/domain/share"
	"ticketgate/domain/webhook"
	"ticketgate/graph/edge"
	"ticketgate/jobs/mail"
)

// Config holds the parsed and validated settings.
type Config struct {
	Limits

	DatabaseURL string // empty for a private PostgreSQL
	OwnerURL    string
	// Pooled means that DatabaseURL leads to a pooler in transaction mode. DirectURL then bypasses the pooler.
	Pooled      bool
	DirectURL   string
	ReplicaURL  string // empty if there is no replica
	Connections int
	// SellerConnections is the number of connections that one seller's requests may use. 0 means five eighths.
	SellerConnections int
	// Long bounds long work.
	Long        share.Bounds
	DataDir     string
	PostgresBin string

	Listen      string
	AdminListen string // empty if there is no admin listener
	// OTLPEndpoint is the collector of traces. If it is empty, requests are not traced.
	OTLPEndpoint string
	// TrustedProxies are the proxies that may set the caller's address.
	TrustedProxies edge.Proxies
	Prod           bool

	SecretKeys   [][]byte
	SystemTokens []string

	AllowPrivateAddresses bool
	SignatureHeader       string
	RetrySchedule         webhook.RetrySchedule
	Retention             time.Duration
	Workers               int

	// PublicURL is the public address of the dashboard, or empty if it is unknown.
	PublicURL string
	// SMTP is the mail server for one-time links. If it is nil, links are shown instead.
	SMTP     *mail.Server
	MailFrom string

	SessionIdle     time.Duration
	SessionLifetime time.Duration
	SessionsPerUser int

	PublicRate  int
	PublicBurst int

	LogLevel  slog.Level
	LogFormat string

	// Clusters are the targets of `ticketgate route`. MoveDatabases are their databases, for commands.
	Clusters      []route.Cluster
	MoveDatabases []ClusterDatabase
}

// Mode returns the name of the mode, which every webhook body contains.
func (c *Config) Mode() string {
	if c.Prod {
		return modeProd
	}
	return modeDev
}

const (
	modeDev  = "dev"
	modeProd = "prod"
)

// Names of settings that other code uses.
const (
	SettingDatabaseURL  = "TICKETGATE_DATABASE_URL"
	SettingOwnerURL     = "TICKETGATE_DATABASE_OWNER_URL"
	SettingPooler       = "TICKETGATE_DATABASE_POOLER"
	SettingDirectURL    = "TICKETGATE_DATABASE_DIRECT_URL"
	SettingReplicaURL   = "TICKETGATE_DATABASE_REPLICA_URL"
	settingConnections  = "TICKETGATE_DATABASE_CONNECTIONS"
	settingDataDir      = "TICKETGATE_DATA_DIR"
	settingPostgresBin  = "TICKETGATE_POSTGRES_BIN"
	SettingListen       = "TICKETGATE_LISTEN"
	settingAdminListen  = "TICKETGATE_ADMIN_LISTEN"
	settingOTLPEndpoint = "TICKETGATE_OTLP_ENDPOINT"
	SettingProxies      = "TICKETGATE_TRUSTED_PROXIES"
	SettingMode         = "TICKETGATE_MODE"
	SettingSecretKey    = "TICKETGATE_SECRET_KEY"   //nolint:gosec // a name
	SettingSystemToken  = "TICKETGATE_SYSTEM_TOKEN" //nolint:gosec // a name
	SettingAllowPrivate = "TICKETGATE_ALLOW_PRIVATE_ADDRESSES"
	settingPublicURL    = "TICKETGATE_PUBLIC_URL"
	SettingSMTP         = "TICKETGATE_SMTP_URL"
	settingMailFrom     = "TICKETGATE_MAIL_FROM"
)

// Setting is a row of the table of settings, which is used for parsing, help, doctor and the check of
// docs/operations.md.
type Setting struct {
	Name    string
	Default string // in the form of a value; empty if there is none
	// Right completes the sentence "NAME must be …".
	Right   string
	Purpose string
	// Secret values are never shown, not even in part.
	Secret bool
	// read stores a value in the configuration and reports whether it is valid.
	read func(c *Config, value string) bool
}

// Settings is the table of all settings.
var Settings = append([]Setting{
	{
		SettingDatabaseURL, "", "a postgres:// URL with a role and a database",
		"The database, with the application's role. If unset, a private PostgreSQL starts in the data folder.",
		true, into(func(c *Config) *string { return &c.DatabaseURL }, databaseURL),
	},
	{
		SettingOwnerURL, "", "a postgres:// URL with the role that owns the database",
		"The same database with its owner's role, for migrations. In dev it defaults to the application's URL. prod requires another role.",
		true, into(func(c *Config) *string { return &c.OwnerURL }, databaseURL),
	},
	{
		SettingPooler, "", "transaction",
		"Set this if TICKETGATE_DATABASE_URL leads to a pooler in transaction mode, such as PgBouncer.",
		false, into(func(c *Config) *bool { return &c.Pooled }, oneOf(map[string]bool{"transaction": true})),
	},
	{
		SettingDirectURL, "", "a postgres:// URL with a role and a database",
		"The same database without the pooler, with the application's role. Required with TICKETGATE_DATABASE_POOLER.",
		true, into(func(c *Config) *string { return &c.DirectURL }, databaseURL),
	},
	{
		SettingReplicaURL, "", "a postgres:// URL with a role and a database",
		"A streaming replica of the database, with the application's role. It serves the dashboard's lists, search and statistics.",
		true, into(func(c *Config) *string { return &c.ReplicaURL }, databaseURL),
	},
	{
		settingConnections, "8", "a whole number from 2 to 200",
		"Maximum number of database connections for requests, per process.",
		false, into(func(c *Config) *int { return &c.Connections }, between(2, 200)),
	},
	{
		"TICKETGATE_CONNECTIONS_PER_SELLER", "", "a whole number from 1 to 200",
		"Maximum number of these connections that one seller's requests can use. If unset, five eighths.",
		false, into(func(c *Config) *int { return &c.SellerConnections }, between(1, 200)),
	},
	{
		"TICKETGATE_LONG_WORK", "4", "a whole number from 1 to 100",
		"Maximum number of concurrent long-running requests per process. Each has its own database connection.",
		false, into(func(c *Config) *int { return &c.Long.Total }, between(1, 100)),
	},
	{
		"TICKETGATE_LONG_WORK_PER_SELLER", "2", "a whole number from 1 to 100",
		"Maximum number of concurrent long-running requests per seller.",
		false, into(func(c *Config) *int { return &c.Long.PerSeller }, between(1, 100)),
	},
	{
		"TICKETGATE_LONG_WORK_WAIT", "20s", "a duration from 0s to 1m",
		"How long a long-running request waits for its turn before it is refused with 429.",
		false, into(func(c *Config) *time.Duration { return &c.Long.Wait }, durationBetween(0, time.Minute)),
	},
	{
		settingDataDir, "./data", "the path of a folder",
		"The folder of the private PostgreSQL and, in dev, of the generated secrets.",
		false, into(func(c *Config) *string { return &c.DataDir }, path),
	},
	{
		settingPostgresBin, "", "the path of the folder that holds initdb and postgres",
		"The programs of the private PostgreSQL. If unset, PATH and the folders of distributions are searched, newest version first.",
		false, into(func(c *Config) *string { return &c.PostgresBin }, path),
	},
	{
		SettingListen, "127.0.0.1:8080", "host:port with a port from 0 to 65535; 0 takes a free one",
		"The address of the API and the dashboard.",
		false, into(func(c *Config) *string { return &c.Listen }, hostPort),
	},
	{
		settingAdminListen, "", "host:port on a loopback address, such as 127.0.0.1:6060",
		"The address of metrics, the job queue's pages and profiles. Off if unset. Loopback only, because it has no authentication.",
		false, into(func(c *Config) *string { return &c.AdminListen }, loopbackPort),
	},
	{
		settingOTLPEndpoint, "", "an http:// or https:// URL without user, query and fragment, such as http://127.0.0.1:4318",
		"The OpenTelemetry collector that receives traces, by OTLP over HTTP. Off if unset.",
		false, into(func(c *Config) *string { return &c.OTLPEndpoint }, collectorURL),
	},
	{
		SettingProxies, "", "networks separated by commas, such as 10.0.0.0/8 or 192.0.2.7; loopback and private are names",
		"Proxies whose X-Forwarded-For or Forwarded header contains the client address. From other peers both headers are ignored.",
		false, into(func(c *Config) *edge.Proxies { return &c.TrustedProxies }, edge.ParseProxies),
	},
	{
		SettingMode, modeDev, "dev or prod",
		"prod has no insecure defaults and requires the secrets that dev generates. Webhook bodies contain the mode.",
		false, into(func(c *Config) *bool { return &c.Prod }, oneOf(map[string]bool{modeDev: false, modeProd: true})),
	},
	{
		SettingSecretKey, "", "32 bytes in base64; additional keys after commas only decrypt",
		"Encrypts stored signing keys and default API keys. Generated in the data folder in dev, required in prod.",
		true, into(func(c *Config) *[][]byte { return &c.SecretKeys }, secretKeys),
	},
	{
		SettingSystemToken, "", "32 to 200 printable ASCII characters without spaces and commas; two, comma-separated, while rotating",
		"The credential of the platform, sent as a Bearer token. Generated in the data folder in dev, required in prod.",
		true, into(func(c *Config) *[]string { return &c.SystemTokens }, systemTokens),
	},
	{
		SettingAllowPrivate, "false", "true or false",
		"Allows webhooks to internal addresses, for development and tests. Refused in prod.",
		false, into(func(c *Config) *bool { return &c.AllowPrivateAddresses }, oneOf(map[string]bool{"true": true, "false": false})),
	},
	{
		"TICKETGATE_SIGNATURE_HEADER", "", "the name of an HTTP header that webhook calls do not already use",
		"A second header that carries the webhook signature, in addition to " + webhook.SignatureHeader + ".",
		false, into(func(c *Config) *string { return &c.SignatureHeader }, headerName),
	},
	{
		"TICKETGATE_RETRY_SCHEDULE", "", "1 to 20 durations from 0s to 168h, separated by commas, such as 30s,2m,1h",
		"The waits before the retries of a delivery. If unset: 30 s, 2 min, 8 min, 30 min, 1 h and 2 h with jitter.",
		false, into(func(c *Config) *webhook.RetrySchedule { return &c.RetrySchedule }, retrySchedule),
	},
	{
		"TICKETGATE_RETENTION", "30d", "whole days from 1d to 3650d, also in hours such as 720h",
		"How long events, deliveries and attempts are kept.",
		false, into(func(c *Config) *time.Duration { return &c.Retention }, days),
	},
	{
		"TICKETGATE_WORKERS", "200", "a whole number from 1 to 2000",
		"Maximum number of concurrent first attempts per process. Retries, manual retries and invoice hand-overs each get as many.",
		false, into(func(c *Config) *int { return &c.Workers }, between(1, 2000)),
	},
	{
		settingPublicURL, "", "an https:// URL without path, such as https://tickets.example.com; http:// on a loopback address",
		"The public address of the dashboard, for one-time links. If unset, links are paths, or in dev start with TICKETGATE_LISTEN.",
		false, into(func(c *Config) *string { return &c.PublicURL }, publicURL),
	},
	{
		SettingSMTP, "", "smtp://HOST:PORT (STARTTLS) or smtps://HOST:PORT, with USER:PASSWORD@ before the host if the server needs them",
		"Sends invitations and password resets by email. If unset, their links are shown to the user who creates them.",
		true, into(func(c *Config) **mail.Server { return &c.SMTP }, smtpServer),
	},
	{
		settingMailFrom, "", "an email address, with or without a name, such as Ticketgate <no-reply@example.com>",
		"The sender of emails. Required with TICKETGATE_SMTP_URL.",
		false, into(func(c *Config) *string { return &c.MailFrom }, mail.ValidSender),
	},
	{
		"TICKETGATE_SESSION_IDLE", "30m", "a duration from 1m to 720h",
		"How long a dashboard session can be unused.",
		false, into(func(c *Config) *time.Duration { return &c.SessionIdle }, durationBetween(time.Minute, 720*time.Hour)),
	},
	{
		"TICKETGATE_SESSION_LIFETIME", "12h", "a duration from 1m to 720h",
		"The maximum lifetime of a dashboard session.",
		false, into(func(c *Config) *time.Duration { return &c.SessionLifetime }, durationBetween(time.Minute, 720*time.Hour)),
	},
	{
		"TICKETGATE_SESSIONS_PER_USER", "50", "a whole number from 1 to 100",
		"Maximum number of sessions per user. Another session ends the oldest.",
		false, into(func(c *Config) *int { return &c.SessionsPerUser }, between(1, 100)),
	},
	{
		"TICKETGATE_PUBLIC_RATE", "20", "a whole number from 1 to 100000",
		"Maximum calls per second without a credential, such as logins, for each key, device or address.",
		false, into(func(c *Config) *int { return &c.PublicRate }, between(1, 100_000)),
	},
	{
		"TICKETGATE_PUBLIC_BURST", "200", "a whole number from 1 to 100000",
		"Maximum number of these calls that can arrive at once.",
		false, into(func(c *Config) *int { return &c.PublicBurst }, between(1, 100_000)),
	},
	{
		"TICKETGATE_LOG_LEVEL", "info", "debug, info, warn or error",
		"The lowest level that is logged to stderr.",
		false, into(func(c *Config) *slog.Level { return &c.LogLevel }, oneOf(map[string]slog.Level{
			"debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError,
		})),
	},
	{
		"TICKETGATE_LOG_FORMAT", "text", "text or json",
		"The format of log lines.",
		false, into(func(c *Config) *string { return &c.LogFormat }, oneOf(map[string]string{"text": "text", "json": "json"})),
	},
}, append(limitSettings, clusterSettings...)...)

// into returns a read function that parses a value and stores it in a field of the configuration.
func into[T any](member func(*Config) *T, parse func(string) (T, bool)) func(*Config, string) bool {
	return func(c *Config, value string) bool {
		parsed, ok := parse(value)
		*member(c) = parsed
		return ok
	}
}
