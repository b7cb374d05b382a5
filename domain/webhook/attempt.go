package webhook

import (
	"strconv"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/moment"
)

// Failure is the step at which a call failed without a usable response. It is stored with the attempt, so the values
// are fixed.
type Failure string

// The failures, in the order of the steps of a call.
const (
	FailureInvalidURL      Failure = "invalid_url"
	FailureDNS             Failure = "dns"
	FailureRefusedAddress  Failure = "refused_address"
	FailureConnect         Failure = "connect"
	FailureTLS             Failure = "tls"
	FailureTimeout         Failure = "timeout"
	FailureClosedEarly     Failure = "closed_early"
	FailureInvalidResponse Failure = "invalid_response"
	// FailureInterrupted means that Ticketgate, not the listener, ended the call.
	FailureInterrupted Failure = "interrupted"
)

var failures = []string{
	string(FailureInvalidURL), string(FailureDNS), string(FailureRefusedAddress), string(FailureConnect), string(FailureTLS),
	string(FailureTimeout), string(FailureClosedEarly), string(FailureInvalidResponse), string(FailureInterrupted),
}

// Attempt is one HTTP call of a delivery.
type Attempt struct {
	Number int `json:"number"`
	// ByHand reports whether a user requested the attempt.
	ByHand     bool            `json:"byHand"`
	URL        string          `json:"url"`
	StartedAt  moment.DateTime `json:"startedAt"`
	DurationMS int             `json:"durationMs"`
	// Status is the HTTP status, or nil if there was no response.
	Status *int `json:"status,omitempty"`
	// Failure is nil if a complete HTTP response was received, whatever its status.
	Failure *Failure `json:"failure,omitempty"`
	Detail  string   `json:"detail,omitempty"`
	// ResponseBody holds up to 16 KiB of the response body, for display. Invalid UTF-8 is replaced.
	ResponseBody          string `json:"responseBody"`
	ResponseBodyTruncated bool   `json:"responseBodyTruncated"`

	// RawBody is the response body as received, RetryAfter the wait that the response asks for. Both are set only while
	// the attempt is recorded, and not read back.
	RawBody    []byte        `json:"-"`
	RetryAfter time.Duration `json:"-"`
}

// Cursor returns the attempt's position in its delivery's list of attempts.
func (a Attempt) Cursor() domain.Cursor { return domain.Cursor{ID: strconv.Itoa(a.Number)} }

// Success reports whether the listener accepted the call, with status 2xx or 3xx.
func (a Attempt) Success() bool {
	return a.Failure == nil && a.Status != nil && *a.Status >= 200 && *a.Status < 400
}

// Duration returns how long the call took.
func (a Attempt) Duration() time.Duration { return time.Duration(a.DurationMS) * time.Millisecond }

// endedAt returns when the response arrived or the call failed.
func (a Attempt) endedAt() time.Time { return a.StartedAt.Add(a.Duration()) }

// EndedAttempt is an attempt that has ended and is not recorded yet.
type EndedAttempt struct {
	// Delivery is the delivery as loaded for the attempt.
	Delivery Delivery
	Attempt  Attempt
	// Judge returns the verdict for the delivery in its current state when the attempt is recorded. It may be called
	// again.
	Judge func(Delivery) Verdict
}

// Recorded is the result of recording an attempt or a cancellation. If the delivery has changed since it was loaded, OK
// is false and nothing was stored: a process that was paused during the call must not overwrite later changes.
type Recorded struct {
	After Delivery
	// Ended is the final state that the delivery reached, if any. See Verdict.End and Delivery.CancelResult.
	Ended State
	OK    bool
}
