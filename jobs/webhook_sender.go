package jobs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"ticketgate/domain/webhook"
	"ticketgate/jobs/killpoint"
)

const (
	defaultCallTimeout = 10 * time.Second
	maxKeptBody        = 16 << 10
)

// Sender makes signed POST calls and reports how they ended (WEBHOOK-40).
type Sender struct {
	Outbound *Outbound
	// Timeout bounds the whole call, from the name lookup to the last byte of the body. The default is the limit of
	// webhooks, 10 s.
	Timeout time.Duration
	// MaxBody is the number of bytes of a response body to keep. The default is the limit of webhooks, 16 KiB.
	MaxBody int
	// SignatureHeader is the name of an additional header with the signature, if set.
	SignatureHeader string
	Version         string           // Ticketgate's version, for User-Agent
	Now             func() time.Time // nil means time.Now
	// Observe is called before each call. It returns the context of the call and a function that receives the result. It
	// may be nil.
	Observe func(ctx context.Context, request Request) (context.Context, func(Result))
}

// Request is a call to make. It is not signed if Key is empty.
type Request struct {
	URL    string
	Key    []byte
	Body   []byte      // JSON, sent and signed byte for byte
	Header http.Header // in addition to those that Sender sets
	// DeliveryID identifies the delivery for Watch. It is not sent.
	DeliveryID string
}

// Result is the outcome of a call. Either Status is set, or Failure explains why there was no response. Both are set if
// the response is not valid HTTP.
type Result struct {
	StartedAt time.Time
	Duration  time.Duration
	Status    int
	Failure   webhook.Failure
	Detail    string // for display; contains no addresses

	ResponseHeader http.Header
	Body           []byte // the first bytes as received, never decompressed
	BodyTruncated  bool   // the body was longer or broke off
	RetryAfter     time.Duration
}

// Delivered reports whether the listener accepted the call: with any 2xx, or any 3xx, which is not followed.
func (r Result) Delivered() bool {
	return r.Failure == "" && r.Status >= 200 && r.Status < 400
}

// Send makes the call. It always returns within the timeout and uses a bounded amount of memory. The listener receives
// the call once, or twice if it closed a kept connection without notice.
func (s *Sender) Send(ctx context.Context, request Request) Result {
	startedAt, clock := s.now(), time.Now()
	ended := func(Result) {}
	if s.Observe != nil {
		ctx, ended = s.Observe(ctx, request)
	}
	ctx, cancel := context.WithTimeout(ctx, s.timeout())
	defer cancel()
	result := s.exchange(ctx, request)
	result.StartedAt, result.Duration = startedAt, time.Since(clock)
	ended(result)
	return result
}

// exchange sends a request and reads the start of the response. A failure is part of the result.
func (s *Sender) exchange(ctx context.Context, request Request) Result {
	response, err := s.Outbound.Post(ctx, request.URL, s.header(request), request.Body)
	if err != nil {
		failure, detail := classify(err, s.timeout())
		return Result{Failure: failure, Detail: detail}
	}
	defer func() { _ = response.Body.Close() }()
	killpoint.At(killpoint.StatusRead)
	result := Result{ResponseHeader: response.Header}
	if hasStatus(response) {
		result.Status = response.StatusCode
	}
	result.Failure, result.Detail = judge(response)
	if result.Failure != "" {
		// After a 101 the body is the raw connection, which may never end.
		return result
	}
	if response.StatusCode == http.StatusTooManyRequests || response.StatusCode == http.StatusServiceUnavailable {
		result.RetryAfter = retryAfter(response.Header.Get("Retry-After"), s.now())
	}
	// A body that breaks off does not change the outcome: the status is known, and the body is kept only for display.
	result.Body, result.BodyTruncated = readStart(response.Body, s.maxBody())
	killpoint.At(killpoint.BodyRead)
	return result
}

