package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/apikey"
	"ticketgate/domain/webhook"
	"ticketgate/graph/edge"
	"ticketgate/rest"
	"ticketgate/rest/resttest"
)

// TestBothDoorsGiveTheSame makes every call that both doors know through both of them: the same object, or the same
// code, message and details (decisions 2.2). What it tries is generated from the tables of operations, routes and samples.
func TestBothDoorsGiveTheSame(t *testing.T) { //nolint:tparallel // two calls must find the same rows
	t.Parallel()
	h := openHouse(t)
	p := newParity(t, h)
	for _, route := range rest.Routes() {
		for _, s := range samples[route.Operation] {
			t.Run(strings.TrimSpace(route.Method+" "+route.Path+" "+s.name), func(t *testing.T) {
				p.succeeds(t, p.right(route.Operation, s), route, s)
				if rule := domain.RuleOf(route.Operation); rule.Device && !rule.OnlyDevices() {
					p.succeeds(t, p.device, route, s)
				}
				p.refusesCallers(t, route, s)
				p.refusesObjects(t, route, s)
			})
		}
		for _, r := range refusals[route.Operation] {
			t.Run(route.Method+" "+route.Path+" refuses "+r.name, func(t *testing.T) { p.refuses(t, route, r) })
		}
	}
	t.Run("refuses the 101st key", p.refusesTheKeyAboveTheLimit)
	t.Run("refuses to retry for a disabled webhook", p.refusesARetryForNobody)
	t.Run("refuses to set an expired key active", p.refusesToReviveAnExpiredKey)
}

// parity is the callers of the test, by what they may do.
type parity struct {
	*house
	seller                                                      seededSeller
	key, admin, viewer, weakKey, organization, featured, device caller
	// own are the objects that samples name besides their target.
	own kept
}

func newParity(t *testing.T, h *house) *parity {
	t.Helper()
	seller, without := h.world.Sellers[0], h.world.Sellers[3]
	weak, err := h.do.Keys.Create(h.actingOn(t, seller), apikey.NewKey{Name: "Weak"})
	must(t, err)
	return &parity{
		house: h, seller: seller, own: h.keep(t, seller, "Parity"), key: bearer(seller.APIKey), weakKey: bearer(weak.Secret), featured: bearer(without.APIKey),
		device:       deviceOf(seller),
		admin:        h.session(t, seller.AdminEmail, seller.AdminPassword),
		viewer:       h.session(t, seller.ViewerEmail, seller.ViewerPassword),
		organization: h.organizationMember(t, seller, domain.Admin),
	}
}

// right is a caller who may do the operation.
func (p *parity) right(operation domain.Operation, s sample) caller {
	rule := domain.RuleOf(operation)
	switch {
	case rule.OnlyDevices():
		return p.device
	case s.ofOrganization:
		return p.organization
	case rule.AnyKey || rule.Permission != "":
		return p.key
	}
	return p.admin
}

func (p *parity) object(t *testing.T, s sample) string {
	t.Helper()
	if s.target == "" {
		return ""
	}
	return makers[s.object](p.house, t, p.seller, "Parity")
}

// succeeds compares what is read exactly. What is changed is compared on two objects that were made alike, and the ids
// and instants that they can't share become placeholders.
func (p *parity) succeeds(t *testing.T, who caller, route rest.Route, s sample) {
	t.Helper()
	args := s.arguments(p.own, p.object(t, s))
	further := args
	switch {
	case s.anew:
		further = s.arguments(p.own, p.object(t, s))
	case route.Method != http.MethodGet && s.target != "":
		further = with(args, s.target, p.object(t, s))
	}
	p.answersAlike(t, who, route, s, args, further)
}

