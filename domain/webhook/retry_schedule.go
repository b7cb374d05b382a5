package webhook

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// MaxRetryAfter is the longest wait that a listener's Retry-After can ask for (decisions 7.6).
const MaxRetryAfter = 2 * time.Hour

// maxRetries is the largest number of further attempts that a setting can ask for (decisions 7.6).
const maxRetries = 20

// RetrySchedule is how long to wait before each further attempt. Their number is the number of further attempts.
type RetrySchedule struct{ waits []span }

// span is the wait before one attempt: shortest, and longest when the jitter is greatest.
type span struct{ shortest, longest time.Duration }

// DefaultRetrySchedule waits 30 s, 2 min, 8 min, 30 min, 1 h and 2 h. Jitter never makes the first wait shorter than
// 30 seconds nor the last one longer than two hours (spec 6.2.5, decisions 7.6).
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

// around is ten percent up and down.
func around(wait time.Duration) span { return span{wait - wait/10, wait + wait/10} }

// ParseRetrySchedule reads the setting TICKETGATE_RETRY_SCHEDULE: 1 to 20 durations, separated by commas, each
// waited exactly (decisions 7.6).
func ParseRetrySchedule(text string) (RetrySchedule, error) {
	parts := strings.Split(text, ",")
	if len(parts) > maxRetries {
		return RetrySchedule{}, fmt.Errorf("must be 1 to %d durations, not %d", maxRetries, len(parts))
	}
	var schedule RetrySchedule
	for _, part := range parts {
		wait, err := time.ParseDuration(strings.TrimSpace(part))
		if err != nil || wait < 0 {
			return RetrySchedule{}, errors.New("must be durations such as 30s,2m,1h, separated by commas")
		}
		schedule.waits = append(schedule.waits, span{wait, wait})
	}
	return schedule, nil
}

// Retries is the number of further attempts.
func (s RetrySchedule) Retries() int { return len(s.waits) }

// Longest is how long the waits of a delivery can take together, at a listener that always asks for the longest one.
func (s RetrySchedule) Longest() (all time.Duration) {
	for _, wait := range s.waits {
		all += max(wait.longest, MaxRetryAfter)
	}
	return all
}

// Wait is how long to wait after so many scheduled attempts, all failed. Random is from 0 up to 1 and places the wait
// within its jitter. A listener can lengthen the wait by Retry-After, never shorten it. It is false when there is
// no further attempt.
func (s RetrySchedule) Wait(made int, random float64, retryAfter time.Duration) (time.Duration, bool) {
	if made < 1 || made > len(s.waits) {
		return 0, false
	}
	wait := s.waits[made-1]
	jittered := wait.shortest + time.Duration(random*float64(wait.longest-wait.shortest))
	return max(jittered, min(retryAfter, MaxRetryAfter)), true
}
