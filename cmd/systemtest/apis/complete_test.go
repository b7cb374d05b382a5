package apis

import (
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/domain"
	"ticketgate/graph/generated"
	"ticketgate/rest"
)

func TestEveryOperationHasAGraphQLFieldOfItsName(t *testing.T) {
	t.Parallel()
	schema := generated.NewExecutableSchema(generated.Config{}).Schema()
	fields := map[domain.Operation]bool{}
	for _, root := range []*ast.Definition{schema.Query, schema.Mutation, schema.Subscription} {
		for _, field := range root.Fields {
			if strings.HasPrefix(field.Name, "__") {
				continue
			}
			operation := domain.Operation(field.Name)
			fields[operation] = true
			if _, known := domain.Operations()[operation]; !known {
				t.Errorf("%s.%s is no operation: add a row to domain/operation.go", root.Name, field.Name)
			}
		}
	}
	for operation := range domain.Operations() {
		if !fields[operation] {
			t.Errorf("the operation %s has no root field: add it to graph/schema", operation)
		}
	}
}

func TestEveryDocumentedPathIsOneRouteOfAnOperation(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, route := range rest.Routes() {
		spelled := route.Method + " " + apitest.InBraces.ReplaceAllString(route.Path, "{}")
		if seen[spelled] {
			t.Errorf("%s is there twice: the second is never reached", spelled)
		}
		seen[spelled] = true
		if _, known := domain.Operations()[route.Operation]; !known {
			t.Errorf("%s does %q, which is no operation", spelled, route.Operation)
		}
	}
	for _, documented := range documentedPaths {
		method, path, _ := strings.Cut(documented.request, " ")
		index := slices.IndexFunc(rest.Routes(), func(r rest.Route) bool {
			return r.Method == method && apitest.InBraces.ReplaceAllString(r.Path, "{}") == path
		})
		if index < 0 {
			t.Errorf("the documented %s has no route", documented.request)
			continue
		}
		route := rest.Routes()[index]
		rule := domain.Operations()[route.Operation]
		if route.Status != documented.status {
			t.Errorf("%s succeeds with %d, not %d", documented.request, route.Status, documented.status)
		}
		if rule.Permission != documented.permission || rule.Role != documented.role {
			t.Errorf("%s needs permission %q or role %v, not %q or %v",
				documented.request, documented.permission, documented.role, rule.Permission, rule.Role)
		}
		if want := strings.Contains(documented.request, "webhook"); want != (rule.Feature == domain.FeatureWebhooks) {
			t.Errorf("%s: the feature it needs is %q", documented.request, rule.Feature)
		}
	}
}

// documentedPaths are the endpoints of spec 4.1, 4.2 and 4.4 with those that decisions 5.7 and 7.11 add, the status of
// their success (decisions 2.7), and what a key and a session need (decisions 4.4): written down here once more, so that
// a slip in the table of operations does not pass unseen.
var documentedPaths = []struct {
	request    string
	status     int
	permission domain.Permission
	role       domain.Role
}{
	{"POST /api/keys", 201, "", domain.Developer},
	{"GET /api/keys", 200, "", domain.Developer},
	{"GET /api/keys/{}", 200, "", domain.Developer},
	{"PUT /api/keys/{}", 200, "", domain.Developer},
	{"GET /api/keys/info", 200, "", domain.NoRole},
	{"POST /api/keys/default", 200, "", domain.Developer},
	{"POST /api/access-lists", 201, "accessLists:create", domain.Manager},
	{"GET /api/access-lists/{}", 200, "accessLists:list", domain.Viewer},
	{"PUT /api/access-lists/{}", 200, "accessLists:update", domain.Manager},
	{"DELETE /api/access-lists/{}", 200, "accessLists:update", domain.Manager},
	{"GET /api/access-lists", 200, "accessLists:list", domain.Viewer},
	{"POST /api/access-lists/{}/entries", 201, "accessLists:update", domain.Manager},
	{"GET /api/access-lists/{}/entries/{}", 200, "accessLists:list", domain.Viewer},
	{"PUT /api/access-lists/{}/entries/{}", 200, "accessLists:update", domain.Manager},
	{"DELETE /api/access-lists/{}/entries/{}", 200, "accessLists:update", domain.Manager},
	{"GET /api/access-lists/{}/entries", 200, "accessLists:list", domain.Viewer},
	{"POST /api/purchaseintents", 201, "purchaseIntents:create", domain.Manager},
	{"POST /api/webhooks", 201, "webhooks:create", domain.Developer},
	{"POST /api/webhook", 201, "webhooks:create", domain.Developer},
	{"PUT /api/webhook/{}", 201, "webhooks:update", domain.Developer},
	{"DELETE /api/webhook/{}", 200, "webhooks:update", domain.Developer},
	{"GET /api/webhooks", 200, "webhooks:list", domain.Developer},
	{"POST /api/checkout", 201, "", domain.Manager},
	{"GET /api/checkout/{}/detailsform", 200, "checkouts:list", domain.Viewer},
	{"POST /api/checkout/{}/details", 200, "transactions:update", domain.Manager},
	{"POST /api/checkout/{}/abort", 200, "transactions:update", domain.Manager},
	{"POST /api/checkout/{}/complete", 200, "transactions:create", domain.Manager},
	{"GET /api/webhooks/{}/deliveries", 200, "webhooks:list", domain.Developer},
	{"GET /api/webhook-deliveries/{}", 200, "webhooks:list", domain.Developer},
	{"POST /api/webhook-deliveries/{}/retry", 202, "webhooks:update", domain.Developer},
}

// TestEveryOperationIsTriedThroughItsDoors fails for a new operation until it has a row in the table of samples, from
// which the parity of the doors and the tenants' matrix are generated.
func TestEveryOperationIsTriedThroughItsDoors(t *testing.T) {
	t.Parallel()
	for operation := range domain.Operations() {
		if len(samples[operation]) == 0 {
			t.Errorf("%s is tried through no door: give its area a row in samples (cmd/ticketgate/samples_test.go)", operation)
		}
	}
}
