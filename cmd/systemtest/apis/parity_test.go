package apis

import (
	"cmp"
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
	"ticketgate/domain"
	"ticketgate/domain/apikey"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/optional"
	"ticketgate/domain/webhook"
	"ticketgate/graph/edge"
	"ticketgate/rest"
	"ticketgate/rest/resttest"
)

// TestBothAPIsReturnTheSame makes every call that both APIs support through both. Results must be equal, and errors
// must have the same code, message and details. The calls are generated from the tables of operations, routes and
// samples.
func TestBothAPIsReturnTheSame(t *testing.T) { //nolint:tparallel // two calls must find the same rows
	t.Parallel()
	h := apitest.Open(t)
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
	t.Run("refuses a retry for a disabled webhook", p.refusesARetryForNobody)
	t.Run("refuses to activate an expired key", p.refusesToReviveAnExpiredKey)
}

// parity holds the callers of the test, by their rights.
type parity struct {
	*apitest.Server
	seller                                                      demo.Seller
	key, admin, viewer, weakKey, organization, featured, device apitest.Caller
	// own are the objects that samples use in addition to their target.
	own kept
}

func newParity(t *testing.T, h *apitest.Server) *parity {
	t.Helper()
	seller, without := h.Demo.Sellers[0], h.Demo.Sellers[3]
	weak, err := h.Do.Keys.Create(h.ActingOn(t, seller), apikey.NewKey{Name: "Weak"})
	systemtest.Must(t, err)
	p := &parity{
		Server: h, seller: seller, own: keep(t, h, seller, "Parity"), key: apitest.Bearer(seller.APIKey), weakKey: apitest.Bearer(weak.Secret), featured: apitest.Bearer(without.APIKey),
		device:       apitest.DeviceOf(seller),
		admin:        h.Session(t, seller.AdminEmail, seller.AdminPassword),
		viewer:       h.Session(t, seller.ViewerEmail, seller.ViewerPassword),
		organization: h.OrganizationMember(t, seller, domain.Admin),
	}
	p.keepsLastUses(t)
	return p
}

// keepsLastUses sets the last use of every key and device to a future time, which no use changes, so that it can't
// differ between two calls.
func (p *parity) keepsLastUses(t *testing.T) {
	t.Helper()
	for table, used := range map[string]string{"api_key": "api_keys", "device": "devices"} {
		_, err := p.SQL.ExecContext(t.Context(), fmt.Sprintf(`
			INSERT INTO %[1]s_uses (%[1]s_id, last_used_at) SELECT id, now() + interval '1 day' FROM %[2]s
			ON CONFLICT (%[1]s_id) DO UPDATE SET last_used_at = excluded.last_used_at`, table, used))
		systemtest.Must(t, err)
	}
}

// right returns a caller that may call the operation.
func (p *parity) right(operation domain.Operation, s sample) apitest.Caller {
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
	return makers[s.object](p.Server, t, p.seller, "Parity")
}

// succeeds compares results. Reads are compared exactly. Changes are compared on two objects created in the same way, with
// placeholders for ids and times that must differ.
func (p *parity) succeeds(t *testing.T, who apitest.Caller, route rest.Route, s sample) {
	t.Helper()
	args := s.arguments(p.own, p.object(t, s))
	other := args
	switch {
	case s.once:
		other = s.arguments(p.own, p.object(t, s))
	case route.Method != http.MethodGet && s.target != "":
		other = apitest.With(args, s.target, p.object(t, s))
	}
	p.answersAlike(t, who, route, s, args, other)
}