// answersAlike makes a call with one set of arguments for each door.
func (p *parity) answersAlike(t *testing.T, who caller, route rest.Route, s sample, args, further map[string]any) {
	t.Helper()
	through := p.throughREST(t, who, route, call{route.Operation, args})
	if through.status != route.Status {
		t.Fatalf("REST: %v", through)
	}
	graph := p.throughGraphQL(t, who, call{route.Operation, further})
	if graph.status != http.StatusOK || graph.refusal.Code != "" {
		t.Fatalf("GraphQL: %v", graph)
	}
	left, right := without(withoutAliases(through.result), s.varies), without(graph.result, s.varies)
	if route.Method != http.MethodGet {
		left, right = alike(t, left), alike(t, right)
	}
	if !reflect.DeepEqual(left, right) {
		t.Errorf("REST:    %s\nGraphQL: %s", printed(t, left), printed(t, right))
	}
}

func orName(name, fallback string) string {
	if name == "" {
		return fallback
	}
	return name
}

// aliases are the fields of orders that REST repeats for programs written for other platforms, and GraphQL has once
// (WEBHOOK-21); those of items are below.
var aliases = []string{"type", "firstname", "address", "tickets", "approvalStatus", "innerCharge", "outerCharge", "charges"}

var itemAliases = []string{"regularPrice", "realPrice", "outerCharge", "currency"}

// withoutAliases takes the aliases of a checkout or purchase intent away, and leaves every other value as it is.
func withoutAliases(value any) any {
	order, ok := value.(map[string]any)
	items, has := order["items"].([]any)
	if !ok || !has {
		return value
	}
	order = without(order, aliases).(map[string]any)
	plain := make([]any, len(items))
	for i, item := range items {
		plain[i] = without(item, itemAliases)
	}
	order["items"] = plain
	return order
}

// without takes members away that differ from call to call.
func without(value any, names []string) any {
	if object, ok := value.(map[string]any); ok && len(names) > 0 {
		object = maps.Clone(object)
		maps.DeleteFunc(object, func(name string, _ any) bool { return slices.Contains(names, name) })
		return object
	}
	return value
}

var (
	inventedID     = regexp.MustCompile(`\b(?:[0-9a-f]{24}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b`)
	inventedSecret = regexp.MustCompile(`(?:key|dev)_(?:[0-9a-f]{96}|[0-9a-f]{4}…[0-9a-f]{4})`)
	// inventedInstants are the members that the server dates; expiresAt is the caller's.
	inventedInstants = regexp.MustCompile(`"(createdAt|updatedAt|lastUsedAt|nextAttemptAt|retriggeredAt|committedAt|undoneAt|` +
		`pairingExpiresAt|time|firstCheckinAt|since|annulledAt)":"[^"]*"`)
)

// alike numbers the ids of a result, and drops secrets and the server's instants.
func alike(t *testing.T, value any) any {
	t.Helper()
	text := inventedSecret.ReplaceAllString(printed(t, value), "<secret>")
	text = inventedInstants.ReplaceAllString(text, `"$1":"<instant>"`)
	numbers := map[string]string{}
	text = inventedID.ReplaceAllStringFunc(text, func(id string) string {
		if numbers[id] == "" {
			numbers[id] = fmt.Sprintf("<id %d>", len(numbers)+1)
		}
		return numbers[id]
	})
	return decoded(t, []byte(text))
}

func printed(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	must(t, err)
	return string(text)
}

// refusesCallers tries everybody whom the row of the table leaves out.
func (p *parity) refusesCallers(t *testing.T, route rest.Route, s sample) {
	t.Helper()
	rule, args := domain.RuleOf(route.Operation), s.arguments(p.own, p.object(t, s))
	refused := func(who caller, code domain.Code) outcome {
		t.Helper()
		return p.same(t, who, route, args, code)
	}
	refused(caller{"Token": "dev_" + strings.Repeat("0", 96)}, domain.CodeUnauthenticated)
	if !rule.Public {
		refused(caller{}, domain.CodeUnauthenticated)
	}
	if rule.OnlyDevices() {
		p.ignoresBearers(t, route, args)
		return
	}
	refused(bearer("key_"+strings.Repeat("0", 96)), domain.CodeUnauthenticated)
	if !rule.Device && !rule.Public {
		refused(p.device, domain.CodeForbidden)
	}
	switch {
	case rule.Permission != "":
		o := refused(p.weakKey, domain.CodeMissingPermission)
		if want := fmt.Sprintf("Missing permission %q", rule.Permission); o.refusal.Message != want {
			t.Errorf("message: got %s, want %s", o.refusal.Message, want)
		}
	case !rule.AnyKey && !rule.Public:
		refused(p.key, domain.CodeForbidden)
	}
	if rule.Role > domain.Viewer && !s.ofOrganization {
		refused(p.viewer, domain.CodeForbidden)
	}
	if rule.Feature != "" {
		refused(p.featured, domain.CodeFeatureNotEnabled)
	}
}

