package main

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"
)

// questionLimit is the time limit of the slowest question in milliseconds.
const questionLimit = 150

// How often each question is sent, and how often before that to warm up.
const (
	timesAsked  = 40
	timesBefore = 5
)

// question is a GraphQL document that answers a question of an administrator, taken from the examples of the
// playground. Values that vary are variables, or replace the filter of the example.
type question struct {
	example   string
	from, to  string
	variables func(number int) map[string]any
}

// examplesFolder has the examples of the playground, relative to the repository's root.
const examplesFolder = "dashboard/src/pages/playground/examples/"

// worldQuestions are the questions, all about the largest seller.
var worldQuestions = []question{
	{"failed-yesterday", "", "", func(number int) map[string]any {
		day := 1 + number%7
		return map[string]any{"failedFrom": dayBefore(day), "failedUntil": dayBefore(day - 1)}
	}},
	{"no-shows", "", "", eventOfWorld},
	{"who-reads-customers", "", "", nil},
	{"buyer", "", "", func(number int) map[string]any { return map[string]any{"name": customerName(largestsCustomer(number))} }},
	{"ticket-types", "", "", eventOfWorld},
	{
		"declined-scan", "query DeclinedScan {", "query DeclinedScan($eventId: ID!) {", eventOfWorld,
	},
	{
		"delivery", "query DeliveriesInFull {", "query DeliveriesInFull($until: DateTime!) {",
		func(number int) map[string]any { return map[string]any{"until": dayBefore(number % 25)} },
	},
	{"devices-today", "", "", func(int) map[string]any { return map[string]any{"today": dayBefore(0)} }},
	{"access-lists", "", "", nil},
	{
		"transaction", "query Transaction {", "query Transaction($tid: String!) {",
		func(number int) map[string]any {
			return map[string]any{"tid": fmt.Sprint("TX-", 2*largestsCustomer(number))}
		},
	},
	{sellersAndMembers, "", "", nil},
	{"changes-of-a-user", "", "", func(number int) map[string]any {
		return map[string]any{"userId": worldID("9", number%20), "atFrom": dayBefore(7)}
	}},
}

// sellersAndMembers is about all sellers, so it is sent without a seller.
const sellersAndMembers = "sellers-and-members"

// varied adds variables to examples that have none.
var varied = strings.NewReplacer("filter: { scanResult: declined }", "filter: { scanResult: declined, eventId: $eventId }",
	"webhookDeliveries(first: 5, order: NEWEST_FIRST)",
	"webhookDeliveries(first: 5, order: NEWEST_FIRST, filter: { createdUntil: $until })",
	"transactions(first: 1, order: NEWEST_FIRST)", "transactions(first: 1, filter: { tid: $tid })")

func eventOfWorld(number int) map[string]any {
	return map[string]any{"eventId": worldID("e", number%50)}
}

// largestsCustomer returns the number of a customer of the largest seller. It is the same for all sizes of data.
func largestsCustomer(number int) int {
	for c := 0; ; c++ {
		_, fraction := math.Modf(float64(c) * 0.6180339887498949)
		if math.Pow(101, math.Pow(fraction, 1.5)) < 1.99 { // far enough from the next one for the database to round it in the same way
			if number %= 80; number == 0 {
				return c
			}
			number--
		}
	}
}

// customerName returns the name that world.sql gives to a customer.
func customerName(c int) string {
	first := []string{"Ada", "Zoë", "Noah", "Emma", "Liam", "Jules", "Lina", "Hugo", "Alice", "Paul"}[c%10]
	return first + " " + []string{"Ber", "Mar", "Le", "Du", "Ro", "Gar", "Mo", "Lam", "Fon", "Gi"}[c/10%10] +
		[]string{"nar", "ti", "na", "ri", "sa", "be", "la", "go", "ne", "mi"}[c/100%10] +
		[]string{"d", "net", "ne", "eau", "et", "lin", "ard", "our", "ier", "ot"}[c/1000%10]
}

// document returns the example with the question's changes.
func (q question) document() (string, error) {
	text, err := os.ReadFile(examplesFolder + q.example + ".graphql")
	if err != nil || q.from == "" {
		return string(text), err
	}
	return varied.Replace(strings.Replace(string(text), q.from, q.to, 1)), nil
}

// questions sends all questions one after the other. The figure is the 95th percentile of the slowest question. The
// others are in the remark.
func questions(customers int) func(context.Context, *rig) (subject, error) {
	return func(ctx context.Context, r *rig) (subject, error) {
		r, p, err := r.world(ctx, customers)
		if err != nil {
			return subject{}, err
		}
		sizes, err := r.worldSizes(ctx)
		return subject{
			measure: func(ctx context.Context, _ time.Duration) (figure, error) { return p.askAll(ctx) }, baseline: atMost(questionLimit),
			against: fmt.Sprintf("at most %d ms", questionLimit), remark: sizes,
		}, err
	}
}

// askAll sends each question several times.
func (p *process) askAll(ctx context.Context) (figure, error) {
	as := p.asPlatform(worldSeller)
	var slowest figure
	var remark []string
	for _, q := range worldQuestions {
		document, err := q.document()
		if err != nil {
			return slowest, err
		}
		as := as
		if q.example == sellersAndMembers {
			as.header = http.Header{"Authorization": as.header["Authorization"]}
		}
		times, err := as.ask(ctx, func(number int) []byte {
			if q.variables == nil {
				return as.graphql(document, nil)
			}
			return as.graphql(document, q.variables(number))
		})
		if err != nil {
			return slowest, fmt.Errorf("%s: %w", q.example, err)
		}
		p50, p95 := inMilliseconds(percentile(times, 50)), inMilliseconds(percentile(times, 95))
		slowest.value = max(slowest.value, p95)
		remark = append(remark, fmt.Sprintf("%s %s and %s", q.example, milliseconds.format(p50), milliseconds.format(p95)))
	}
	slowest.remark = "p50 and p95: " + strings.Join(remark, ", ")
	return slowest, nil
}

// ask sends requests one after the other and returns their sorted times, without those of the warm-up.
func (a api) ask(ctx context.Context, request func(number int) []byte) ([]time.Duration, error) {
	c, err := dial(ctx, a.address(), time.Now().Add(4*grace))
	if err != nil {
		return nil, err
	}
	defer c.close()
	var times []time.Duration
	for number := range timesBefore + timesAsked {
		start := time.Now()
		status, body, err := c.exchange(request(number))
		took := time.Since(start)
		if err == nil {
			err = answeredWhole(status, body)
		}
		if err != nil {
			return nil, err
		}
		if number >= timesBefore {
			times = append(times, took)
		}
	}
	slices.Sort(times)
	return times, nil
}
