package webhook

import "ticketgate/domain/texts"

// ShownKey returns the signing key for GraphQL, or nil if calls are not signed.
func (w Webhook) ShownKey() *string { return texts.Shown(w.HMACKey) }

// ShownOutcome returns the outcome of the latest call for GraphQL, or nil before the first call.
func (d Delivery) ShownOutcome() *string { return texts.Shown(d.Outcome) }

// ShownFailure returns the kind of failure for GraphQL.
func (a Attempt) ShownFailure() *string { return (*string)(a.Failure) }

// ShownDetail returns the detail of an attempt for GraphQL, or nil if there is none.
func (a Attempt) ShownDetail() *string { return texts.Shown(a.Detail) }
