package db

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"ticketgate/domain"
	"ticketgate/domain/moment"
	"ticketgate/domain/webhook"
)

// attemptRow is an attempt of a delivery or of an invoice hand-over. Both tables have these columns.
type attemptRow struct {
	Number        int              `bun:"number"`
	ByHand        bool             `bun:"by_hand"`
	URL           string           `bun:"url"`
	StartedAt     time.Time        `bun:"started_at"`
	DurationMS    int              `bun:"duration_ms"`
	Status        *int             `bun:"status"`
	Failure       *webhook.Failure `bun:"failure"`
	Detail        string           `bun:"detail"`
	ResponseBody  []byte           `bun:"response_body"`
	BodyTruncated bool             `bun:"body_truncated"`
}

// Attempts implements jobs.Store.
type Attempts struct{ store, whole *Store }

// Attempts returns the store for the workers that make attempts.
func (s *Store) Attempts() Attempts { return Attempts{s.recording, s} }

// Load reads all data for the next attempts in one statement. Deliveries that no longer exist are left out. The
// smallest and the largest id limit the partitions to read.
func (a Attempts) Load(ctx context.Context, deliveryIDs []string) ([]webhook.Outgoing, error) {
	found, err := outgoing.where(theseDeliveries, deliveryIDs, slices.Min(deliveryIDs), slices.Max(deliveryIDs)).
		where(stayingDeliveries).rows(ctx, a.store, a.store.sql)
	if err != nil {
		return nil, err
	}
	return each(found, a.outgoing)
}

// theseDeliveries selects deliveries by id. Its arguments are the ids, the smallest id and the largest id.
const theseDeliveries = "d.id = ANY($::uuid[]) AND d.id BETWEEN $ AND $"

// stayingDeliveries excludes deliveries of sellers that are moving to another cluster. No attempts are made for them.
const stayingDeliveries = "NOT EXISTS (SELECT FROM seller_moves v WHERE v.seller_id = d.seller_id AND v.state <> 'leaving')"

var outgoing = &source[outgoingRow]{
	columns: deliveryFields + ", " + bodyFields + `, coalesce(w.enabled AND s.webhooks, false) AS wanted, coalesce(w.url, '') AS url,
		w.sealed_hmac_key`,
	table: "deliveries AS d",
	joins: []string{
		eventsOfDeliveries, "LEFT JOIN webhooks w ON w.id = d.webhook_id AND w.seller_id = d.seller_id",
		"LEFT JOIN sellers s ON s.id = d.seller_id",
	},
}

// outgoingRow is the data of an attempt, read right before the call: a retry uses the webhook's current URL and key.
// Wanted is false if the webhook is deleted or disabled, or its seller lacks the feature.
type outgoingRow struct {
	deliveryRow
	eventRow
	Wanted        bool   `bun:"wanted"`
	URL           string `bun:"url"`
	SealedHMACKey []byte `bun:"sealed_hmac_key"`
}

func (a Attempts) outgoing(r outgoingRow) (webhook.Outgoing, error) {
	out := webhook.Outgoing{Wanted: r.Wanted, URL: r.URL}
	out.Delivery, _ = r.delivery()
	if out.Body, out.Fault = r.body(out.Delivery); out.Fault == nil {
		out.Key, out.Fault = a.store.openKey(out.Delivery.WebhookID, r.SealedHMACKey)
	}
	return out, nil
}

// errMovedOn means that a delivery has changed since it was loaded. The SQL statement signals it by a division by zero.
var errMovedOn = errors.New("a delivery was changed by another attempt")

const movedOn = "22012"

// Record stores attempts and the resulting states of their deliveries in one transaction. A delivery that fails gets
// an entry in the audit log.
//
// Record first assumes that no delivery has changed since Load, which the UPDATE verifies. If one has, it retries
// with row locks.
func (a Attempts) Record(ctx context.Context, endedAttempts []webhook.EndedAttempt) ([]webhook.Recorded, error) {
	recorded, err := a.recordAsLoaded(ctx, endedAttempts)
	if errors.Is(err, errMovedOn) {
		recorded, err = a.recordAsFound(ctx, endedAttempts)
	}
	return recorded, err
}

