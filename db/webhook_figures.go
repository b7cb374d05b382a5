package db

import (
	"context"
	"strconv"
	"strings"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/webhook"
)

// figures returns the statement that adds attempts to the statistics of their webhooks. It must be the last statement
// of its transaction: others that wait for its rows then wait only for the commit. It locks rows in one order, so that
// no deadlock is possible.
func figures(tally webhook.Tally) statement {
	var c figureColumns
	for _, counted := range tally.Sorted() {
		c.add(counted)
	}
	return statement{`INSERT INTO webhook_figures AS f
			(webhook_id, part, value, at, calls, succeeded, delivered, failed, milliseconds, times)
		SELECT n.webhook_id, n.part, n.value, n.at, n.calls, n.succeeded, n.delivered, n.failed, n.milliseconds, n.times::int[]
		FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::int[], $6::int[], $7::int[], $8::int[], $9::bigint[],
				$10::text[]) AS n (webhook_id, part, value, at, calls, succeeded, delivered, failed, milliseconds, times)
		ON CONFLICT (webhook_id, part, value, at) DO UPDATE SET calls = f.calls + excluded.calls,
			succeeded = f.succeeded + excluded.succeeded, delivered = f.delivered + excluded.delivered,
			failed = f.failed + excluded.failed, milliseconds = f.milliseconds + excluded.milliseconds,
			times = ARRAY(SELECT coalesce(t.before, 0) + coalesce(t.further, 0)
				FROM unnest(f.times, excluded.times) WITH ORDINALITY AS t (before, further, bin) ORDER BY t.bin)`, []any{
		c.webhooks, c.parts, c.values, c.at, c.calls, c.succeeded, c.delivered, c.failed, c.milliseconds, c.times,
	}}
}

// figureColumns has statistics, column by column.
type figureColumns struct {
	webhooks, parts, values, times      []string
	at                                  []time.Time
	calls, succeeded, delivered, failed []int
	milliseconds                        []int64
}

func (c *figureColumns) add(counted webhook.Counted) {
	c.webhooks, c.parts = append(c.webhooks, counted.WebhookID), append(c.parts, string(counted.Part))
	c.values, c.at = append(c.values, counted.Value), append(c.at, counted.At)
	c.calls, c.succeeded = append(c.calls, counted.Calls), append(c.succeeded, counted.Succeeded)
	c.delivered, c.failed = append(c.delivered, counted.Delivered), append(c.failed, counted.Failed)
	c.milliseconds, c.times = append(c.milliseconds, counted.Milliseconds), append(c.times, arrayOf(counted.Times))
}

// arrayOf formats numbers as a PostgreSQL array literal, because unnest can't take arrays of different lengths.
func arrayOf(numbers []int) string {
	texts := make([]string, len(numbers))
	for i, number := range numbers {
		texts[i] = strconv.Itoa(number)
	}
	return "{" + strings.Join(texts, ",") + "}"
}

type figuresRow struct {
	Calls        int   `bun:"calls"`
	Succeeded    int   `bun:"succeeded"`
	Delivered    int   `bun:"delivered"`
	Failed       int   `bun:"failed"`
	Milliseconds int64 `bun:"milliseconds"`
}

// summedFigures are the columns of figuresRow. The sum of no rows is zero. Failures can't be negative: older versions
// subtracted a failure when its delivery was delivered manually, even if none was counted.
const summedFigures = `coalesce(sum(f.calls), 0)::bigint AS calls, coalesce(sum(f.succeeded), 0)::bigint AS succeeded,
	coalesce(sum(f.delivered), 0)::bigint AS delivered, greatest(sum(f.failed), 0)::bigint AS failed,
	coalesce(sum(f.milliseconds), 0)::bigint AS milliseconds`

// WebhookFigures lists a seller's webhooks with their statistics since the given time.
func (s webhookStore) WebhookFigures(
	ctx context.Context, seller ids.Seller, from time.Time, page domain.Page,
) (domain.List[webhook.WebhookFigures], error) {
	webhooks, err := s.Webhooks(ctx, seller, page)
	list := domain.List[webhook.WebhookFigures]{HasMore: webhooks.HasMore, Total: webhooks.Total}
	if err != nil || len(webhooks.Items) == 0 {
		return list, err
	}
	ids := make([]string, len(webhooks.Items))
	for i, item := range webhooks.Items {
		ids[i] = item.ID
	}
	figures, err := s.FiguresOfWebhooks(ctx, seller, ids, from)
	for _, item := range webhooks.Items {
		list.Items = append(list.Items, webhook.WebhookFigures{Webhook: item, PeriodFigures: figures[item.ID]})
	}
	return list, err
}

