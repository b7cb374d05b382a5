package db

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/moment"
	"ticketgate/domain/webhook"
)

// attemptRow is one call that was made, of a delivery or of a hand-over: both keep the same columns.
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

// Attempts is the database as the worker that makes attempts needs it.
type Attempts struct{ store, whole *Store }

// Attempts returns what the worker needs.
func (s *Store) Attempts() Attempts { return Attempts{s.recording, s} }

// Load reads, in one statement, everything that the next attempts of deliveries need. Deliveries that are not there any
// more are left out. The smallest and the largest id tell the server which days to look into.
func (a Attempts) Load(ctx context.Context, deliveryIDs []string) ([]webhook.Outgoing, error) {
	found, err := outgoing.where(theseDeliveries, deliveryIDs, slices.Min(deliveryIDs), slices.Max(deliveryIDs)).
		where(stayingDeliveries).rows(ctx, a.store, a.store.sql)
	if err != nil {
		return nil, err
	}
	return each(found, a.outgoing)
}

// theseDeliveries is the condition for deliveries with the ids, of which the smallest and the largest are named again.
const theseDeliveries = "d.id = ANY($::uuid[]) AND d.id BETWEEN $ AND $"

// stayingDeliveries is the condition for deliveries whose seller isn't on the way to another cluster: no attempt is made of others.
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

// outgoingRow is what an attempt needs, as it is at the attempt: a retry uses the URL and key that the webhook has by then
// (decisions 7.3). Wanted is false once the webhook is gone, disabled, or its seller lacks the feature.
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

// errMovedOn tells that a delivery is not as it was loaded.
var errMovedOn = errors.New("a delivery has moved on")

// Record stores attempts and what they make of their deliveries in one transaction. What they leave as failed gets an entry of
// the audit log in it.
//
// Hardly ever does anything happen to a delivery during its attempt. So they are first taken to be as they were loaded,
// which the statement that changes them makes sure of; only when one is not are all of them locked and looked at.
func (a Attempts) Record(ctx context.Context, made []webhook.Made) ([]webhook.Recorded, error) {
	recorded, err := a.record(ctx, made, func(*Tx) (map[string]webhook.Delivery, error) {
		loaded := make(map[string]webhook.Delivery, len(made))
		for _, m := range made {
			loaded[m.Of.ID] = m.Of
		}
		return loaded, nil
	})
	if errors.Is(err, errMovedOn) {
		recorded, err = a.record(ctx, made, func(tx *Tx) (map[string]webhook.Delivery, error) {
			return tx.lockedDeliveries(ctx, made)
		})
	}
	return recorded, err
}

// record judges attempts by what is known of their deliveries, and stores what comes of it unless that is wrong.
func (a Attempts) record(
	ctx context.Context, made []webhook.Made, known func(*Tx) (map[string]webhook.Delivery, error),
) (recorded []webhook.Recorded, err error) {
	err = a.store.transact(ctx, func(tx *Tx) error {
		recorded = make([]webhook.Recorded, len(made))
		now, err := known(tx)
		if err != nil {
			return err
		}
		var outcomes outcomeColumns
		tally := webhook.Tally{}
		for i, m := range made {
			d, found := now[m.Of.ID]
			// The attempt's number is the fence.
			if !found || d.AttemptCount != m.Attempt.Number-1 || d.State != webhook.Pending {
				continue
			}
			verdict := m.Judge(d)
			outcomes.add(m.Attempt, d, verdict)
			tally.Add(m.Attempt, verdict)
			now[m.Of.ID] = verdict.Delivery
			recorded[i] = verdict.Recorded()
		}
		if err := tx.recordOutcomes(ctx, outcomes); err != nil {
			return err
		}
		return tx.addFigures(ctx, tally)
	})
	if err != nil {
		return nil, err
	}
	return recorded, nil
}