// recordAsLoaded stores attempts of deliveries that have not changed since Load, if none of the deliveries fails.
// Otherwise it returns errMovedOn.
func (a Attempts) recordAsLoaded(ctx context.Context, endedAttempts []webhook.EndedAttempt) ([]webhook.Recorded, error) {
	loaded := make(map[string]webhook.Delivery, len(endedAttempts))
	for _, m := range endedAttempts {
		loaded[m.Delivery.ID] = m.Delivery
	}
	of := judged(endedAttempts, loaded)
	if len(of.ids) < len(endedAttempts) || len(of.givenUp) > 0 {
		return nil, errMovedOn
	}
	jobs, err := a.store.jobStatements(ctx, of.jobs)
	if err != nil {
		return nil, err
	}
	statements := append([]statement{of.storing()}, jobs...)
	err = a.store.together(ctx, append(statements, figures(of.tally)))
	if refused, ok := errors.AsType[*pgconn.PgError](err); ok && refused.Code == movedOn {
		err = errMovedOn
	}
	return of.recorded, err
}

// recordAsFound locks the deliveries and stores the attempts that are still valid.
func (a Attempts) recordAsFound(ctx context.Context, endedAttempts []webhook.EndedAttempt) (recorded []webhook.Recorded, err error) {
	err = a.store.transact(ctx, func(tx *Tx) error {
		now, err := tx.lockedDeliveries(ctx, endedAttempts)
		if err != nil {
			return err
		}
		of := judged(endedAttempts, now)
		recorded = of.recorded
		if len(of.ids) == 0 {
			return nil
		}
		if err := tx.run(ctx, of.storing()); err != nil {
			return err
		}
		if err := tx.auditBySystem(ctx, of.givenUp); err != nil {
			return err
		}
		if err := tx.enqueue(ctx, of.jobs); err != nil {
			return err
		}
		return tx.run(ctx, figures(of.tally))
	})
	if err != nil {
		return nil, err
	}
	return recorded, nil
}

// judged returns the outcomes of attempts for the given current state of their deliveries.
func judged(endedAttempts []webhook.EndedAttempt, known map[string]webhook.Delivery) outcomes {
	of := outcomes{tally: webhook.Tally{}, recorded: make([]webhook.Recorded, len(endedAttempts))}
	for i, m := range endedAttempts {
		d, found := known[m.Delivery.ID]
		// The attempt's number guards against changes since Load.
		if !found || d.AttemptCount != m.Attempt.Number-1 || d.State != webhook.Pending {
			continue
		}
		verdict := m.Judge(d)
		of.add(m.Attempt, d, verdict)
		of.tally.Add(m.Attempt, verdict)
		known[m.Delivery.ID] = verdict.Delivery
		of.recorded[i] = verdict.Recorded()
	}
	return of
}

// lockedDeliveries locks the deliveries of attempts and returns their current state. They are locked in the order of
// their ids, to prevent deadlocks between processes.
func (tx *Tx) lockedDeliveries(ctx context.Context, endedAttempts []webhook.EndedAttempt) (map[string]webhook.Delivery, error) {
	ids := make([]string, len(endedAttempts))
	for i, m := range endedAttempts {
		ids[i] = m.Delivery.ID
	}
	found, err := deliveries.where(theseDeliveries, ids, slices.Min(ids), slices.Max(ids)).orderBy("d.id").forUpdate("UPDATE").
		rows(ctx, tx.store, tx)
	locked := make(map[string]webhook.Delivery, len(found))
	for _, row := range found {
		locked[row.ID], _ = row.delivery()
	}
	return locked, err
}

