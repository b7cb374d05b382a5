package apis

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/cmd/ticketgate/demo"
	"ticketgate/cmd/ticketgate/platform"
	"ticketgate/domain"
	"ticketgate/domain/apikey"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/ids"
	"ticketgate/domain/optional"
	"ticketgate/domain/tenant"
	"ticketgate/graph/edge"
)

// The marks of the sellers, which every text of their objects contains.
const (
	ownMark   = "MARK-A"
	otherMark = "LEAK-B"
)

// TestTenantsAreIsolated calls every operation as every kind of caller on every kind of target through both APIs. It
// expects 401 without a valid credential, 403 before any look-up, and 404 for another seller's objects, in the same
// bytes as for missing ones. The cases are generated from the table of operations.
func TestTenantsAreIsolated(t *testing.T) { //nolint:tparallel // the callers run one after the other, between two dumps
	t.Parallel()
	m := newMatrix(t)
	strangers, others := m.strangers(t), m.others(t)
	victim, own := m.dump(t, m.other), m.dump(t, m.own)
	m.try(t, strangers)
	m.unchanged(t, own, m.own, "callers that can act on no seller")
	m.unchanged(t, victim, m.other, "callers that can act on no seller")
	m.try(t, others)
	m.unchanged(t, own, m.own, "callers acting on another seller")
	victim = m.dump(t, m.other)
	m.try(t, m.insiders(t))
	m.unchanged(t, victim, m.other, "callers acting on another seller")
	t.Run("refuses in every form of a document", m.refusesInEveryShape)
	t.Run("lets a seller use ids that another seller has", m.sharesNoIDs)
	t.Run("finds nothing by another seller's ids", m.filtersApart)
	t.Logf("%d calls", m.calls)
}

// matrix holds two sellers with one object of each kind.
type matrix struct {
	*apitest.Server
	own, other demo.Seller
	// ids are the objects of a seller by kind.
	ids   map[ids.Seller]kept
	calls int
}

func newMatrix(t *testing.T) *matrix {
	t.Helper()
	h := apitest.Open(t)
	m := &matrix{Server: h, own: h.Demo.Sellers[0], other: h.Demo.Sellers[2], ids: map[ids.Seller]kept{}}
	_, err := h.Do.Users.Create(platform.Context(t.Context()), tenant.NewUser{Email: apitest.LoginEmail, Password: apitest.Password})
	systemtest.Must(t, err)
	for mark, seller := range map[string]demo.Seller{ownMark: m.own, otherMark: m.other, "MARK-C": h.Demo.Sellers[3]} {
		m.ids[seller.SellerID] = keep(t, h, seller, mark)
		_, err := h.Do.Sellers.Update(h.ActingOn(t, seller), tenant.SellerChange{Name: optional.Some(mark + " seller")})
		systemtest.Must(t, err)
	}
	return m
}

// target is the owner of the object that a call addresses.
type target int

const (
	ownTarget target = iota
	otherTarget
	unknownTarget
	malformedTarget
	misplacedTarget // the seller's own, but not in the container that the call names
)

// try makes every call as each caller.
func (m *matrix) try(t *testing.T, principals []principal) {
	t.Helper()
	for _, p := range principals {
		t.Run(p.name, func(t *testing.T) { m.tries(t, p) })
	}
}

// tries makes every call as one caller.
func (m *matrix) tries(t *testing.T, p principal) {
	t.Helper()
	for _, operation := range slices.Sorted(maps.Keys(samples)) {
		for _, s := range samples[operation] {
			m.triesOperation(t, p, operation, s)
		}
	}
}

func (m *matrix) triesOperation(t *testing.T, p principal, operation domain.Operation, s sample) {
	t.Helper()
	acting, public := p.actsOn(m), domain.Operations()[operation].Public && s.target != ""
	// New objects belong to the acting seller, and the other seller must not change.
	if public || (s.target == "" && acting.SellerID == m.other.SellerID) { // public operations say nothing about tenants
		return
	}
	targets := []target{ownTarget, otherTarget, unknownTarget, malformedTarget}
	switch {
	case s.target == "":
		targets = targets[:1]
	case p.invalid || p.elsewhere:
		targets = []target{ownTarget, unknownTarget} // nothing is looked up for such callers, so fewer calls suffice
	case s.misplaced != "":
		targets = append(targets, misplacedTarget)
	}
	answers := map[target][]apitest.Outcome{}
	for _, at := range targets {
		verdict := p.verdict(operation, s, at)
		if p.reaches(m, acting, s, at) || (verdict == "" && s.endsSession) {
			continue
		}
		answers[at] = m.call(t, p, operation, s, at, verdict)
	}
	m.compare(t, operation, s, answers)
}