// header returns the caller's headers, overridden by those of the sender.
func (s *Sender) header(request Request) http.Header {
	header := request.Header.Clone()
	if header == nil {
		header = http.Header{}
	}
	header.Set("Content-Type", "application/json")
	header.Set("User-Agent", "Ticketgate/"+s.Version)
	header.Del(webhook.SignatureHeader)
	if len(request.Key) == 0 {
		return header
	}
	signature := webhook.Sign(request.Key, request.Body)
	header.Set(webhook.SignatureHeader, signature)
	if s.SignatureHeader != "" {
		header.Set(s.SignatureHeader, signature)
	}
	return header
}

func (s *Sender) timeout() time.Duration {
	if s.Timeout > 0 {
		return s.Timeout
	}
	return defaultCallTimeout
}

func (s *Sender) maxBody() int {
	if s.MaxBody > 0 {
		return s.MaxBody
	}
	return maxKeptBody
}

func (s *Sender) now() time.Time {
	if s.Now != nil {
		return s.Now()
	}
	return time.Now()
}

// readStart reads the first bytes of a body. It tries to read one more, to detect a longer body and to let the
// connection be reused.
func readStart(body io.Reader, longest int) (start []byte, truncated bool) {
	start, err := io.ReadAll(io.LimitReader(body, int64(longest)+1))
	if len(start) > longest {
		return start[:longest], true
	}
	return start, err != nil
}

// classify returns the failure of a call without a response and a text for it.
func classify(err error, timeout time.Duration) (webhook.Failure, string) {
	var failure *OutboundError
	if !errors.As(err, &failure) {
		failure = outboundError(err)
	}
	if failure.Kind == webhook.FailureTimeout {
		return webhook.FailureTimeout, "timeout after " + inWords(timeout)
	}
	return failure.Kind, failure.Error()
}

// judge finds invalid responses that net/http accepts: an unknown version, a switch of protocols, a status out of
// range, or an invalid header name.
func judge(response *http.Response) (webhook.Failure, string) {
	status, _, _ := strings.Cut(response.Status, " ")
	switch {
	case !isKnownVersion(response):
		return webhook.FailureInvalidResponse,
			fmt.Sprintf("The listener responded in %s, not in the HTTP version of the connection", response.Proto)
	case !hasStatus(response) || response.StatusCode < 200 || response.StatusCode > 599:
		return webhook.FailureInvalidResponse,
			fmt.Sprintf("The listener responded with status %s, which is not a final HTTP status", status)
	}
	for name := range response.Header {
		if strings.Contains(name, " ") {
			return webhook.FailureInvalidResponse,
				fmt.Sprintf("The listener responded with a header named %q, which is not a valid name", name)
		}
	}
	return "", ""
}

// isKnownVersion reports whether the response is HTTP/2 on a connection that negotiated it, or HTTP/1.0 or 1.1.
func isKnownVersion(response *http.Response) bool {
	if response.TLS != nil && response.TLS.NegotiatedProtocol == "h2" {
		return response.ProtoMajor == 2
	}
	return response.Proto == "HTTP/1.0" || response.Proto == "HTTP/1.1"
}

// hasStatus reports whether the status has three digits (RFC 9110, 15). net/http accepts any number.
func hasStatus(response *http.Response) bool {
	status, _, _ := strings.Cut(response.Status, " ")
	return response.StatusCode >= 100 && status == strconv.Itoa(response.StatusCode)
}

// retryAfter parses a number of seconds, of any length, or an HTTP date (RFC 9110, 10.2.3). It returns zero if value is
// neither.
func retryAfter(value string, now time.Time) time.Duration {
	if value != "" && strings.Trim(value, "0123456789") == "" {
		seconds, _ := strconv.ParseUint(value, 10, 64) // the largest number if there are too many digits
		return time.Duration(min(seconds, uint64(webhook.MaxRetryAfter/time.Second))) * time.Second
	}
	date, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	return min(max(0, date.Sub(now)), webhook.MaxRetryAfter)
}

func inWords(d time.Duration) string {
	if d%time.Second == 0 {
		return fmt.Sprintf("%d s", d/time.Second)
	}
	return fmt.Sprintf("%d ms", d.Milliseconds())
}
