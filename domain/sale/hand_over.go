package sale

import (
	"context"
	"net/url"
	"slices"

	"ticketgate/domain"
	"ticketgate/domain/moment"
	"ticketgate/domain/tenant"
)

// HandOver is the delivery of an invoice to its seller's invoicing system. It is attempted and retried like a webhook
// delivery: with the same schedule and verdicts, and manually (SALE-9).
type HandOver struct {
	State HandOverState `json:"state"`
	// AttemptCount is the number of calls made. ScheduledCount is the number of those that were not requested manually.
	AttemptCount   int              `json:"attemptCount"`
	ScheduledCount int              `json:"scheduledCount"`
	RetryRequested bool             `json:"retryRequested"`
	RetriggeredAt  *moment.DateTime `json:"retriggeredAt,omitempty"`
	NextAttemptAt  *moment.DateTime `json:"nextAttemptAt,omitempty"`
	DeliveredAt    *moment.DateTime `json:"deliveredAt,omitempty"`
	CreatedAt      moment.DateTime  `json:"createdAt"`
	UpdatedAt      moment.DateTime  `json:"updatedAt"`
	// Attempts are in the order in which they were made. Old attempts are removed after the retention period. In lists it is
	// nil.
	Attempts []HandOverAttempt `json:"attempts,omitempty"`
}

// HandOverState is the state of a hand-over.
type HandOverState string

// The hand-over states, the same as those of a delivery.
const (
	HandOverPending   HandOverState = "pending"
	HandOverDelivered HandOverState = "delivered"
	HandOverFailed    HandOverState = "failed"   // the retry schedule is exhausted
	HandOverCanceled  HandOverState = "canceled" // the seller's invoicing was removed
)

// HandOverAttempt is one call, recorded like an attempt of a delivery.
type HandOverAttempt struct {
	Number                int             `json:"number"`
	ByHand                bool            `json:"byHand"`
	URL                   string          `json:"url"`
	StartedAt             moment.DateTime `json:"startedAt"`
	DurationMS            int             `json:"durationMs"`
	Status                *int            `json:"status,omitempty"`
	Failure               *string         `json:"failure,omitempty"`
	Detail                *string         `json:"detail,omitempty"`
	ResponseBody          string          `json:"responseBody"`
	ResponseBodyTruncated bool            `json:"responseBodyTruncated"`
}

// shownTo returns h with the paths and queries of its URLs removed, which may contain secrets, unless the actor may see the
// seller's invoicing settings.
func (h *HandOver) shownTo(ctx context.Context, actor *domain.Actor) *HandOver {
	if h == nil || tenant.MayKnowInvoicing(ctx, actor.SellerID, actor.OrgID) {
		return h
	}
	shown := *h
	shown.Attempts = slices.Clone(h.Attempts)
	for i, attempt := range shown.Attempts {
		shown.Attempts[i].URL = hostOf(attempt.URL)
	}
	return &shown
}

// hostOf returns the scheme and host of a URL.
func hostOf(called string) string {
	parsed, err := url.Parse(called)
	if err != nil {
		return ""
	}
	return parsed.Scheme + "://" + parsed.Host
}
