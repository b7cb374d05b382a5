package webhook

import (
	"context"
	"fmt"
	"slices"

	"ticketgate/domain"
	"ticketgate/domain/ids"
)

// maxRetriggered is the maximum number of deliveries that one call retries.
const maxRetriggered = 1000

// Retriggering selects deliveries to retry, by their ids or by a filter for failed ones. With a filter, Count is the
// number of matches that the caller saw.
type Retriggering struct {
	IDs    []string
	Filter *DeliveryFilter
	Count  *int
}

func (r Retriggering) check() error {
	var errs domain.FieldErrors
	switch {
	case (len(r.IDs) == 0) == (r.Filter == nil):
		errs.Add("ids", "or filter is required, but not both")
	case r.Filter == nil:
		r.checkIDs(&errs)
	default:
		r.checkFilter(&errs)
	}
	return errs.Err()
}

func (r Retriggering) checkIDs(errs *domain.FieldErrors) {
	if !errs.Count("ids", len(r.IDs), maxRetriggered) {
		return
	}
	for i, id := range r.IDs {
		if !isID(id) {
			errs.Add(domain.IndexPath("ids", i), notThere)
		}
	}
	if named := len(slices.Compact(slices.Sorted(slices.Values(r.IDs)))); r.Count != nil && *r.Count != named {
		errs.Add("count", fmt.Sprintf("must be %d, the number of distinct ids, or omitted", named))
	}
}

// checkFilter allows a filter to select failed deliveries only, so that delivered ones aren't sent again in bulk.
func (r Retriggering) checkFilter(errs *domain.FieldErrors) {
	if r.Filter.State != Failed {
		errs.Add("filter.state", "must be failed. Select other deliveries by ids")
	}
	if r.Count == nil || *r.Count < 1 || *r.Count > maxRetriggered {
		errs.Add("count", fmt.Sprintf("must be the number of matching deliveries, 1 to %d. If more match, narrow the filter",
			maxRetriggered))
	}
	errs.Under("filter", r.Filter.Check())
}

// rows returns the number of selected deliveries.
func (r Retriggering) rows() int {
	if r.Filter == nil {
		return len(r.IDs)
	}
	return *r.Count
}

const notThere = "does not exist"

// RetryMany is Retry for many deliveries, all or none. It requires webhooks:update, or a session with role DEVELOPER.
// An unknown id, or an id whose webhook is disabled or deleted, is an error with its path. A filter by an unknown
// webhook is NOT_FOUND. If the number of matches has changed, the error is INVALID_STATE.
func (s Deliveries) RetryMany(ctx context.Context, wanted Retriggering) ([]Delivery, error) {
	arrived := s.Now() // before waiting for a lock: see Delivery.Retrigger
	actor, err := domain.Authorize(ctx, domain.RetryDeliveries)
	if err != nil {
		return nil, err
	}
	if err := wanted.check(); err != nil {
		return nil, err
	}
	if wanted.Filter != nil {
		err = s.checkNamed(ctx, actor.SellerID, wanted.Filter.WebhookID)
	} else {
		_, err = wanted.named(ctx, actor.SellerID, s.Store.DeliveriesByID, s.Store.Webhook)
	}
	if err != nil {
		return nil, err
	}
	var after []Delivery
	err = s.Store.InLongTx(ctx, actor.SellerID, wanted.rows(), func(ctx context.Context, tx Tx) error {
		before, err := wanted.locked(ctx, tx, actor.SellerID)
		if err != nil {
			return err
		}
		waits, err := tx.SetAside(ctx, before...)
		if err != nil {
			return err
		}
		var verdicts []Verdict
		after = make([]Delivery, len(before))
		for i, d := range before {
			if waits[d.ID] {
				d = d.deferScheduled(arrived)
			}
			verdict, changed := d.Retrigger(arrived)
			if after[i] = verdict.Delivery; changed {
				verdicts = append(verdicts, verdict)
			}
		}
		if err := tx.UpdateRetriggered(ctx, verdicts); err != nil {
			return err
		}
		return auditRetriggered(ctx, tx, actor.SellerID, verdicts)
	})
	return after, err
}

// locked returns the selected deliveries in the order of their ids, and locks them.
func (r Retriggering) locked(ctx context.Context, tx Tx, seller ids.Seller) ([]Delivery, error) {
	if r.Filter == nil {
		return r.named(ctx, seller, tx.DeliveriesForUpdate, tx.WebhookForUpdate)
	}
	found, err := tx.MatchingDeliveriesForUpdate(ctx, seller, *r.Filter, maxRetriggered+1)
	if err != nil {
		return nil, err
	}
	if len(found) != *r.Count {
		return nil, domain.InvalidState(fmt.Sprintf("The filter no longer matches %d deliveries. Reload and confirm again", *r.Count))
	}
	enabled, err := enabledWebhooks(ctx, seller, found, tx.WebhookForUpdate)
	for _, d := range found {
		if err == nil && !enabled[d.WebhookID] {
			err = domain.InvalidState("A webhook of these deliveries was deleted or is disabled. Select others")
		}
	}
	return found, err
}

// Functions that read the deliveries and webhooks that a call names, with or without a lock.
type (
	readDeliveries func(ctx context.Context, seller ids.Seller, ids []string) ([]Delivery, error)
	readWebhook    func(ctx context.Context, seller ids.Seller, id string) (Webhook, error)
)

// named returns the deliveries with the given ids, or all errors of the ids.
func (r Retriggering) named(
	ctx context.Context, seller ids.Seller, deliveries readDeliveries, webhook readWebhook,
) ([]Delivery, error) {
	found, err := deliveries(ctx, seller, r.IDs)
	if err != nil {
		return nil, err
	}
	enabled, err := enabledWebhooks(ctx, seller, found, webhook)
	if err != nil {
		return nil, err
	}
	byID := make(map[string]Delivery, len(found))
	for _, d := range found {
		byID[d.ID] = d
	}
	var errs domain.FieldErrors
	for i, id := range r.IDs {
		switch d, exists := byID[id]; {
		case !exists:
			errs.Add(domain.IndexPath("ids", i), notThere)
		case !enabled[d.WebhookID]:
			errs.Add(domain.IndexPath("ids", i), "belongs to a webhook that was deleted or is disabled")
		}
	}
	return found, errs.Err()
}

// enabledWebhooks returns which webhooks of the deliveries are enabled. If read locks them, they stay so until the
// transaction ends.
func enabledWebhooks(
	ctx context.Context, seller ids.Seller, of []Delivery, read readWebhook,
) (map[string]bool, error) {
	enabled := map[string]bool{}
	for _, d := range of {
		if _, known := enabled[d.WebhookID]; known {
			continue
		}
		webhook, err := read(ctx, seller, d.WebhookID)
		if err != nil && !domain.HasCode(err, domain.CodeNotFound) {
			return nil, err
		}
		enabled[d.WebhookID] = err == nil && webhook.Enabled
	}
	return enabled, nil
}

// auditRetriggered writes one audit entry that lists all deliveries.
func auditRetriggered(ctx context.Context, tx Tx, seller ids.Seller, verdicts []Verdict) error {
	if len(verdicts) == 0 {
		return nil
	}
	ids := make([]string, len(verdicts))
	for i, verdict := range verdicts {
		ids[i] = verdict.Delivery.ID
	}
	return tx.Audit(ctx, domain.Change{
		SellerID: seller, Action: domain.RetryDeliveries, Object: "webhookDelivery", ObjectID: ids[0],
	}.Diff(nil, map[string]any{"deliveries": ids}))
}