// lockedDeliveries are the deliveries of attempts as they are now. The order keeps two processes from waiting for each other.
func (tx *Tx) lockedDeliveries(ctx context.Context, made []webhook.Made) (map[string]webhook.Delivery, error) {
	ids := make([]string, len(made))
	for i, m := range made {
		ids[i] = m.Of.ID
	}
	found, err := deliveries.where(theseDeliveries, ids, slices.Min(ids), slices.Max(ids)).orderBy("d.id").forUpdate("UPDATE").
		rows(ctx, tx.store, tx)
	locked := make(map[string]webhook.Delivery, len(found))
	for _, row := range found {
		locked[row.ID], _ = row.delivery()
	}
	return locked, err
}

// outcomeColumns are attempts, their deliveries afterwards and the wake-ups that these need, column by column.
type outcomeColumns struct {
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
	wakeUps                       []webhook.WakeUp
	givenUp                       []domain.Change
}

func (c *outcomeColumns) add(a webhook.Attempt, before webhook.Delivery, verdict webhook.Verdict) {
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
	c.wakeUps = append(c.wakeUps, verdict.WakeUps...)
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

// recordOutcomes writes attempts and deliveries in one statement, and then the notices of what is given up and the jobs of
// retries in one each. Whatever happens to a pending delivery changes the count of its attempts, its state, or whether
// somebody has asked for one. No state is named in the statement: the server would take that for a reason to go through the
// index of all that waits.
func (tx *Tx) recordOutcomes(ctx context.Context, c outcomeColumns) error {
	if len(c.ids) == 0 {
		return nil
	}
	written, err := exec(ctx, tx, `WITH made AS (
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
		SELECT id, number, webhook_id, by_hand, url, started_at, duration_ms, status, failure, detail, body, truncated FROM made`,
		c.ids, c.numbers, c.webhooks, c.byHand, c.urls, c.startedAt, c.durations, c.statuses, c.failures, c.details,
		c.bodies, c.truncated, c.wereStates, c.states, c.scheduled, c.wasRequested, c.requested, c.nextAt, c.deliveredAt,
		c.failedAt, c.updatedAt, slices.Min(c.ids), slices.Max(c.ids))
	if err == nil && written < int64(len(c.ids)) {
		err = errMovedOn
	}
	if err == nil {
		err = tx.auditBySystem(ctx, c.givenUp)
	}
	if err != nil {
		return err
	}
	return tx.wake(ctx, c.wakeUps)
}

// Cancel ends a delivery that nobody wants any more, unless it has moved on since it was loaded.
func (a Attempts) Cancel(ctx context.Context, of webhook.Delivery, at time.Time) (called webhook.Recorded, err error) {
	err = a.store.transact(ctx, func(tx *Tx) error {
		now, err := tx.DeliveryForUpdate(ctx, of.SellerID, of.ID)
		if err != nil || now.AttemptCount != of.AttemptCount || now.State != webhook.Pending {
			return err
		}
		called = now.CalledOff(at)
		return tx.UpdateDelivery(ctx, webhook.Verdict{Delivery: called.After})
	})
	if err != nil {
		return webhook.Recorded{}, err
	}
	return called, nil
}

// Overdue lists deliveries whose wake-up should have come before a time, the longest overdue first: of the
// schedule and by hand at most so many each.
func (a Attempts) Overdue(ctx context.Context, before time.Time, limit int) ([]webhook.WakeUp, error) {
	type overdueRow struct {
		ID        string `bun:"id"`
		WebhookID string `bun:"webhook_id"`
		ByHand    bool   `bun:"by_hand"`
	}
	// A wish that came while a scheduled attempt was due has no wake-up of its own yet, and what was set aside needs none.
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
	wakeUps := make([]webhook.WakeUp, len(overdue))
	for i, found := range overdue {
		wakeUps[i] = webhook.WakeUp{DeliveryID: found.ID, WebhookID: found.WebhookID, Lane: webhook.RetryLane}
		if found.ByHand {
			wakeUps[i].Lane = webhook.ByHandLane
		}
	}
	return wakeUps, err
}

// attempts lists a delivery's attempts in the order they were made.
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
