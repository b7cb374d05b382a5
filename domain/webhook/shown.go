package webhook

import "ticketgate/domain/texts"

// ShownKey is the signing key as GraphQL shows it: null when calls are not signed.
func (w Webhook) ShownKey() *string { return texts.Shown(w.HMACKey) }

// ShownOutcome is how the latest call ended as GraphQL shows it: null before the first.
func (d Delivery) ShownOutcome() *string { return texts.Shown(d.Outcome) }

// ShownFailure is the kind of failure as GraphQL shows it.
func (a Attempt) ShownFailure() *string { return (*string)(a.Failure) }

// ShownDetail is what an attempt says of itself, null when there is nothing to say.
func (a Attempt) ShownDetail() *string { return texts.Shown(a.Detail) }
