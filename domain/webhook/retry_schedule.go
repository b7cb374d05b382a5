package webhook

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// MaxRetryAfter is the longest wait that a listener can request with Retry-After (WEBHOOK-3).
const MaxRetryAfter = 2 * time.Hour

// maxRetries is the maximum number of retries that can be configured.
const maxRetries = 20

// RetrySchedule is the list of waits before each retry. Their number is the number of retries.
type RetrySchedule struct{ waits []span }

// span is the range of a wait with jitter.
type span struct{ shortest, longest time.Duration }

// DefaultRetrySchedule returns waits of 30 s, 2 min, 8 min, 30 min, 1 h and 2 h. Jitter makes the first wait no shorter
// than 30 seconds and the last one no longer than two hours (WEBHOOK-3).
func DefaultRetrySchedule() RetrySchedule {
	return RetrySchedule{waits: []span{
		{30 * time.Second, 33 * time.Second},
		around(2 * time.Minute),
		around(8 * time.Minute),
		around(30 * time.Minute),
		around(time.Hour),
		{108 * time.Minute, 2 * time.Hour},
	}}
}

// around returns the wait with a jitter of ten percent either way.
func around(wait time.Duration) span { return span{wait - wait/10, wait + wait/10} }

// ParseRetrySchedule parses the setting TICKETGATE_RETRY_SCHEDULE: 1 to 20 durations, separated by commas. They have
// no jitter.
func ParseRetrySchedule(text string) (RetrySchedule, error) {
	parts := strings.Split(text, ",")
	if len(parts) > maxRetries {
		return RetrySchedule{}, fmt.Errorf("must have at most %d durations, not %d", maxRetries, len(parts))
	}
	var schedule RetrySchedule
	for _, part := range parts {
		wait, err := time.ParseDuration(strings.TrimSpace(part))
		if err != nil || wait < 0 {
			return RetrySchedule{}, errors.New("must be a comma-separated list of durations, such as 30s,2m,1h")
		}
		schedule.waits = append(schedule.waits, span{wait, wait})
	}
	return schedule, nil
}

// Retries returns the number of retries.
func (s RetrySchedule) Retries() int { return len(s.waits) }

// Longest returns the maximum total of the waits, for a listener that always requests the longest one.
func (s RetrySchedule) Longest() (all time.Duration) {
	for _, wait := range s.waits {
		all += max(wait.longest, MaxRetryAfter)
	}
	return all
}

// Wait returns the wait after this number of failed scheduled attempts. Random is in [0, 1) and selects the point
// within the jitter. A listener can lengthen the wait by Retry-After, but not shorten it. Wait reports false if no
// retry is left.
func (s RetrySchedule) Wait(created int, random float64, retryAfter time.Duration) (time.Duration, bool) {
	if created < 1 || created > len(s.waits) {
		return 0, false
	}
	wait := s.waits[created-1]
	jittered := wait.shortest + time.Duration(random*float64(wait.longest-wait.shortest))
	return max(jittered, min(retryAfter, MaxRetryAfter)), true
}