// reaches reports whether a target is out of scope: the other seller's own objects, and for the platform any seller or
// organization that it names.
func (p principal) reaches(m *matrix, acting demo.Seller, s sample, at target) bool {
	if p.kind == domain.SystemActor && s.ofOrganization {
		return at != ownTarget
	}
	return at == otherTarget && (acting.SellerID == m.other.SellerID || (p.kind == domain.SystemActor && s.namesSeller))
}

// compare compares the responses for the targets of one operation.
func (m *matrix) compare(t *testing.T, operation domain.Operation, s sample, answers map[target][]apitest.Outcome) {
	t.Helper()
	for i, other := range answers[otherTarget] {
		if unknown := answers[unknownTarget][i]; !sameBytes(other, unknown) {
			t.Errorf("%s distinguishes another seller's object from a missing one:\n%v\n%v", operation, other, unknown)
		}
		if s.misplaced != "" && !sameBytes(other, answers[misplacedTarget][i]) {
			t.Errorf("%s distinguishes a misplaced object from a missing one:\n%v\n%v", operation, other, answers[misplacedTarget][i])
		}
		own, byRole := answers[ownTarget][i], s.namesSeller || s.ofOrganization // the role at the named one must be looked up
		if edge.StatusOf(domain.Code(own.Refusal.Code)) == http.StatusForbidden && !byRole && !sameBytes(own, other) {
			t.Errorf("%s looked the object up before it refused:\n%v\n%v", operation, own, other)
		}
	}
}

var requestIDs = regexp.MustCompile(`"requestId":"[0-9a-f]{16}"`)

// sameBytes compares responses, except for values generated per response and the requested id.
func sameBytes(a, b apitest.Outcome) bool {
	plain := func(body []byte) []byte {
		body = inventedTimes.ReplaceAll(requestIDs.ReplaceAll(body, nil), nil)
		return inventedID.ReplaceAll(body, nil)
	}
	return a.Status == b.Status && bytes.Equal(plain(a.Body), plain(b.Body))
}

// call makes the calls of one case: through every route of the operation, and through GraphQL.
func (m *matrix) call(t *testing.T, p principal, operation domain.Operation, s sample, at target, verdict domain.Code) []apitest.Outcome {
	t.Helper()
	who := p.headers
	if p.permitted != nil {
		who = p.permitted(t, s.rule(operation).Permission)
	}
	if p.names && !s.namesSeller {
		who = who.On(m.own.SellerID)
	}
	var answers []apitest.Outcome
	check := func(api string, o apitest.Outcome, status int, verdict domain.Code) {
		t.Helper()
		m.calls++
		answers = append(answers, o)
		if o.Refusal.Code != string(verdict) || (verdict == "" && (o.Status != status || o.Result == nil)) {
			t.Errorf("%s %s (%s, target %d): want %q, got %v", api, operation, s.name, at, verdict, o)
		}
		seesAll := p.kind == domain.SystemActor && (operation == domain.ListSellers || operation == domain.ListOrganizations)
		if !seesAll && p.seller != &m.other && bytes.Contains(o.Body, []byte(otherMark)) {
			t.Errorf("%s %s shows another seller's data: %v", api, operation, o)
		}
	}
	for _, route := range apitest.RoutesOf(operation) {
		o, verdict := m.ThroughREST(t, who, route, apitest.To(operation, m.arguments(t, p, s, at, verdict))), verdict
		if domain.RuleOf(operation).OnlyDevices() && p.kind != domain.DeviceActor {
			verdict = domain.CodeUnauthenticated // REST considers only the token
		}
		if verdict != "" && o.Status != edge.StatusOf(verdict) {
			t.Errorf("REST %s: status %d for %s", operation, o.Status, verdict)
		}
		check("REST", o, route.Status, verdict)
	}
	check("GraphQL", m.ThroughGraphQL(t, who, apitest.To(operation, m.arguments(t, p, s, at, verdict))), http.StatusOK, verdict)
	return answers
}