// FiguresOfWebhooks returns the statistics of a seller's webhooks since the given time.
func (s webhookStore) FiguresOfWebhooks(
	ctx context.Context, seller ids.Seller, webhooks []string, from time.Time,
) (map[string]webhook.PeriodFigures, error) {
	type totalRow struct {
		figuresRow
		ID             string     `bun:"id"`
		LastDeliveryAt *time.Time `bun:"last_delivery_at"`
	}
	found, err := rows[totalRow](ctx, s.Store, s.sql, `SELECT w.id, f.*, (SELECT d.created_at FROM deliveries d
			WHERE d.webhook_id = w.id AND d.seller_id = $3 ORDER BY d.id DESC LIMIT 1) AS last_delivery_at
		FROM webhooks w CROSS JOIN LATERAL (SELECT `+summedFigures+` FROM webhook_figures f
			WHERE f.webhook_id = w.id AND f.part = 'all' AND f.value = '' AND f.at >= $2) f
		WHERE w.id = ANY($1) AND w.seller_id = $3`, webhooks, from, string(seller))
	figures := make(map[string]webhook.PeriodFigures, len(found))
	for _, total := range found {
		figures[total.ID] = webhook.PeriodFigures{
			Figures: webhook.Figures(total.figuresRow), LastDeliveryAt: optionalTime(total.LastDeliveryAt),
		}
	}
	return figures, err
}

// stepNumber is the number of the query's step to which a slot belongs.
const stepNumber = "floor(extract(epoch FROM f.at - $2::timestamptz) / $3::int)::int"

// timesBin is the part of rows that count calls by duration. Their value is the number of the bin, starting at 0.
const timesBin = "times"

// WebhookStatistics sums statistics of a seller's webhooks: all calls and the distribution of their durations by step,
// and parts of the calls, such as those with one status, over the whole period.
func (s webhookStore) WebhookStatistics(ctx context.Context, q webhook.StatisticsQuery) ([]webhook.CountedStep, error) {
	type partRow struct {
		figuresRow
		WebhookID string `bun:"webhook_id"`
		Part      string `bun:"part"`
		Value     string `bun:"value"`
		Step      int    `bun:"step"`
	}
	found, err := rows[partRow](ctx, s.Store, s.sql, `SELECT f.webhook_id, f.part, f.value,
			CASE f.part WHEN 'all' THEN `+stepNumber+` ELSE 0 END AS step, `+summedFigures+`
		FROM webhooks w JOIN webhook_figures f ON f.webhook_id = w.id
		WHERE w.id = ANY($1) AND w.seller_id = $4 AND f.at >= $2 GROUP BY 1, 2, 3, 4
		UNION ALL SELECT f.webhook_id, '`+timesBin+`', (t.bin - 1)::text, `+stepNumber+`, sum(t.calls)::bigint, 0, 0, 0, 0
		FROM webhooks w JOIN webhook_figures f ON f.webhook_id = w.id AND f.part = 'all'
			CROSS JOIN LATERAL unnest(f.times) WITH ORDINALITY AS t (calls, bin)
		WHERE w.id = ANY($1) AND w.seller_id = $4 AND f.at >= $2 GROUP BY 1, 3, 4`,
		q.WebhookIDs, q.From, int(q.Step.Seconds()), string(q.SellerID))
	if err != nil {
		return nil, err
	}
	counted := make([]webhook.CountedStep, 0, len(found))
	for _, r := range found {
		countedStep := webhook.CountedStep{Step: r.Step}
		countedStep.WebhookID = r.WebhookID
		if r.Part != timesBin {
			countedStep.Part, countedStep.Value, countedStep.Figures = webhook.Part(r.Part), r.Value, webhook.Figures(r.figuresRow)
			counted = append(counted, countedStep)
			continue
		}
		bin, err := strconv.Atoi(r.Value)
		if err != nil {
			return nil, err
		}
		countedStep.Part, countedStep.Times = webhook.AllCalls, make(webhook.ResponseTimes, bin+1)
		countedStep.Times[bin] = r.Calls
		counted = append(counted, countedStep)
	}
	return counted, nil
}
