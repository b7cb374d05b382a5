package main

import (
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"

	"ticketgate/db/dbtest"
)

// peakMemory returns the most memory that a process has had, in MiB. Only Linux tells.
func (s *server) peakMemory(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		t.Skip("the system tells no process's memory")
	}
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	number, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	kib, err := strconv.Atoi(number)
	must(t, err)
	return kib >> 10
}

// TestABodyCostsLittleWithoutPermissionToImport sends what takes most memory to read (LIMIT-16).
func TestABodyCostsLittleWithoutPermissionToImport(t *testing.T) {
	t.Parallel()
	settings := append(onDatabase(dbtest.New(t)), "GOGC=100")
	s := serve(t, settings, "--no-workers")
	seller := seed(t, settings).Sellers[0]
	_, made, _ := command(t, settings, "key", "create", "--seller", string(seller.SellerID), "--name", "none")
	_, key, _ := strings.Cut(strings.TrimSpace(made), "secret    ")
	arrays := func(size int) string {
		return `{"query":"{permissions}","variables":{"a":[[]` + strings.Repeat(",[]", size/3) + `]}}`
	}
	large, ordinary := arrays(15<<20), arrays(1<<20-100)
	entry := `{"externalCode":"x","meta":{"a":[[]` + strings.Repeat(",[]", (1<<20-100)/3) + `]}}`
	before := s.peakMemory(t)
	for name, row := range map[string]struct{ path, body, says string }{
		"15 MiB of empty arrays":         {"/graphql", large, "at most 1048576 bytes"},
		"1 MiB of empty arrays":          {"/graphql", ordinary, "at most 131072 JSON values"},
		"1 MiB of empty arrays, in REST": {"/api/access-lists/x/entries", entry, `"MISSING_PERMISSION"`},
	} {
		status, answer := request(t, http.MethodPost, s.url+row.path, row.body, "Authorization: Bearer "+key)
		if status < 400 || !strings.Contains(answer, row.says) {
			t.Errorf("%s: got %d %.300s", name, status, answer)
		}
	}
	if status, answer := request(t, http.MethodPost, s.url+"/graphql", ordinary); !strings.Contains(answer, "JSON values") {
		t.Errorf("without a credential: %d %.300s", status, answer)
	}
	if status, answer := request(t, http.MethodPost, s.url+"/api/access-lists/x/entries", entry,
		"Authorization: Bearer "+seller.APIKey); status != http.StatusRequestEntityTooLarge {
		t.Errorf("REST with permission: %d %.300s", status, answer)
	}
	if cost := s.peakMemory(t) - before; cost > 64 {
		t.Errorf("the bodies cost %d MiB, at most 64 are allowed", cost)
	}
}