// arguments returns the arguments of one call. Objects other than the target belong to the acting seller.
func (m *matrix) arguments(t *testing.T, p principal, s sample, at target, verdict domain.Code) map[string]any {
	t.Helper()
	theirs := m.ids[p.actsOn(m).SellerID]
	args := s.arguments(theirs, m.addressed(t, s, at, verdict))
	if at == misplacedTarget {
		args = apitest.With(args, s.parent, theirs[string(s.misplaced)])
	}
	return args
}

// addressed returns the id of the object that a call addresses. If the call uses up its object, a new one is created.
func (m *matrix) addressed(t *testing.T, s sample, at target, verdict domain.Code) string {
	t.Helper()
	switch {
	case s.target == "":
		return ""
	case at == otherTarget:
		return m.ids[m.other.SellerID][s.object]
	case at == unknownTarget:
		return strings.Repeat("0", len(m.ids[m.own.SellerID][s.object]))
	case at == malformedTarget:
		return "no id: '%2F"
	case s.usesUp && verdict == "":
		return makers[s.object](m.Server, t, m.own, ownMark)
	}
	return m.ids[m.own.SellerID][s.object]
}

// refusesInEveryShape combines refused and permitted fields: the sibling is returned, and nothing of the refused field leaks.
func (m *matrix) refusesInEveryShape(t *testing.T) {
	weak := apitest.Bearer(m.makeKey(t, apikey.NewKey{}).Secret)
	for _, operation := range slices.Sorted(maps.Keys(samples)) {
		field := m.Schema.Query.Fields.ForName(string(operation))
		rule := domain.Operations()[operation]
		if field == nil || rule.Public || rule.AnyKey {
			continue
		}
		s := samples[operation][0]
		document, variables := m.Document(t, apitest.To(operation, s.arguments(m.ids[m.own.SellerID], m.ids[m.own.SellerID][s.object])))
		head, selection, _ := strings.Cut(document, " { ")
		selection, _, _ = strings.Cut(selection, " { ")
		selection += " { __typename }" // not every field: two transactions would exceed the limit of a document
		for shape, text := range map[string]string{
			"next to another field":    head + " { sibling: permissions " + selection + " }",
			"under an alias":           head + " { sibling: permissions other: " + selection + " }",
			"in a fragment":            head + " { sibling: permissions ...f } fragment f on Query { " + selection + " }",
			"in an inline fragment":    head + " { ... on Query { " + selection + " } sibling: permissions }",
			"under a directive":        head + " { sibling: permissions ... @include(if: true) { " + selection + " } }",
			"twice, under two aliases": head + " { sibling: permissions a: " + selection + " b: " + selection + " }",
		} {
			for who, caller := range map[string]apitest.Caller{"no credential": {}, "a weak key": weak} {
				o := m.Execute(t, caller, text, variables)
				want := domain.CodeUnauthenticated
				if who == "a weak key" {
					want = principal{kind: 1, holds: none}.refused(rule)
				}
				answered, _ := o.Result.(map[string]any)
				if o.Refusal.Code != string(want) || (answered != nil && (len(answered) != 1 || answered["sibling"] == nil)) {
					t.Errorf("%s, %s, %s: %v", operation, shape, who, o)
				}
			}
		}
	}
}

// sharesNoIDs creates records with ids that another seller uses. The response must not show that they exist.
func (m *matrix) sharesNoIDs(t *testing.T) {
	own, other := m.ids[m.own.SellerID], m.ids[m.other.SellerID]
	for operation, kind := range map[domain.Operation]string{
		domain.CreateEvent: "event", domain.CreateTicketType: "ticketType", domain.CreateScanZone: "scanZone",
		domain.CreateCustomer: "customer",
	} {
		args := samples[operation][0].arguments(own, own["gateEvent"])
		for id, code := range map[string]domain.Code{own[kind]: domain.CodeValidationFailed, other[kind]: ""} {
			o := m.ThroughGraphQL(t, apitest.Bearer(m.own.APIKey), apitest.To(operation, apitest.With(args, "input._id", id)))
			if o.Refusal.Code != string(code) {
				t.Errorf("%s, want %q: %v", operation, code, o)
			}
		}
	}
}

