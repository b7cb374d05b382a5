package operations

import (
	"net/http"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
)

// TestBodyWithoutImportPermissionUsesLittleMemory sends bodies that take the most memory to read (LIMIT-16).
func TestBodyWithoutImportPermissionUsesLittleMemory(t *testing.T) {
	t.Parallel()
	database, data := systemtest.Seeded(t)
	settings := systemtest.OnDatabase(database, "GOGC=100")
	s := systemtest.Serve(t, settings, "--no-workers")
	_, printed, _ := systemtest.Run(t, settings, "key", "create", "--seller", string(data.Sellers[0].SellerID), "--name", "none")
	_, key, _ := strings.Cut(strings.TrimSpace(printed), "secret    ")
	arrays := func(size int) string {
		return `{"query":"{permissions}","variables":{"a":[[]` + strings.Repeat(",[]", size/3) + `]}}`
	}
	large, ordinary := arrays(15<<20), arrays(1<<20-100)
	entry := `{"externalCode":"x","meta":{"a":[[]` + strings.Repeat(",[]", (1<<20-100)/3) + `]}}`
	before := s.PeakMemory(t)
	for name, row := range map[string]struct{ path, body, says string }{
		"15 MiB of empty arrays":         {"/graphql", large, "at most 1048576 bytes"},
		"1 MiB of empty arrays":          {"/graphql", ordinary, "at most 131072 JSON values"},
		"1 MiB of empty arrays, in REST": {"/api/access-lists/x/entries", entry, `"MISSING_PERMISSION"`},
	} {
		status, answer := systemtest.Request(t, http.MethodPost, s.URL+row.path, row.body, "Authorization: Bearer "+key)
		if status < 400 || !strings.Contains(answer, row.says) {
			t.Errorf("%s: got %d %.300s", name, status, answer)
		}
	}
	if status, answer := systemtest.Request(t, http.MethodPost, s.URL+"/graphql", ordinary); !strings.Contains(answer, "JSON values") {
		t.Errorf("without a credential: %d %.300s", status, answer)
	}
	if status, answer := systemtest.Request(t, http.MethodPost, s.URL+"/api/access-lists/x/entries", entry,
		"Authorization: Bearer "+data.Sellers[0].APIKey); status != http.StatusRequestEntityTooLarge {
		t.Errorf("REST with permission: %d %.300s", status, answer)
	}
	if cost := s.PeakMemory(t) - before; cost > 64 {
		t.Errorf("the bodies cost %d MiB, at most 64 are allowed", cost)
	}
}