// answersAlike makes a call with one set of arguments for each API.
func (p *parity) answersAlike(t *testing.T, who apitest.Caller, route rest.Route, s sample, args, other map[string]any) {
	t.Helper()
	through := p.ThroughREST(t, who, route, apitest.To(route.Operation, args))
	if through.Status != route.Status {
		t.Fatalf("REST: %v", through)
	}
	graph := p.ThroughGraphQL(t, who, apitest.To(route.Operation, other))
	if graph.Status != http.StatusOK || graph.Refusal.Code != "" {
		t.Fatalf("GraphQL: %v", graph)
	}
	left, right := apitest.Without(withoutAliases(through.Result), s.varies), apitest.Without(graph.Result, s.varies)
	if route.Method != http.MethodGet {
		left, right = alike(t, left), alike(t, right)
	}
	domaintest.Equal(t, "GraphQL compared with REST", right, left)
}

// aliases are the fields of orders that REST repeats under other names (WEBHOOK-21) and GraphQL does not. The aliases of
// items are below.
var aliases = []string{"type", "firstname", "address", "tickets", "approvalStatus", "innerCharge", "outerCharge", "charges"}

var itemAliases = []string{"regularPrice", "realPrice", "outerCharge", "currency"}

// withoutAliases removes the aliases of a checkout or purchase intent.
func withoutAliases(value any) any {
	order, ok := value.(map[string]any)
	items, has := order["items"].([]any)
	if !ok || !has {
		return value
	}
	order = apitest.Without(order, aliases).(map[string]any)
	plain := make([]any, len(items))
	for i, item := range items {
		plain[i] = apitest.Without(item, itemAliases)
	}
	order["items"] = plain
	return order
}

var (
	inventedID     = regexp.MustCompile(`\b(?:[0-9a-f]{24}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b`)
	inventedSecret = regexp.MustCompile(`(?:key|dev)_(?:[0-9a-f]{96}|[0-9a-f]{4}…[0-9a-f]{4})`)
	// inventedTimes are the fields with times of the server. expiresAt is the caller's.
	inventedTimes = regexp.MustCompile(`"(createdAt|updatedAt|lastUsedAt|nextAttemptAt|retriggeredAt|committedAt|undoneAt|` +
		`pairingExpiresAt|time|firstCheckinAt|since|annulledAt)":"[^"]*"`)
)

// alike replaces the ids of a result by numbers, and removes secrets and the server's times.
func alike(t *testing.T, value any) any {
	t.Helper()
	text := inventedSecret.ReplaceAllString(systemtest.Printed(t, value), "<secret>")
	text = inventedTimes.ReplaceAllString(text, `"$1":"<time>"`)
	numbers := map[string]string{}
	text = inventedID.ReplaceAllStringFunc(text, func(id string) string {
		if numbers[id] == "" {
			numbers[id] = fmt.Sprintf("<id %d>", len(numbers)+1)
		}
		return numbers[id]
	})
	return systemtest.Decoded(t, []byte(text))
}

