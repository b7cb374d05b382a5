package program

import (
	"runtime"
	"time"

	"ticketgate/domain/share"
	"ticketgate/graph"
	"ticketgate/graph/edge"
)

// Limits bound what callers can use. docs/limits.md lists them, and docs/internals/limits.md explains them.
type Limits struct {
	// CallRate and SellerCallRate are in calls per second. 0 means no limit, and nil the default of the mode.
	CallRate, SellerCallRate *int

	Bodies edge.BodyBounds
	// LargeReads is the maximum number of concurrent large reads in the process, and LargeReadsPerSeller of one seller.
	LargeReads, LargeReadsPerSeller int
	Streams                         graph.StreamBounds

	// HTTPConnections and ConnectionsPerAddress limit the connections to the API's listener.
	HTTPConnections, ConnectionsPerAddress int
	// PasswordHashes is the maximum number of concurrent hashes. nil means that it depends on the number of processors.
	PasswordHashes *int
	// FailedCredentialRate is the number of failed credentials per second and address. 0 means no limit, and nil the
	// default of the mode.
	FailedCredentialRate *int
	// LogRate is the number of log lines per second for the refused requests of one address. 0 means no limit.
	LogRate int

	// ShutdownGrace is how long requests are served after readiness has turned false. nil means the default of the
	// mode.
	ShutdownGrace *time.Duration
	// MemoryLimit is in bytes. 0 means no limit, and nil the limit of the control group.
	MemoryLimit *int64
}

