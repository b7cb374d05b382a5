package program

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/graph/edge"
)

func TestKeyUsageIsCountedOncePerRequest(t *testing.T) {
	t.Parallel()
	actor := &domain.Actor{
		Kind: domain.APIKeyActor, ID: "k1", SellerID: "s1", Permissions: domain.NewPermissionSet([]domain.Permission{"scans:list"}),
	}
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		domain.CallOf(r.Context()).Key.By(actor.ID)
		ctx := domain.WithActor(r.Context(), actor)
		for _, operation := range []domain.Operation{domain.ListScans, domain.GetScan, domain.ListEvents, domain.ListAPIKeys} {
			_, _ = domain.Authorize(ctx, operation)
		}
		w.WriteHeader(http.StatusForbidden)
	})
	noted := 0
	usage := keyUsage{func(call *domain.KeyCall, status int, _ time.Time) {
		noted++
		keyID, used, missing := call.Gathered()
		if keyID != "k1" || status != http.StatusForbidden {
			t.Errorf("recorded %q with %d", keyID, status)
		}
		if len(used) != 1 || used[0] != "scans:list" || len(missing) != 1 || missing[0] != "events:list" {
			t.Errorf("recorded %v used and %v missing", used, missing)
		}
	}}
	counted := edge.Wrap(handler, edge.Options{Log: slog.New(slog.DiscardHandler), Observers: []edge.Observer{usage}})
	counted.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/scans", nil))
	if noted != 1 {
		t.Errorf("recorded %d times", noted)
	}
}