// filtered are the fields of filters that name an object, with its kind.
var filtered = map[string]string{
	"eventId": "gateEvent", "rootEventId": "rootEvent", "parentEventId": "groupEvent", "withoutTicketFor": "gateEvent",
	"ticketTypeId": "ticketType", "customerId": "customer", "ticketId": "ticket", "barcode": "ticket",
	"transactionId": "transaction", "scanZoneId": "scanZone", "scanGroupId": "scanGroup", "deviceId": "gateDevice",
	"externalCode": "code", "webhookId": "webhook",
}

// filtersApart filters every list by ids of another seller. The result must be the same as for ids that don't exist.
func (m *matrix) filtersApart(t *testing.T) {
	own, tried := m.ids[m.own.SellerID], 0
	for _, field := range m.Schema.Query.Fields {
		filter, operation := field.Arguments.ForName("filter"), domain.Operation(field.Name)
		if filter == nil {
			continue
		}
		s, who := samples[operation][0], reader(t, m.Server, operation, m.own)
		for _, member := range m.Schema.Types[filter.Type.Name()].Fields {
			kind := filtered[member.Name]
			if kind == "" {
				continue
			}
			args := s.arguments(own, own[s.object])
			by := func(id string) apitest.Outcome {
				return m.ThroughGraphQL(t, who, apitest.To(operation, apitest.With(args, "filter."+member.Name, id)))
			}
			if found, none := by(makers[kind](m.Server, t, m.other, otherMark)), by(strings.Repeat("1", 24)); !sameBytes(found, none) {
				t.Errorf("%s by another seller's %s:\n%v\n%v", operation, member.Name, found, none)
			}
			tried++
		}
	}
	if tried < 20 {
		t.Errorf("only %d filters were tried", tried)
	}
}

// dump returns every row of a seller, from every table with sellers.
func (m *matrix) dump(t *testing.T, seller demo.Seller) map[string]any {
	t.Helper()
	systemtest.Eventually(t, "the counts of lists are up to date", func() (done bool) {
		const none = "SELECT count(*) = 0 FROM list_count_deltas WHERE seller_id = $1"
		systemtest.Must(t, m.SQL.QueryRowContext(t.Context(), none, string(seller.SellerID)).Scan(&done))
		return done
	})
	rows, err := m.SQL.QueryContext(t.Context(), `SELECT DISTINCT c.table_name FROM information_schema.columns c
		JOIN information_schema.tables t USING (table_schema, table_name)
		WHERE c.column_name = 'seller_id' AND table_schema = 'public' AND table_type = 'BASE TABLE'`)
	systemtest.Must(t, err)
	defer func() { _ = rows.Close() }()
	queries := map[string]string{"sellers": "SELECT jsonb_agg(to_jsonb(t)) FROM sellers t WHERE id = $1"}
	for rows.Next() {
		var table string
		systemtest.Must(t, rows.Scan(&table))
		queries[table] = fmt.Sprintf(
			"SELECT coalesce(jsonb_agg(to_jsonb(t) ORDER BY to_jsonb(t)::text), '[]') FROM %q t WHERE seller_id = $1", table)
	}
	systemtest.Must(t, rows.Err())
	dump := map[string]any{}
	for table, query := range queries {
		var text []byte
		systemtest.Must(t, m.SQL.QueryRowContext(t.Context(), query, string(seller.SellerID)).Scan(&text))
		var all any
		systemtest.Must(t, json.Unmarshal(text, &all))
		dump[table] = all
	}
	if len(dump) < 8 || len(dump["webhooks"].([]any)) == 0 || len(dump["api_keys"].([]any)) == 0 {
		t.Fatalf("the dump is incomplete: %v", slices.Sorted(maps.Keys(dump)))
	}
	return dump
}

func (m *matrix) unchanged(t *testing.T, before map[string]any, seller demo.Seller, who string) {
	t.Helper()
	after := m.dump(t, seller)
	for table := range before {
		domaintest.Equal(t, fmt.Sprintf("%s of %s after calls by %s", table, seller.Name, who), after[table], before[table])
	}
}
