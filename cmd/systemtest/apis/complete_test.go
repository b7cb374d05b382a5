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

func TestEveryOperationHasGraphQLField(t *testing.T) {
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
				t.Errorf("%s.%s is not an operation; add a row to domain/operation.go", root.Name, field.Name)
			}
		}
	}
	for operation := range domain.Operations() {
		if !fields[operation] {
			t.Errorf("the operation %s has no root field; add it to graph/schema", operation)
		}
	}
}

func TestEveryDocumentedPathIsOneRoute(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, route := range rest.Routes() {
		spelled := route.Method + " " + apitest.InBraces.ReplaceAllString(route.Path, "{}")
		if seen[spelled] {
			t.Errorf("%s is listed twice; the second row is never reached", spelled)
		}
		seen[spelled] = true
		if _, known := domain.Operations()[route.Operation]; !known {
			t.Errorf("%s calls %q, which is not an operation", spelled, route.Operation)
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
			t.Errorf("%s: success status %d, want %d", documented.request, route.Status, documented.status)
		}
		if rule.Permission != documented.permission || rule.Role != documented.role {
			t.Errorf("%s: requires permission %q or role %v, want %q or %v",
				documented.request, documented.permission, documented.role, rule.Permission, rule.Role)
		}
		if want := strings.Contains(documented.request, "webhook"); want != (rule.Feature == domain.FeatureWebhooks) {
			t.Errorf("%s: unexpected required feature %q", documented.request, rule.Feature)
		}
	}
}

// documentedPaths lists the documented endpoints with their success status, permission and role. It deliberately
// repeats the table of operations, to catch mistakes there.
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

// TestEveryOperationHasASample fails for a new operation until it has a row in the table of samples, which the
// tests of parity and of tenants are generated from.
func TestEveryOperationHasASample(t *testing.T) {
	t.Parallel()
	for operation := range domain.Operations() {
		if len(samples[operation]) == 0 {
			t.Errorf("%s has no sample; add a row to its area's samples_*_test.go", operation)
		}
	}
}
