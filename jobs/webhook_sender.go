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
	defaultCallTimeout = 10 * time.Second // (spec 6.2.4)
	maxKeptBody        = 16 << 10         // (decisions 7.9)
)

// Sender makes one signed POST and reports how it ended.
type Sender struct {
	Outbound *Outbound
	// Timeout is for the whole call, from the look-up of the name to the last
	// byte of the body; zero is the ten seconds of a webhook.
	Timeout time.Duration
	// MaxBody is how many bytes of an answer are kept; zero is the 16 KiB of a
	// webhook.
	MaxBody int
	// SignatureHeader is a further header that carries the signature, if any
	// (decisions 7.4).
	SignatureHeader string
	Version         string           // of the product, for User-Agent
	Now             func() time.Time // nil is time.Now
	// Watch is told of each call before it is made, which is then part of the
	// context that it returns, and of how it ended; nil is nobody.
	Watch func(ctx context.Context, request Request) (context.Context, func(Result))
}

// Request is what to send. An empty Key sends no signature.
type Request struct {
	URL    string
	Key    []byte
	Body   []byte      // JSON, sent and signed byte for byte
	Header http.Header // besides those that Sender sets
	// DeliveryID is what is delivered, for those who watch; it is not sent.
	DeliveryID string
}

// Result is how a call ended. Either Status is set, or Failure says why there
// was no answer; both are when the answer is one that HTTP doesn't know.
type Result struct {
	StartedAt time.Time
	Duration  time.Duration
	Status    int
	Failure   webhook.Failure
	Detail    string // for people; names no address

	ResponseHeader http.Header
	Body           []byte // the first bytes, as received, never unpacked
	BodyTruncated  bool   // the listener sent more, or stopped in the middle
	RetryAfter     time.Duration
}

// Delivered says whether the listener took the call: any 2xx, and any 3xx, which
// is not followed (spec 6.2.5, decisions 7.7).
func (r Result) Delivered() bool {
	return r.Failure == "" && r.Status >= 200 && r.Status < 400
}

// Send makes the call. It always returns within the timeout, holds a bounded
// amount of memory. The listener gets the call once, or again after it closed a
// kept connection without a word.
func (s *Sender) Send(ctx context.Context, request Request) Result {
	startedAt, clock := s.now(), time.Now()
	ended := func(Result) {}
	if s.Watch != nil {
		ctx, ended = s.Watch(ctx, request)
	}
	ctx, cancel := context.WithTimeout(ctx, s.timeout())
	defer cancel()
	result := s.exchange(ctx, request)
	result.StartedAt, result.Duration = startedAt, time.Since(clock)
	ended(result)
	return result
}

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
		// After a 101 the body is the bare connection, which has no end.
		return result
	}
	if response.StatusCode == http.StatusTooManyRequests || response.StatusCode == http.StatusServiceUnavailable {
		result.RetryAfter = retryAfter(response.Header.Get("Retry-After"), s.now())
	}
	// A body that breaks off changes nothing: the status was read, and the body
	// is kept for people only (spec 6.2.5).
	result.Body, result.BodyTruncated = readStart(response.Body, s.maxBody())
	killpoint.At(killpoint.BodyRead)
	return result
}

// header returns the caller's headers with ours on top.
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

// readStart keeps the first bytes of a body. One byte further tells a body that
// just fits from one that doesn't, and lets the connection be used again.
func readStart(body io.Reader, longest int) (start []byte, truncated bool) {
	start, err := io.ReadAll(io.LimitReader(body, int64(longest)+1))
	if len(start) > longest {
		return start[:longest], true
	}
	return start, err != nil
}

// classify puts a call without an answer into words.
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

// judge finds the answers that net/http lets through and that are none: an
// unknown version, a switch of protocol, a status outside of the classes, a
// field's name that is none.
func judge(response *http.Response) (webhook.Failure, string) {
	status, _, _ := strings.Cut(response.Status, " ")
	switch {
	case !isKnownVersion(response):
		return webhook.FailureInvalidResponse,
			fmt.Sprintf("The listener answered in %s, which is not the version that was spoken", response.Proto)
	case !hasStatus(response) || response.StatusCode < 200 || response.StatusCode > 599:
		return webhook.FailureInvalidResponse, fmt.Sprintf("The listener answered with status %s, which is no final HTTP status", status)
	}
	for name := range response.Header {
		if strings.Contains(name, " ") {
			return webhook.FailureInvalidResponse, fmt.Sprintf("The listener answered with a header named %q, which is no name", name)
		}
	}
	return "", ""
}

// isKnownVersion tells whether the answer came in HTTP/2 over a connection
// that agreed on it, or in HTTP/1.0 or 1.1.
func isKnownVersion(response *http.Response) bool {
	if response.TLS != nil && response.TLS.NegotiatedProtocol == "h2" {
		return response.ProtoMajor == 2
	}
	return response.Proto == "HTTP/1.0" || response.Proto == "HTTP/1.1"
}

// hasStatus tells whether the status is three digits (RFC 9110, 15):
// net/http takes all that can be read as a number.
func hasStatus(response *http.Response) bool {
	status, _, _ := strings.Cut(response.Status, " ")
	return response.StatusCode >= 100 && status == strconv.Itoa(response.StatusCode)
}

// retryAfter reads seconds, of any number of digits, or an HTTP date (RFC 9110,
// 10.2.3); zero is "nothing that helps".
func retryAfter(value string, now time.Time) time.Duration {
	if value != "" && strings.Trim(value, "0123456789") == "" {
		seconds, _ := strconv.ParseUint(value, 10, 64) // the largest number where it has more digits
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