// refusesCallers tries all callers that the operation does not permit.
func (p *parity) refusesCallers(t *testing.T, route rest.Route, s sample) {
	t.Helper()
	rule, args := domain.RuleOf(route.Operation), s.arguments(p.own, p.object(t, s))
	refused := func(who apitest.Caller, code domain.Code) apitest.Outcome {
		t.Helper()
		return p.same(t, who, route, args, code)
	}
	refused(apitest.Caller{"Token": "dev_" + strings.Repeat("0", 96)}, domain.CodeUnauthenticated)
	if !rule.Public {
		refused(apitest.Caller{}, domain.CodeUnauthenticated)
	}
	if rule.OnlyDevices() {
		p.ignoresBearers(t, route, args)
		return
	}
	refused(apitest.Bearer("key_"+strings.Repeat("0", 96)), domain.CodeUnauthenticated)
	if !rule.Device && !rule.Public {
		refused(p.device, domain.CodeForbidden)
	}
	switch {
	case rule.Permission != "":
		o := refused(p.weakKey, domain.CodeMissingPermission)
		if want := fmt.Sprintf("Missing permission %q", rule.Permission); o.Refusal.Message != want {
			t.Errorf("message: got %s, want %s", o.Refusal.Message, want)
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

// ignoresBearers tests operations of devices. REST considers only the device's token, whatever else is sent. GraphQL has
// already authenticated the caller.
func (p *parity) ignoresBearers(t *testing.T, route rest.Route, args map[string]any) {
	t.Helper()
	for _, who := range []apitest.Caller{p.key, p.admin, apitest.Bearer(systemtest.SystemToken).On(p.seller.SellerID), apitest.Bearer("key_nonsense")} {
		if o := p.ThroughREST(t, who, route, apitest.To(route.Operation, args)); o.Status != http.StatusUnauthorized {
			t.Errorf("REST without a token: %v", o)
		}
		who = maps.Clone(who)
		maps.Copy(who, p.device)
		if o := p.ThroughREST(t, who, route, apitest.To(route.Operation, args)); o.Status != http.StatusOK {
			t.Errorf("REST with a token and a Bearer header: %v", o)
		}
	}
	if o := p.ThroughGraphQL(t, p.key, apitest.To(route.Operation, args)); o.Refusal.Code != string(domain.CodeForbidden) {
		t.Errorf("GraphQL with a key: %v", o)
	}
}

// refusesObjects tries ids that don't exist, and ids of another seller's objects.
func (p *parity) refusesObjects(t *testing.T, route rest.Route, s sample) {
	t.Helper()
	if s.target == "" {
		return
	}
	code := cmp.Or(s.unknown, domain.CodeNotFound)
	ids := []string{"0123456789abcdef01234567", "no id", "a/b%2F.."}
	if !domain.RuleOf(route.Operation).Public { // a code opens its object for every caller
		ids = append(ids, makers[s.object](p.Server, t, p.Demo.Sellers[2], "Other"))
	}
	if code == domain.CodeNotFound || code == domain.CodeValidationFailed {
		ids = append(ids, strings.Repeat("x", 100)) // elsewhere an id this long is a validation error
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

// outOfFilter returns a GraphQL error in REST's form, where each field of the filter is a parameter.
func outOfFilter(t *testing.T, refused resttest.Error) resttest.Error {
	t.Helper()
	refused.Details = slices.Clone(refused.Details)
	for i, detail := range refused.Details {
		member, inside := strings.CutPrefix(detail.Path, "filter.")
		if !inside {
			t.Errorf("GraphQL names a filter's field by the path %q", detail.Path)
		}
		refused.Details[i].Path = member
		refused.Message = strings.ReplaceAll(refused.Message, detail.Path, member)
	}
	return refused
}

// same makes a call that both APIs must refuse in the same way.
func (p *parity) same(t *testing.T, who apitest.Caller, route rest.Route, args map[string]any, code domain.Code) apitest.Outcome {
	t.Helper()
	through := p.ThroughREST(t, who, route, apitest.To(route.Operation, args))
	if through.Refusal.Code != string(code) || through.Status != edge.StatusOf(code) {
		t.Errorf("REST, want %s: %v", code, through)
	}
	graph := p.ThroughGraphQL(t, who, apitest.To(route.Operation, args))
	if graph.Status != http.StatusOK && graph.Status != through.Status {
		t.Errorf("GraphQL: status %d, REST %d", graph.Status, through.Status)
	}
	if graph.Result != nil {
		t.Errorf("GraphQL returned an error and data: %v", graph)
	}
	left, right := through.Refusal, graph.Refusal
	if args["filter"] != nil {
		right = outOfFilter(t, right)
	}
	if left.RequestID == "" || right.RequestID == "" || left.RequestID == right.RequestID {
		t.Errorf("request ids %q and %q", left.RequestID, right.RequestID)
	}
	left.RequestID, right.RequestID, left.StatusCode = "", "", 0
	domaintest.Equal(t, "the error of GraphQL compared with REST's", right, left)
	return through
}

// refusal is an input that fits the schema but breaks a rule.
type refusal struct {
	name  string
	input any
	// paths are the paths of the details.
	paths []string
}

type object = map[string]any

// refuses sends an input to both APIs. The details must name every path.
func (p *parity) refuses(t *testing.T, route rest.Route, r refusal) {
	t.Helper()
	s := samples[route.Operation][0]
	args := s.arguments(p.own, p.object(t, s))
	input := p.own.filledIn(r.input).(map[string]any)
	if _, takesInput := args["input"]; takesInput {
		args = apitest.With(args, "input", input)
	} else {
		for name, value := range input {
			if inner, ok := value.(object); ok {
				for member, value := range inner {
					args = apitest.With(args, name+"."+member, value)
				}
				continue
			}
			args = apitest.With(args, name, value)
		}
	}
	if r.paths == nil {
		p.refusePage(t, route, args)
		return
	}
	o := p.same(t, p.right(route.Operation, s), route, args, domain.CodeValidationFailed)
	var paths []string
	for _, detail := range o.Refusal.Details {
		paths = append(paths, detail.Path)
	}
	if !slices.Equal(paths, r.paths) {
		t.Errorf("paths: got %q, want %q", paths, r.paths)
	}
}

// refusePage tries invalid pages, whose limits and names differ between the APIs.
func (p *parity) refusePage(t *testing.T, route rest.Route, args map[string]any) {
	t.Helper()
	through := p.ThroughREST(t, p.key, route, apitest.To(route.Operation, args))
	graph := p.ThroughGraphQL(t, p.key, apitest.To(route.Operation, args))
	for _, o := range []apitest.Outcome{through, graph} {
		if o.Refusal.Code != string(domain.CodeValidationFailed) || !strings.Contains(o.Refusal.Message, "to 1000") {
			t.Errorf("want an error that names the range, got %v", o)
		}
	}
}

// refusesTheKeyAboveTheLimit fills a seller's hundred keys.
func (p *parity) refusesTheKeyAboveTheLimit(t *testing.T) {
	seller := p.Demo.Sellers[1]
	who := p.Session(t, seller.AdminEmail, seller.AdminPassword)
	for p.Count(t, "SELECT count(*) FROM api_keys WHERE seller_id = $1", seller.SellerID) < apikey.MaxKeys {
		p.Key(t, seller, "Full")
	}
	p.same(t, who, apitest.RoutesOf(domain.CreateAPIKey)[0], object{"input": object{"name": "One more"}}, domain.CodeAPIKeyLimitReached)
}

func (p *parity) refusesARetryForNobody(t *testing.T) {
	hook := p.Webhook(t, p.seller, "Off")
	delivery := p.Delivery(t, p.seller, hook.ID, "Off")
	_, err := p.Do.Webhooks.Update(p.ActingOn(t, p.seller), hook.ID, webhook.Change{
		Name: hook.Name, URL: hook.URL, Enabled: optional.Some(false),
	})
	systemtest.Must(t, err)
	p.same(t, p.key, apitest.RoutesOf(domain.RetryDelivery)[0], object{"id": delivery}, domain.CodeInvalidState)
}

func (p *parity) refusesToReviveAnExpiredKey(t *testing.T) {
	id := p.Key(t, p.seller, "Old")
	route := apitest.RoutesOf(domain.UpdateAPIKey)[0]
	past := object{"id": id, "input": object{"active": false, "expiresAt": "2020-01-01T00:00:00Z"}}
	if o := p.ThroughREST(t, p.admin, route, apitest.To(route.Operation, past)); o.Status != http.StatusOK {
		t.Fatal(o)
	}
	o := p.same(t, p.admin, route, object{"id": id, "input": object{"active": true}}, domain.CodeValidationFailed)
	if len(o.Refusal.Details) != 1 || o.Refusal.Details[0].Path != "active" || o.Refusal.Details[0].Hint == "" {
		t.Errorf("details: %+v", o.Refusal.Details)
	}
}
