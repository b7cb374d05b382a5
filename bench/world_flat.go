package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// flatTurns is how often each document is sent to both databases.
const flatTurns = 20

// worldSubject has the ids and names of a customer of the largest seller, by their placeholders in worldDocuments.
type worldSubject map[string]string

// worldDocuments are documents that pages of the dashboard send: lists with each kind of filter, totals, and
// statistics. Words that start with $ are placeholders for values of a subject.
var worldDocuments = []struct{ what, list, filter string }{
	{"tickets", "tickets", ``},
	{"tickets by status", "tickets", `status: INVALID`},
	{"tickets of an event", "tickets", `eventId: "$event"`},
	{"tickets of a type", "tickets", `ticketTypeId: "$type"`},
	{"tickets of a customer", "tickets", `customerId: "$customer"`},
	{"tickets of a transaction", "tickets", `transactionId: "$transaction"`},
	{"tickets by barcode", "tickets", `barcode: "$barcode"`},
	{"tickets by email", "tickets", `email: "$email"`},
	{"tickets by text", "tickets", `text: "$text"`},
	{"tickets since", "tickets", `createdFrom: "$week"`},
	{"tickets not checked in", "tickets", `checkedIn: false, eventId: "$event"`},
	{"tickets inside", "tickets", `inside: true, eventId: "$event"`},
	{"transactions", "transactions", ``},
	{"transactions by status", "transactions", `status: CANCELED`},
	{"transactions of an event", "transactions", `eventId: "$event"`},
	{"transactions of a customer", "transactions", `customerId: "$customer"`},
	{"transactions by number", "transactions", `tid: "$tid"`},
	{"transactions by email", "transactions", `email: "$email"`},
	{"transactions by text", "transactions", `text: "$text"`},
	{"transactions since", "transactions", `createdFrom: "$week"`},
	{"customers", "customers", ``},
	{"customers by name", "customers", `name: "$name"`},
	{"customers by email", "customers", `email: "$email"`},
	{"customers since", "customers", `createdFrom: "$week"`},
	{"invoices", "invoices", ``},
	{"cancellations", "invoices", `kind: cancellation`},
	{"invoices by number", "invoices", `number: 7`},
	{"invoices of a transaction", "invoices", `transactionId: "$transaction"`},
	{"invoices by text", "invoices", `text: "$text"`},
	{"invoices since", "invoices", `issuedFrom: "$week"`},
	{"scans", "scans", ``},
	{"declined scans", "scans", `scanResult: declined`},
	{"scans of a device", "scans", `deviceId: "$device"`},
	{"scans of an event", "scans", `eventId: "$event"`},
	{"scans of a ticket", "scans", `ticketId: "$ticket"`},
	{"scans of a barcode", "scans", `barcode: "$barcode"`},
	{"scans since", "scans", `timeFrom: "$week"`},
	{"deliveries", "webhookDeliveries", ``},
	{"failed deliveries", "webhookDeliveries", `state: failed`},
	{"deliveries of a webhook", "webhookDeliveries", `webhookId: "$webhook"`},
	{"deliveries failed since", "webhookDeliveries", `state: failed, failedFrom: "$week"`},
	{"deliveries about a ticket", "webhookDeliveries", `objectId: "$ticket"`},
	{"audit log", "auditLog", ``},
	{"audit log by action", "auditLog", `action: "updateEvent"`},
	{"audit log of a user", "auditLog", `actorId: "$user"`},
	{"audit log of a record", "auditLog", `objectId: "$event"`},
	{"audit log since", "auditLog", `atFrom: "$week"`},
	{"entries", "accessListEntries", ``},
	{"entries of a customer", "accessListEntries", `customerId: "$customer"`},
	{"entries by code", "accessListEntries", `externalCode: "$code"`},
	{"entries by email", "accessListEntries", `email: "$email"`},
	{"entries without a ticket", "accessListEntries", `withoutTicketFor: "$event"`},
	{"search of a name", `{ search(query: "$name") { kind _id title } }`, ``},
	{"search of a code", `{ search(query: "$code") { kind _id title } }`, ``},
	{"deliveries of the overview", `{ failed: webhookDeliveries(first: 0, filter: { state: failed }) { totalCount }
		lately: webhookDeliveries(first: 0, filter: { state: failed, createdFrom: "$today" }) { totalCount }
		pending: webhookDeliveries(first: 0, filter: { state: pending, createdFrom: "$today" }) { totalCount }
		delivered: webhookDeliveries(first: 0, filter: { state: delivered, createdFrom: "$today" }) { totalCount } }`, ``},
	{"scans of the overview", `{ approved: scans(first: 0, filter: { timeFrom: "$today", scanResult: approved }) { totalCount }
		declined: scans(first: 0, filter: { timeFrom: "$today", scanResult: declined }) { totalCount }
		silent: accessUsers(first: 0, filter: { active: true, unusedSince: "$today" }) { totalCount } }`, ``},
	{"scans per minute", `{ scansPerMinute { at approved declined } }`, ``},
	{"totals", `{ tickets { totalCount } transactions { totalCount } customers { totalCount } invoices { totalCount } }`, ``},
	{"occupancy", `{ occupancy(eventId: "$event") { inside checkedIn } }`, ``},
	{"a webhook's week", `{ webhook(id: "$webhook") { statistics(period: WEEK) { calls deliveryRate p95Ms byOutcome { value calls }
		series { calls p50Ms p95Ms } } } }`, ``},
	{"webhooks with figures", `{ webhooks(first: 50) { nodes { name figures { calls deliveryRate averageMs } } } }`, ``},
}