// limitSettings are the settings that limit what callers can use.
var limitSettings = []Setting{
	{
		"TICKETGATE_CALL_RATE", "", "a whole number from 0 to 1000000; 0 means no limit",
		"Maximum calls per second of a key, device or user. Twice as many can arrive at once. If unset: 1000 in prod, 20000 in dev.",
		false, into(func(c *Config) **int { return &c.CallRate }, pointed(between(0, 1_000_000))),
	},
	{
		"TICKETGATE_SELLER_CALL_RATE", "", "a whole number from 0 to 1000000; 0 means no limit",
		"The same for all keys of a seller together, for its devices and for its sessions. If unset: 3000 in prod, 20000 in dev.",
		false, into(func(c *Config) **int { return &c.SellerCallRate }, pointed(between(0, 1_000_000))),
	},
	{
		"TICKETGATE_FAILED_CREDENTIAL_RATE", "", "a whole number from 0 to 1000000; 0 means no limit",
		"Maximum number of unknown, inactive or expired credentials per second and address. If unset: 20 in prod, 1000 in dev.",
		false, into(func(c *Config) **int { return &c.FailedCredentialRate }, pointed(between(0, 1_000_000))),
	},
	{
		"TICKETGATE_LARGE_BODIES", "2", "a whole number from 1 to 100",
		"Maximum number of bodies above 1 MiB that a process holds at the same time. Each uses up to 128 MiB of memory.",
		false, into(func(c *Config) *int { return &c.Bodies.Large }, between(1, 100)),
	},
	{
		"TICKETGATE_LARGE_BODIES_PER_SELLER", "1", "a whole number from 1 to 100",
		"Maximum for one seller.",
		false, into(func(c *Config) *int { return &c.Bodies.LargePerSeller }, between(1, 100)),
	},
	{
		"TICKETGATE_MEDIUM_BODIES", "16", "a whole number from 1 to 1000",
		"Maximum number of bodies above 64 KiB and up to 1 MiB that a process handles at the same time.",
		false, into(func(c *Config) *int { return &c.Bodies.Medium }, between(1, 1000)),
	},
	{
		"TICKETGATE_MEDIUM_BODIES_PER_SELLER", "8", "a whole number from 1 to 1000",
		"Maximum for one seller.",
		false, into(func(c *Config) *int { return &c.Bodies.MediumPerSeller }, between(1, 1000)),
	},
	{
		"TICKETGATE_ARRIVING_BODIES", "16", "a whole number from 1 to 1000",
		"Maximum number of bodies and files above 1 MiB in temporary files during upload. A file has at most 256 MiB.",
		false, into(func(c *Config) *int { return &c.Bodies.Arriving }, between(1, 1000)),
	},
	{
		"TICKETGATE_ARRIVING_BODIES_PER_SELLER", "4", "a whole number from 1 to 1000",
		"Maximum for one seller.",
		false, into(func(c *Config) *int { return &c.Bodies.ArrivingPerSeller }, between(1, 1000)),
	},
	{
		"TICKETGATE_LARGE_READS", "4", "a whole number from 1 to 1000",
		"Maximum number of concurrent requests for more than 250 records, or 1 MiB of records, per process.",
		false, into(func(c *Config) *int { return &c.LargeReads }, between(1, 1000)),
	},
	{
		"TICKETGATE_LARGE_READS_PER_SELLER", "2", "a whole number from 1 to 1000",
		"Maximum for one seller.",
		false, into(func(c *Config) *int { return &c.LargeReadsPerSeller }, between(1, 1000)),
	},
	{
		"TICKETGATE_STREAMS", "500", "a whole number from 1 to 100000",
		"Maximum number of open subscriptions per process.",
		false, into(func(c *Config) *int { return &c.Streams.Total }, between(1, 100_000)),
	},
	{
		"TICKETGATE_STREAMS_PER_SELLER", "100", "a whole number from 1 to 100000",
		"Maximum for one seller.",
		false, into(func(c *Config) *int { return &c.Streams.PerSeller }, between(1, 100_000)),
	},
	{
		"TICKETGATE_STREAMS_PER_CREDENTIAL", "20", "a whole number from 1 to 100000",
		"Maximum for one key or user.",
		false, into(func(c *Config) *int { return &c.Streams.PerCredential }, between(1, 100_000)),
	},
	{
		"TICKETGATE_HTTP_CONNECTIONS", "10000", "a whole number from 10 to 1000000",
		"Maximum number of open connections to the API.",
		false, into(func(c *Config) *int { return &c.HTTPConnections }, between(10, 1_000_000)),
	},
	{
		"TICKETGATE_HTTP_CONNECTIONS_PER_ADDRESS", "2000", "a whole number from 1 to 1000000",
		"Maximum for one address, or for one /64 network of IPv6. Trusted proxies have no limit.",
		false, into(func(c *Config) *int { return &c.ConnectionsPerAddress }, between(1, 1_000_000)),
	},
	{
		"TICKETGATE_PASSWORD_HASHES", "", "a whole number from 1 to 64",
		"Maximum number of concurrent password hashes, of 19 MiB each. Known callers have one more. " +
			"If unset: one less than the processors, 1 to 4.",
		false, into(func(c *Config) **int { return &c.PasswordHashes }, pointed(between(1, 64))),
	},
	{
		"TICKETGATE_LOG_RATE", "20", "a whole number from 0 to 100000; 0 means no limit",
		"Maximum number of log lines per second for refused requests of one address. The others are counted.",
		false, into(func(c *Config) *int { return &c.LogRate }, between(0, 100_000)),
	},
	{
		"TICKETGATE_SHUTDOWN_GRACE", "", "a duration from 0s to 5m",
		"How long requests are served after SIGTERM, while /readyz returns 503. If unset: 5s in prod, 0s in dev.",
		false, into(func(c *Config) **time.Duration { return &c.ShutdownGrace }, pointed(durationBetween(0, 5*time.Minute))),
	},
	{
		"TICKETGATE_MEMORY_LIMIT", "", "a size of at least 64MiB such as 400MiB or 2GiB, or off",
		"Soft memory limit of the process. Near it, garbage is collected more often. If unset, nine tenths of the control group's limit.",
		false, into(func(c *Config) **int64 { return &c.MemoryLimit }, pointed(sizeOrOff)),
	},
}

// pointed adapts a parser to a setting that distinguishes an unset value.
func pointed[T any](parse func(string) (T, bool)) func(string) (*T, bool) {
	return func(value string) (*T, bool) {
		parsed, ok := parse(value)
		return &parsed, ok
	}
}

// Grace returns the setting or the default of the mode. In prod, a load balancer needs a few seconds to notice that the
// process is not ready. dev does not wait (LIMIT-13).
func (c *Config) Grace() time.Duration {
	const prod = 5 * time.Second
	switch {
	case c.ShutdownGrace != nil:
		return *c.ShutdownGrace
	case c.Prod:
		return prod
	}
	return 0
}

// hashes returns the bounds of concurrent password hashes: the setting, and one more for callers at known places
// (LIMIT-20).
func (c *Config) hashes() share.Bounds {
	const wait = 10 * time.Second
	total := hashesAtOnce()
	if c.PasswordHashes != nil {
		total = *c.PasswordHashes
	}
	return share.Bounds{Total: total + 1, PerSeller: max(1, total-1), Wait: wait}
}

// hashesAtOnce returns the default of PasswordHashes. It limits the memory (19 MiB each) and leaves a core for
// everything else.
func hashesAtOnce() int {
	const most = 4
	return min(max(1, runtime.GOMAXPROCS(0)-1), most)
}