// outcomes has attempts and the new states of their deliveries, column by column, and what else must be written with
// them.
type outcomes struct {
	ids, webhooks, urls, details  []string
	wereStates, states            []string
	numbers, durations, scheduled []int
	byHand, truncated             []bool
	wasRequested, requested       []bool
	startedAt, updatedAt          []time.Time
	statuses                      []*int
	failures                      []*string
	bodies                        [][]byte
	nextAt, deliveredAt, failedAt []*time.Time
	jobs                          []webhook.Job
	givenUp                       []domain.Change
	tally                         webhook.Tally
	// recorded is the result of each attempt.
	recorded []webhook.Recorded
}

// add adds the columns of an attempt and of its delivery before and after. It collects the jobs and audit entries
// that follow from the verdict.
func (c *outcomes) add(a webhook.Attempt, before webhook.Delivery, verdict webhook.Verdict) {
	d := verdict.Delivery
	c.ids, c.webhooks, c.numbers = append(c.ids, d.ID), append(c.webhooks, d.WebhookID), append(c.numbers, a.Number)
	c.byHand, c.urls = append(c.byHand, a.ByHand), append(c.urls, a.URL)
	c.startedAt, c.durations = append(c.startedAt, a.StartedAt.Time), append(c.durations, a.DurationMS)
	c.statuses, c.failures = append(c.statuses, a.Status), append(c.failures, (*string)(a.Failure))
	c.details, c.bodies = append(c.details, a.Detail), append(c.bodies, append([]byte{}, a.RawBody...))
	c.truncated = append(c.truncated, a.ResponseBodyTruncated)
	c.wereStates, c.states = append(c.wereStates, string(before.State)), append(c.states, string(d.State))
	c.scheduled = append(c.scheduled, d.ScheduledCount)
	c.wasRequested, c.requested = append(c.wasRequested, before.RetryRequested), append(c.requested, d.RetryRequested)
	c.nextAt, c.deliveredAt = append(c.nextAt, timeOf(d.NextAttemptAt)), append(c.deliveredAt, timeOf(d.DeliveredAt))
	c.failedAt, c.updatedAt = append(c.failedAt, timeOf(d.FailedAt)), append(c.updatedAt, d.UpdatedAt.Time)
	c.jobs = append(c.jobs, verdict.Jobs...)
	if notice, givenUp := verdict.GivenUp(a); givenUp {
		c.givenUp = append(c.givenUp, notice)
	}
}

func timeOf(t *moment.DateTime) *time.Time {
	if t == nil {
		return nil
	}
	return &t.Time
}

// storing returns the statement that writes all attempts and deliveries, or none. Every change of a pending delivery
// changes its number of attempts, its state, or whether a retry is requested. The statement does not compare with a
// constant state, because the planner would then use the index of all pending deliveries.
func (c *outcomes) storing() statement {
	return statement{`WITH made AS (
			UPDATE deliveries d SET state = o.state, attempts = o.number, scheduled = o.scheduled,
				retry_requested = o.requested, next_attempt_at = o.next_attempt_at, delivered_at = o.delivered_at,
				failed_at = o.failed_at, updated_at = o.updated_at, outcome = coalesce(o.failure, o.status::text)
			FROM unnest($1::uuid[], $2::int[], $3::text[], $4::bool[], $5::text[], $6::timestamptz[], $7::int[], $8::int[],
					$9::text[], $10::text[], $11::bytea[], $12::bool[], $13::text[], $14::text[], $15::int[], $16::bool[],
					$17::bool[], $18::timestamptz[], $19::timestamptz[], $20::timestamptz[], $21::timestamptz[])
				AS o (id, number, webhook_id, by_hand, url, started_at, duration_ms, status, failure, detail, body, truncated,
					was, state, scheduled, was_requested, requested, next_attempt_at, delivered_at, failed_at, updated_at)
			WHERE d.id = ANY($1) AND d.id BETWEEN $22 AND $23
				AND d.id = o.id AND d.attempts = o.number - 1 AND d.state = o.was AND d.retry_requested = o.was_requested
			RETURNING o.*)
		INSERT INTO attempts (delivery_id, number, webhook_id, by_hand, url, started_at, duration_ms, status, failure, detail,
			response_body, body_truncated)
		SELECT id, number, webhook_id, by_hand, url, started_at, duration_ms, status, failure, detail, body, truncated FROM made
		WHERE 1 / ((SELECT count(*) FROM made) / $24::bigint) = 1`, []any{
		c.ids, c.numbers, c.webhooks, c.byHand, c.urls, c.startedAt, c.durations, c.statuses, c.failures, c.details,
		c.bodies, c.truncated, c.wereStates, c.states, c.scheduled, c.wasRequested, c.requested, c.nextAt, c.deliveredAt,
		c.failedAt, c.updatedAt, slices.Min(c.ids), slices.Max(c.ids), len(c.ids),
	}}
}

