package program

import (
	"encoding/base64"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"golang.org/x/net/http/httpguts"

	"ticketgate/db"
	"ticketgate/domain/webhook"
	"ticketgate/jobs/mail"
)

// databaseURL accepts URLs that the driver accepts, if they name a role and a database. The driver would otherwise take
// these from the environment or the name of the system user.
func databaseURL(value string) (string, bool) {
	parsed, err := url.Parse(value)
	if err != nil || (parsed.Scheme != "postgres" && parsed.Scheme != "postgresql") {
		return "", false
	}
	if parsed.User.Username() == "" || strings.Trim(parsed.Path, "/") == "" {
		return "", false
	}
	_, err = pgconn.ParseConfig(value)
	return value, err == nil
}

func path(value string) (string, bool) {
	return value, value != "" && !strings.ContainsRune(value, 0)
}

// hostPort accepts an address to listen on. The host may be empty, a name or an IP address.
func hostPort(value string) (string, bool) {
	host, port, err := net.SplitHostPort(value)
	if err != nil || strings.ContainsAny(host, " /@") {
		return "", false
	}
	number, err := strconv.ParseUint(port, 10, 16)
	return value, err == nil && strconv.FormatUint(number, 10) == port
}

func loopbackPort(value string) (string, bool) {
	_, ok := hostPort(value)
	return value, ok && isLoopback(value)
}

// collectorURL accepts the URL of a collector without credentials, which must be set as headers by an OTEL_ variable.
func collectorURL(value string) (string, bool) {
	parsed, err := url.Parse(value)
	ok := err == nil && (parsed.Scheme == "http" || parsed.Scheme == "https") && parsed.Hostname() != "" &&
		parsed.User == nil && parsed.RawQuery == "" && parsed.Fragment == "" && !parsed.ForceQuery
	return value, ok
}

// publicURL accepts the origin of the dashboard. On a network it must use https, because its links open accounts.
func publicURL(value string) (string, bool) {
	origin, ok := collectorURL(value)
	parsed, err := url.Parse(origin)
	if !ok || err != nil || strings.Trim(parsed.Path, "/") != "" {
		return "", false
	}
	return strings.TrimRight(origin, "/"), parsed.Scheme == "https" || isLoopback(net.JoinHostPort(parsed.Hostname(), "0"))
}

func smtpServer(value string) (*mail.Server, bool) {
	server, ok := mail.ParseServer(value)
	return &server, ok
}

// isLoopback reports whether an address to listen on is reachable only from this machine.
func isLoopback(listen string) bool {
	host, _, err := net.SplitHostPort(listen)
	if err != nil {
		return false
	}
	if host == "localhost" {
		return true
	}
	address, err := netip.ParseAddr(host)
	return err == nil && address.Unmap().IsLoopback()
}

// oneOf accepts the keys of words and returns their values.
func oneOf[T any](words map[string]T) func(string) (T, bool) {
	return func(value string) (T, bool) {
		meaning, ok := words[value]
		return meaning, ok
	}
}

// between accepts whole decimal numbers from least to most.
func between(least, most int) func(string) (int, bool) {
	return func(value string) (int, bool) {
		number, err := strconv.Atoi(value)
		return number, err == nil && strconv.Itoa(number) == value && number >= least && number <= most
	}
}

func durationBetween(least, most time.Duration) func(string) (time.Duration, bool) {
	return func(value string) (time.Duration, bool) {
		duration, err := time.ParseDuration(value)
		return duration, err == nil && duration >= least && duration <= most
	}
}

// sizeOrOff accepts a memory limit that leaves the program enough room to work, or off, which is 0.
func sizeOrOff(value string) (int64, bool) {
	const least, most = 64 << 20, 1 << 40
	if value == "off" {
		return 0, true
	}
	size, ok := size(value)
	return size, ok && size >= least && size <= most
}

// size accepts whole numbers of KiB, MiB or GiB.
func size(value string) (int64, bool) {
	for unit, bytes := range map[string]int64{"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30} {
		if number, ok := strings.CutSuffix(value, unit); ok {
			const most = 1 << 20
			count, ok := between(1, most)(number)
			return int64(count) * bytes, ok
		}
	}
	return 0, false
}

// days accepts a number of whole days, because partitions are created and dropped by day.
func days(value string) (time.Duration, bool) {
	const day, longest = 24 * time.Hour, 3650
	if number, ok := strings.CutSuffix(value, "d"); ok {
		count, ok := between(1, longest)(number)
		return time.Duration(count) * day, ok
	}
	kept, ok := durationBetween(day, longest*day)(value)
	return kept, ok && kept%day == 0
}

// secretKeys accepts one or more keys in standard or URL-safe base64, with or without padding.
func secretKeys(value string) ([][]byte, bool) {
	var keys [][]byte
	alphabet := strings.NewReplacer("-", "+", "_", "/")
	for text := range strings.SplitSeq(value, ",") {
		plain := strings.TrimRight(alphabet.Replace(strings.TrimSpace(text)), "=")
		key, err := base64.RawStdEncoding.DecodeString(plain)
		if err != nil || len(key) != db.SealingKeyLength {
			return nil, false
		}
		keys = append(keys, key)
	}
	return keys, true
}

// systemTokens accepts one token, or two during a rotation.
func systemTokens(value string) ([]string, bool) {
	const shortest, longest, most = 32, 200, 2
	tokens := strings.Split(value, ",")
	for _, token := range tokens {
		unprintable := func(c rune) bool { return c <= ' ' || c > '~' }
		if len(token) < shortest || len(token) > longest || strings.ContainsFunc(token, unprintable) {
			return nil, false
		}
	}
	return tokens, len(tokens) <= most
}

// calledHeaders are headers that can't be used for an additional signature: those that webhook calls set themselves,
// and those that make net/http repeat a call.
var calledHeaders = []string{
	webhook.SignatureHeader, "content-type", "content-length", "transfer-encoding", "user-agent", "host", "connection",
	"accept-encoding", "authorization", "cookie", "te", "trailer", "upgrade", "expect", "date", "keep-alive",
	"proxy-connection", "proxy-authorization", "idempotency-key", "x-idempotency-key",
}

func headerName(value string) (string, bool) {
	const longest = 100
	ok := httpguts.ValidHeaderFieldName(value) && len(value) <= longest &&
		!slices.Contains(calledHeaders, strings.ToLower(value))
	return value, ok
}

func retrySchedule(value string) (webhook.RetrySchedule, bool) {
	const longest = 168 * time.Hour
	for part := range strings.SplitSeq(value, ",") {
		if wait, err := time.ParseDuration(strings.TrimSpace(part)); err != nil || wait > longest {
			return webhook.RetrySchedule{}, false
		}
	}
	schedule, err := webhook.ParseRetrySchedule(value)
	return schedule, err == nil
}