// worldRequests returns the requests with all documents, and those of a gate, for one database.
func (p *process) worldRequests(subjects []worldSubject) (what []string, requests []func(number int) []byte) {
	as, gate := p.asPlatform(worldSeller), api{p.url, http.Header{"Token": {deviceToken(0)}}}
	for _, document := range worldDocuments {
		text := document.list
		if !strings.HasPrefix(text, "{") {
			// A page requests the rows and the total separately. Both are measured.
			list := document.list + "("
			if document.list == "accessListEntries" {
				list += `listId: "$list", `
			}
			text = "{ " + list + "first: 50, order: NEWEST_FIRST, filter: {" + document.filter + "}) { nodes { id: __typename } } }"
			what = append(what, document.what, "how many "+document.what)
			total := "{ " + list + "first: 0, filter: {" + document.filter + "}) { totalCount } }"
			requests = append(requests, subjectRequest(as, text, subjects), subjectRequest(as, total, subjects))
			continue
		}
		what, requests = append(what, document.what), append(requests, subjectRequest(as, text, subjects))
	}
	what = append(what, "ticket lookup at the gate", "scan at the gate")
	return what, append(requests, func(number int) []byte {
		of := subjects[number%len(subjects)]
		return gate.request(http.MethodGet, "/api/access-lists/entries/"+of["$code"]+"/ticket?eventId="+of["$event"], nil)
	}, func(number int) []byte {
		return gate.request(http.MethodPost, "/api/accessusers/tickets/"+subjects[number%len(subjects)]["$barcode"]+"/scan", nil)
	})
}

// subjectRequest returns requests about each subject in turn.
func subjectRequest(as api, text string, subjects []worldSubject) func(number int) []byte {
	return func(number int) []byte {
		filled := text
		for mark, value := range subjects[number%len(subjects)] {
			filled = strings.ReplaceAll(filled, `"`+mark+`"`, `"`+value+`"`)
		}
		return as.graphql(filled, nil)
	}
}

