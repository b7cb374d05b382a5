package webhook

import (
	"strconv"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/moment"
)

// Failure is the step at which a call ended without a usable answer. It is stored with the attempt; its words don't change.
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
	// FailureInterrupted is ours, not the listener's: the caller gave up.
	FailureInterrupted Failure = "interrupted"
)

var failures = []string{
	string(FailureInvalidURL), string(FailureDNS), string(FailureRefusedAddress), string(FailureConnect), string(FailureTLS),
	string(FailureTimeout), string(FailureClosedEarly), string(FailureInvalidResponse), string(FailureInterrupted),
}

// Attempt is one HTTP call of a delivery.
type Attempt struct {
	Number int `json:"number"`
	// ByHand tells that a person asked for it.
	ByHand     bool            `json:"byHand"`
	URL        string          `json:"url"`
	StartedAt  moment.DateTime `json:"startedAt"`
	DurationMS int             `json:"durationMs"`
	// Status is the HTTP status; absent when no answer came.
	Status *int `json:"status,omitempty"`
	// Failure is absent when the answer was an answer, whatever its status.
	Failure *Failure `json:"failure,omitempty"`
	Detail  string   `json:"detail,omitempty"`
	// ResponseBody is what the listener answered, for people: at most 16 KiB, bytes that are no UTF-8 replaced
	// (decisions 7.9).
	ResponseBody          string `json:"responseBody"`
	ResponseBodyTruncated bool   `json:"responseBodyTruncated"`

	// RawBody is the answer as received and RetryAfter how long it asks to wait: known while the attempt is
	// recorded, and not read back.
	RawBody    []byte        `json:"-"`
	RetryAfter time.Duration `json:"-"`
}

// Cursor is the attempt's position in the list of its delivery's attempts.
func (a Attempt) Cursor() domain.Cursor { return domain.Cursor{ID: strconv.Itoa(a.Number)} }

// Success tells whether the listener took the call: 2xx or 3xx (spec 6.2.5).
func (a Attempt) Success() bool {
	return a.Failure == nil && a.Status != nil && *a.Status >= 200 && *a.Status < 400
}

// Duration is how long the call took.
func (a Attempt) Duration() time.Duration { return time.Duration(a.DurationMS) * time.Millisecond }

// endedAt is when the answer was there, or given up.
func (a Attempt) endedAt() time.Time { return a.StartedAt.Add(a.Duration()) }

// Made is an attempt that was made and is not recorded yet.
type Made struct {
	// Of is the delivery as it was loaded for the attempt.
	Of      Delivery
	Attempt Attempt
	// Judge makes the verdict of the delivery as it is when the attempt is recorded. It may be asked again.
	Judge func(Delivery) Verdict
}

// Recorded is what became of an attempt or of a cancellation. OK is false, and nothing was stored, when the delivery had
// moved on since it was loaded: a process that was paused during the call must not overwrite what happened after.
type Recorded struct {
	After Delivery
	// Ended is the end that the delivery came to with it, if it did; see Verdict.End and Delivery.CalledOff.
	Ended State
	OK    bool
}