// ignoresBearers is for what only devices do: REST looks at their token alone, whatever else is sent (decisions 4.4);
// GraphQL has found out already who is calling.
func (p *parity) ignoresBearers(t *testing.T, route rest.Route, args map[string]any) {
	t.Helper()
	for _, who := range []caller{p.key, p.admin, bearer(rightToken).on(p.seller.SellerID), bearer("key_nonsense")} {
		if o := p.throughREST(t, who, route, call{route.Operation, args}); o.status != http.StatusUnauthorized {
			t.Errorf("REST without a token: %v", o)
		}
		who = maps.Clone(who)
		maps.Copy(who, p.device)
		if o := p.throughREST(t, who, route, call{route.Operation, args}); o.status != http.StatusOK {
			t.Errorf("REST with a token and a Bearer header: %v", o)
		}
	}
	if o := p.throughGraphQL(t, p.key, call{route.Operation, args}); o.refusal.Code != string(domain.CodeForbidden) {
		t.Errorf("GraphQL with a key: %v", o)
	}
}

// refusesObjects tries ids of nothing, and those that another seller has.
func (p *parity) refusesObjects(t *testing.T, route rest.Route, s sample) {
	t.Helper()
	if s.target == "" {
		return
	}
	code := domain.Code(orName(string(s.unknown), string(domain.CodeNotFound)))
	ids := []string{"0123456789abcdef01234567", "no id", "a/b%2F.."}
	if !domain.RuleOf(route.Operation).Public { // what a code opens, it opens to everybody
		ids = append(ids, makers[s.object](p.house, t, p.world.Sellers[2], "Other"))
	}
	if code == domain.CodeNotFound || code == domain.CodeValidationFailed {
		ids = append(ids, strings.Repeat("x", 100)) // elsewhere it is told that no id is as long
	}
	for _, id := range ids {
		if s.answers {
			args := s.arguments(p.own, id)
			p.answersAlike(t, p.right(route.Operation, s), route, s, args, s.arguments(p.own, id))
			continue
		}
		p.same(t, p.right(route.Operation, s), route, s.arguments(p.own, id), code)
	}
}

// outOfFilter is a refusal as REST tells it, where each member of the filter is a parameter of its own.
func outOfFilter(t *testing.T, told resttest.Error) resttest.Error {
	t.Helper()
	told.Details = slices.Clone(told.Details)
	for i, detail := range told.Details {
		member, inside := strings.CutPrefix(detail.Path, "filter.")
		if !inside {
			t.Errorf("GraphQL tells a filter's member by the path %q", detail.Path)
		}
		told.Details[i].Path = member
		told.Message = strings.ReplaceAll(told.Message, detail.Path, member)
	}
	return told
}

// same makes a call that both doors must refuse alike.
func (p *parity) same(t *testing.T, who caller, route rest.Route, args map[string]any, code domain.Code) outcome {
	t.Helper()
	through := p.throughREST(t, who, route, call{route.Operation, args})
	if through.refusal.Code != string(code) || through.status != edge.StatusOf(code) {
		t.Errorf("REST, want %s: %v", code, through)
	}
	graph := p.throughGraphQL(t, who, call{route.Operation, args})
	if graph.status != http.StatusOK && graph.status != through.status {
		t.Errorf("GraphQL: status %d, REST %d", graph.status, through.status)
	}
	if graph.result != nil {
		t.Errorf("GraphQL refuses and answers: %v", graph)
	}
	left, right := through.refusal, graph.refusal
	if args["filter"] != nil {
		right = outOfFilter(t, right)
	}
	if left.RequestID == "" || right.RequestID == "" || left.RequestID == right.RequestID {
		t.Errorf("request ids %q and %q", left.RequestID, right.RequestID)
	}
	left.RequestID, right.RequestID, left.StatusCode = "", "", 0
	if !reflect.DeepEqual(left, right) {
		t.Errorf("REST:    %+v\nGraphQL: %+v", left, right)
	}
	return through
}