// worldSubjects returns customers that are the same in each database.
func (r *rig) worldSubjects(ctx context.Context) (subjects []worldSubject, err error) {
	err = r.cluster.connected(ctx, r.cluster.url("postgres", r.name), func(conn *pgx.Conn) error {
		found, err := conn.Query(ctx, `SELECT jsonb_build_object('$event', event, '$type', made.id('f', 1, event_no * 10), '$customer', id,
				'$transaction', made.id_of_time('3', at, 2 * c), '$ticket', made.id_of_time('1', at, 4 * c + 1), '$tid', 'TX-' || 2 * c,
				'$barcode', substr(md5((4 * c + 1)::text), 1, 20), '$email', email, '$text', lower(lastname),
				'$name', firstname || ' ' || lastname,
				'$code', 'CARD-' || 8 * c, '$device', device, '$webhook', made.id('b', 1, c % 8), '$user', made.id('9', 1, c % 20),
				'$list', made.id('a', 1, c % 10), '$week', now() - interval '7 days', '$today', date_trunc('day', now(), 'UTC'))
			FROM made.customers WHERE rank = 1 ORDER BY c LIMIT 60`)
		if err != nil {
			return err
		}
		texts, err := pgx.CollectRows(found, pgx.RowTo[[]byte])
		for _, text := range texts {
			var item worldSubject
			if err := json.Unmarshal(text, &item); err != nil {
				return err
			}
			subjects = append(subjects, item)
		}
		return err
	})
	return subjects, err
}

// sizedWorld has the requests to one of the databases.
type sizedWorld struct {
	api
	requests []func(number int) []byte
}

// flatWorld sends all requests of pages and gates to a large database and to one of a thousandth of its size, in turns.
func flatWorld(ctx context.Context, r *rig) (subject, error) {
	var what []string
	var worlds [2]sizedWorld // the small one first
	for i, customers := range []int{smallWorldCustomers, worldCustomers} {
		in, p, err := r.world(ctx, customers)
		if err != nil {
			return subject{}, err
		}
		subjects, err := in.worldSubjects(ctx)
		if err != nil {
			return subject{}, err
		}
		worlds[i].api = api{url: p.url}
		what, worlds[i].requests = p.worldRequests(subjects)
	}
	return subject{
		measure: func(ctx context.Context, _ time.Duration) (figure, error) { return compareWorlds(ctx, what, worlds) },
		remark:  "each in the small and in the large database",
	}, nil
}

// compareWorlds measures each request in both databases. The figure is the slowest in the large one.
func compareWorlds(ctx context.Context, what []string, worlds [2]sizedWorld) (figure, error) {
	var slowest figure
	var remark []string
	for i, item := range what {
		medians, err := inTurns(ctx, [2]sizedWorld{
			{worlds[0].api, worlds[0].requests[i : i+1]}, {worlds[1].api, worlds[1].requests[i : i+1]},
		})
		if err != nil {
			return slowest, fmt.Errorf("%s: %w", item, err)
		}
		slowest.value = max(slowest.value, medians[1])
		said := fmt.Sprintf("%s %s and %s", item, milliseconds.format(medians[0]), milliseconds.format(medians[1]))
		fmt.Fprintln(os.Stderr, "  "+said)
		remark = append(remark, said)
	}
	slowest.remark = strings.Join(remark, ", ")
	return slowest, nil
}

// inTurns sends the request to each database in turns, and returns the medians in milliseconds.
func inTurns(ctx context.Context, worlds [2]sizedWorld) (medians [2]float64, err error) {
	var times [2][]time.Duration
	var clients [2]*client
	for w, world := range worlds {
		if clients[w], err = dial(ctx, world.address(), time.Now().Add(4*grace)); err != nil {
			return medians, err
		}
	}
	defer clients[0].close()
	defer clients[1].close()
	for number := range timesBefore + flatTurns {
		for w, world := range worlds {
			start := time.Now()
			status, body, err := clients[w].exchange(world.requests[0](number))
			took := time.Since(start)
			if err == nil {
				err = answeredWhole(status, body)
			}
			if err != nil {
				return medians, err
			}
			if number >= timesBefore {
				times[w] = append(times[w], took)
			}
		}
	}
	for w := range times {
		slices.Sort(times[w])
		medians[w] = inMilliseconds(percentile(times[w], 50))
	}
	return medians, nil
}
