package sale

import (
	"context"
	"net/url"
	"slices"

	"ticketgate/domain"
	"ticketgate/domain/moment"
	"ticketgate/domain/tenant"
)

// HandOver is an invoice on its way to its seller's invoicing. It is attempted as the delivery of a webhook is: by the same
// schedule, with the same verdicts, and by hand (decisions 8.5).
type HandOver struct {
	State HandOverState `json:"state"`
	// AttemptCount is the number of calls made; ScheduledCount are those of them that were not asked for by hand.
	AttemptCount   int              `json:"attemptCount"`
	ScheduledCount int              `json:"scheduledCount"`
	RetryRequested bool             `json:"retryRequested"`
	RetriggeredAt  *moment.DateTime `json:"retriggeredAt,omitempty"`
	NextAttemptAt  *moment.DateTime `json:"nextAttemptAt,omitempty"`
	DeliveredAt    *moment.DateTime `json:"deliveredAt,omitempty"`
	CreatedAt      moment.DateTime  `json:"createdAt"`
	UpdatedAt      moment.DateTime  `json:"updatedAt"`
	// Attempts are in the order they were made, as long as they are kept; nil in lists (decisions 7.9).
	Attempts []HandOverAttempt `json:"attempts,omitempty"`
}

// HandOverState is how far a hand-over is.
type HandOverState string

// The states, those of a delivery.
const (
	HandOverPending   HandOverState = "pending"
	HandOverDelivered HandOverState = "delivered"
	HandOverFailed    HandOverState = "failed"   // the schedule has run out
	HandOverCanceled  HandOverState = "canceled" // the seller's invoicing was taken away
)

// HandOverAttempt is one call, as an attempt of a delivery is kept.
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

// shownTo hides what may be a secret in the URLs that were called from who may not know where invoices go.
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

// hostOf is a URL without path and query.
func hostOf(called string) string {
	parsed, err := url.Parse(called)
	if err != nil {
		return ""
	}
	return parsed.Scheme + "://" + parsed.Host
}