// Cancel cancels an unwanted delivery, unless it has changed since it was loaded.
func (a Attempts) Cancel(ctx context.Context, of webhook.Delivery, at time.Time) (called webhook.Recorded, err error) {
	err = a.store.transact(ctx, func(tx *Tx) error {
		now, err := tx.DeliveryForUpdate(ctx, of.SellerID, of.ID)
		if err != nil || now.AttemptCount != of.AttemptCount || now.State != webhook.Pending {
			return err
		}
		called = now.CancelResult(at)
		return tx.UpdateDelivery(ctx, webhook.Verdict{Delivery: called.After})
	})
	if err != nil {
		return webhook.Recorded{}, err
	}
	return called, nil
}

// Overdue lists deliveries that were due before the given time, the longest overdue first. It returns at most limit
// scheduled and limit manual ones.
func (a Attempts) Overdue(ctx context.Context, before time.Time, limit int) ([]webhook.Job, error) {
	type overdueRow struct {
		ID        string `bun:"id"`
		WebhookID string `bun:"webhook_id"`
		ByHand    bool   `bun:"by_hand"`
	}
	// A manual retry requested while a scheduled attempt was due has no job yet. Deliveries that are set aside need
	// none.
	overdue, err := rows[overdueRow](ctx, a.whole, a.whole.sql,
		`(SELECT id, webhook_id, false AS by_hand FROM deliveries d
			WHERE state = 'pending' AND next_attempt_at < $1
				AND NOT EXISTS (SELECT FROM set_aside a WHERE a.webhook_id = d.webhook_id AND a.delivery_id = d.id)
				AND `+stayingDeliveries+`
			ORDER BY next_attempt_at LIMIT $2)
		UNION ALL
		(SELECT id, webhook_id, true FROM deliveries d WHERE retry_requested AND retriggered_at < $1
			AND (next_attempt_at IS NULL OR next_attempt_at > retriggered_at) AND `+stayingDeliveries+`
			ORDER BY retriggered_at LIMIT $2)`, before, limit)
	jobs := make([]webhook.Job, len(overdue))
	for i, found := range overdue {
		jobs[i] = webhook.Job{DeliveryID: found.ID, WebhookID: found.WebhookID, Queue: webhook.RetryQueue}
		if found.ByHand {
			jobs[i].Queue = webhook.ManualQueue
		}
	}
	return jobs, err
}

// attempts returns a delivery's attempts in the order in which they were made.
func (s *Store) attempts(ctx context.Context, deliveryID string) ([]webhook.Attempt, error) {
	return readAll(ctx, s, s.sql, attempts.where("a.delivery_id = $", deliveryID).orderBy("a.number"), attemptRow.attempt)
}

func (r attemptRow) attempt() (webhook.Attempt, error) {
	return webhook.Attempt{
		Number: r.Number, ByHand: r.ByHand, URL: r.URL, StartedAt: moment.New(r.StartedAt),
		DurationMS: r.DurationMS, Status: r.Status, Failure: r.Failure, Detail: r.Detail,
		ResponseBody:          strings.ToValidUTF8(string(r.ResponseBody), "\uFFFD"),
		ResponseBodyTruncated: r.BodyTruncated,
	}, nil
}

func unknownHead(version int) error {
	return fmt.Errorf("the event's head has version %d, which this program does not know", version)
}
