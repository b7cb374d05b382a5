package webhook

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/ids"
)

// Figures returns the seller's webhooks, oldest first, each with its figures in a period and its newest delivery. It
// requires webhooks:list, or a session with role DEVELOPER.
func (s Webhooks) Figures(
	ctx context.Context, period Period, page domain.Page,
) (domain.List[WebhookFigures], error) {
	actor, err := domain.Authorize(ctx, domain.ListWebhookFigures)
	if err != nil {
		return domain.List[WebhookFigures]{}, err
	}
	if err := period.check(); err != nil {
		return domain.List[WebhookFigures]{}, err
	}
	from, _ := period.window(s.Now())
	return s.Store.WebhookFigures(ctx, actor.SellerID, from, page)
}

// Statistics returns the statistics of a webhook in a period. It requires webhooks:list, or a session with role
// DEVELOPER.
func (s Webhooks) Statistics(ctx context.Context, id string, period Period) (Statistics, error) {
	actor, err := domain.Authorize(ctx, domain.GetWebhookStatistics)
	if err != nil {
		return Statistics{}, err
	}
	if err := period.check(); err != nil {
		return Statistics{}, err
	}
	if _, err := s.Store.Webhook(ctx, actor.SellerID, id); err != nil {
		return Statistics{}, err
	}
	all, err := s.statistics(ctx, actor.SellerID, []string{id}, period)
	return all[id], err
}

// statistics returns the statistics of webhooks, including those without calls.
func (s Webhooks) statistics(
	ctx context.Context, seller ids.Seller, ids []string, period Period,
) (map[string]Statistics, error) {
	query := StatisticsQuery{SellerID: seller, WebhookIDs: ids}
	query.Step, query.Steps = period.step()
	query.From, _ = period.window(s.Now())
	counted, err := s.Store.WebhookStatistics(ctx, query)
	if err != nil {
		return nil, err
	}
	steps := map[string][]CountedStep{}
	for _, countedStep := range counted {
		steps[countedStep.WebhookID] = append(steps[countedStep.WebhookID], countedStep)
	}
	all := make(map[string]Statistics, len(ids))
	for _, id := range ids {
		all[id] = newStatistics(id, query, steps[id])
	}
	return all, nil
}