// refusal is an input that fits the schema and not the rules.
type refusal struct {
	name  string
	input any
	// paths are those of the details.
	paths []string
}

type object = map[string]any

// refuses sends an input through both doors; the details name every path.
func (p *parity) refuses(t *testing.T, route rest.Route, r refusal) {
	t.Helper()
	s := samples[route.Operation][0]
	args := s.arguments(p.own, p.object(t, s))
	input := p.own.filledIn(r.input).(map[string]any)
	if _, takesInput := args["input"]; takesInput {
		args = with(args, "input", input)
	} else {
		for name, value := range input {
			if inner, ok := value.(object); ok {
				for member, value := range inner {
					args = with(args, name+"."+member, value)
				}
				continue
			}
			args = with(args, name, value)
		}
	}
	if r.paths == nil {
		p.refusePage(t, route, args)
		return
	}
	o := p.same(t, p.right(route.Operation, s), route, args, domain.CodeValidationFailed)
	var paths []string
	for _, detail := range o.refusal.Details {
		paths = append(paths, detail.Path)
	}
	if !slices.Equal(paths, r.paths) {
		t.Errorf("paths: got %q, want %q", paths, r.paths)
	}
}

// refusePage is for pages, whose bounds differ between the doors, and their names with them (decisions 3.1, 3.5).
func (p *parity) refusePage(t *testing.T, route rest.Route, args map[string]any) {
	t.Helper()
	through := p.throughREST(t, p.key, route, call{route.Operation, args})
	graph := p.throughGraphQL(t, p.key, call{route.Operation, args})
	for _, o := range []outcome{through, graph} {
		if o.refusal.Code != string(domain.CodeValidationFailed) || !strings.Contains(o.refusal.Message, "to 1000") {
			t.Errorf("want a refusal that names the range, got %v", o)
		}
	}
}

// refusesTheKeyAboveTheLimit fills a seller's hundred (spec 8).
func (p *parity) refusesTheKeyAboveTheLimit(t *testing.T) {
	seller := p.world.Sellers[1]
	who := p.session(t, seller.AdminEmail, seller.AdminPassword)
	for p.count(t, "SELECT count(*) FROM api_keys WHERE seller_id = $1", seller.SellerID) < apikey.MaxKeys {
		p.house.key(t, seller, "Full")
	}
	p.same(t, who, routesOf(domain.CreateAPIKey)[0], object{"input": object{"name": "One more"}}, domain.CodeAPIKeyLimitReached)
}

func (p *parity) refusesARetryForNobody(t *testing.T) {
	hook := p.webhook(t, p.seller, "Off")
	delivery := p.delivery(t, p.seller, hook.ID, "Off")
	_, err := p.do.Webhooks.Update(p.actingOn(t, p.seller), hook.ID, webhook.Change{
		Name: hook.Name, URL: hook.URL, Enabled: domain.Some(false),
	})
	must(t, err)
	p.same(t, p.key, routesOf(domain.RetryDelivery)[0], object{"id": delivery}, domain.CodeInvalidState)
}

func (p *parity) refusesToReviveAnExpiredKey(t *testing.T) {
	id := p.house.key(t, p.seller, "Old")
	route := routesOf(domain.UpdateAPIKey)[0]
	past := object{"id": id, "input": object{"active": false, "expiresAt": "2020-01-01T00:00:00Z"}}
	if o := p.throughREST(t, p.admin, route, call{route.Operation, past}); o.status != http.StatusOK {
		t.Fatal(o)
	}
	o := p.same(t, p.admin, route, object{"id": id, "input": object{"active": true}}, domain.CodeValidationFailed)
	if len(o.refusal.Details) != 1 || o.refusal.Details[0].Path != "active" || o.refusal.Details[0].Hint == "" {
		t.Errorf("details: %+v", o.refusal.Details)
	}
}
