package commands

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"ticketgate/cmd/systemtest"
)

// gateList is a running server with a key and an access list.
type gateList struct {
	*systemtest.Process
	key, id  string
	settings []string
}

func newGateList(t *testing.T) *gateList {
	t.Helper()
	database, data := systemtest.Seeded(t)
	settings, key := systemtest.OnDatabase(database), data.Sellers[0].APIKey
	s := systemtest.Serve(t, settings, "--no-workers")
	status, text := systemtest.Request(t, http.MethodPost, s.URL+"/api/access-lists", `{"name":"Members"}`, "Authorization: Bearer "+key)
	if status != http.StatusCreated {
		t.Fatalf("%d %s", status, text)
	}
	return &gateList{Process: s, key: key, id: systemtest.Field(t, text, "_id"), settings: settings}
}

// imports runs the command on a file with this text.
func (g *gateList) imports(name, text string, arguments ...string) (code int, stdout, stderr string) {
	g.T.Helper()
	file := filepath.Join(g.T.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		g.T.Fatal(err)
	}
	all := append([]string{"entries", "import", file, "--url", g.URL, "--list", g.id}, arguments...)
	return systemtest.Run(g.T, append(g.settings, "TICKETGATE_API_KEY="+g.key), all...)
}

func (g *gateList) total() string {
	g.T.Helper()
	_, text := systemtest.Request(g.T, http.MethodGet, g.URL+"/api/access-lists/"+g.id+"/entries?top=1", "", "Authorization: Bearer "+g.key)
	_, total, _ := strings.Cut(text, `"total":`)
	return strings.Trim(total, "}\n")
}

func TestEntriesImportCommand(t *testing.T) {
	t.Parallel()
	g := newGateList(t)
	const file = "externalCode;email\nA;a@example.com\nB;b@example.com\n"
	for _, step := range []struct {
		name, file, text, arguments string
		code                        int
		says, total                 string
	}{
		{"needs --yes without a terminal", "a.csv", file, "", systemtest.CodeRefused, "2 rows: 2 new, 0 unchanged", "0"},
		{"imports", "a.csv", file, "--yes", 0, "2 added, 0 changed, 0 removed", "2"},
		{"changes nothing the second time", "a.csv", file, "--yes", 0, "no changes", "2"},
		{"reads JSON lines", "a.ndjson", `{"externalCode":"C"}` + "\n", "--yes", 0, "1 added", "3"},
		{"refuses an invalid row", "a.csv", file + "D;nobody\n", "--yes", systemtest.CodeRefused, "line 4, invalid", "3"},
		{"skips invalid rows", "a.csv", file + "D;nobody\nE;\n", "--yes --skip-bad", 0, "1 added", "4"},
		{"refuses a conflict", "a.csv", "externalCode;email\nA;x@example.com\n", "--yes", systemtest.CodeRefused, "in conflict: \"A\" email", "4"},
		{"updates on conflict", "a.csv", "externalCode;email\nA;x@example.com\n", "--yes --on-conflict update", 0, "1 changed", "4"},
		{"limits the removals of a full set", "a.csv", file, "--yes --full-set", systemtest.CodeRefused, "1 in conflict, 0 invalid, 0 duplicate; 2 entries to be removed", "4"},
		{"does not empty a list with an empty file", "a.csv", "", "--yes --full-set", systemtest.CodeRefused, "4 entries to be removed", "4"},
		{"replaces the list with a full set", "a.csv", file, "--yes --full-set --confirm-removals", 0, "0 added, 1 changed, 2 removed", "2"},
		{"converts card codes", "a.csv", "c43f3632\n", "--yes --preset 88040000+reversed", 0, `88040000+reversed: "8804000032363FC4"`, "3"},
		{"detects JSON lines by a name in capitals", "A.NDJSON", " " + `{"externalCode":"A"}`, "--yes", 0, "1 row: 0 new, 1 unchanged", "3"},
		{"detects JSON lines by their content", "a.txt", "\xef\xbb\xbf\n" + `{"externalCode":"A"}`, "--yes", 0, "1 row: 0 new, 1 unchanged", "3"},
		{"reads the format of the flag", "a.csv", `{"externalCode":"A"}`, "--yes --format ndjson", 0, "1 row: 0 new, 1 unchanged", "3"},
		{"does not take JSON for a code", "a.csv", `{"externalCode":"A"}`, "--yes", systemtest.CodeFailed, "", "3"},
		{"refuses an unknown format", "a.csv", file, "--yes --format xml", systemtest.CodeWrong, "", "3"},
		{"explains an invalid header", "a.csv", "code;mail\nA;b\n", "--yes", systemtest.CodeFailed, "", "3"},
		{"refuses an unknown preset", "a.csv", file, "--yes --preset lower", systemtest.CodeWrong, "", "3"},
		{"refuses an unknown conflict rule", "a.csv", file, "--yes --on-conflict foo", systemtest.CodeWrong, "", "3"},
	} {
		code, stdout, stderr := g.imports(step.file, step.text, strings.Fields(step.arguments)...)
		if code != step.code || !strings.Contains(stdout, step.says) || g.total() != step.total {
			t.Errorf("%s: exit code %d, %s entries\n%s%s", step.name, code, g.total(), stdout, stderr)
		}
	}
	for _, refusal := range []struct{ text, arguments, says string }{
		{"A\nB,2\n", "--yes", "1 row is invalid. Correct the file, or commit with --skip-bad to skip them"},
		{"externalCode,email\nA,y@example.com\n", "--yes", "1 row is in conflict with the list. Commit with --on-conflict skip or update"},
		{"", "--yes --full-set", "This would remove 3 of 3 entries, more than 20 %. Commit with --confirm-removals if this is intended"},
		{"A\n", "--yes --url 127.0.0.1:1234", `--url must be the API's address with http:// or https://, such as http://127.0.0.1:8080, not "127.0.0.1:1234"`},
	} {
		if _, stdout, stderr := g.imports("a.csv", refusal.text, strings.Fields(refusal.arguments)...); !strings.Contains(stderr, refusal.says) {
			t.Errorf("%q %s: got\n%s%s", refusal.text, refusal.arguments, stdout, stderr)
		}
	}
	var many, named strings.Builder
	for n := 10; n < 32; n++ {
		fmt.Fprintf(&many, "m%d\n", n)
		if n < 28 {
			fmt.Fprintf(&named, "  to be removed: \"m%d\"\n", n)
		}
	}
	g.imports("a.csv", many.String(), "--yes") // in addition to A, B and a card
	if _, stdout, _ := g.imports("a.csv", "A\n", "--full-set"); !strings.Contains(stdout, named.String()+"  and 4 more to be removed\n") {
		t.Errorf("removals of a full set:\n%s", stdout)
	}
	for _, arguments := range [][]string{{"entries", "import"}, {"entries", "import", "x"}, {"entries", "import", "x", "--list", "y"}} {
		if code, _, stderr := systemtest.Run(t, g.settings, arguments...); code != systemtest.CodeWrong {
			t.Errorf("%v: exit code %d, %s", arguments, code, stderr)
		}
	}
}

func TestEntriesUndoCommand(t *testing.T) {
	t.Parallel()
	g := newGateList(t)
	undo := func(arguments ...string) (code int, stdout, stderr string) {
		all := append([]string{"entries", "undo", "--url", g.URL, "--list", g.id}, arguments...)
		return systemtest.Run(t, append(g.settings, "TICKETGATE_API_KEY="+g.key), all...)
	}
	g.imports("a.csv", "externalCode;email\nA;a@example.com\nB;b@example.com\n", "--yes")
	_, stdout, _ := g.imports("a.csv", "externalCode;email\nA;other@example.com\nC;\n", "--yes", "--on-conflict", "update", "--full-set", "--confirm-removals")
	_, id, _ := strings.Cut(stdout, "committed ")
	id, _, _ = strings.Cut(id, ":")
	for range 2 { // the second time nothing changes
		code, stdout, stderr := undo(id)
		if want := "undone " + id + ": 1 removed, 2 restored, 0 kept\n"; code != 0 || stdout != want || g.total() != "2" {
			t.Errorf("exit code %d, %s entries\n%s%s, want %s", code, g.total(), stdout, stderr, want)
		}
	}
	if code, _, stderr := undo("../none"); code != systemtest.CodeFailed || !strings.Contains(stderr, "not found") {
		t.Errorf("unknown import: exit code %d, %s", code, stderr)
	}
	if code, _, stderr := undo(); code != systemtest.CodeWrong {
		t.Errorf("without an import: exit code %d, %s", code, stderr)
	}
}

// An id that is a dot segment would change the path, so no call is made.
func TestEntriesCommandsRefuseIDsThatChangeThePath(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "a.csv")
	if err := os.WriteFile(file, []byte("A\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	api := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("%s %s was called", r.Method, r.URL)
	}))
	t.Cleanup(api.Close)
	for name, arguments := range map[string][]string{
		"--list must be an id, not \"..\"": {"import", file, "--list", ".."},
		"--list must be an id, not \".\"":  {"undo", "id", "--list", "."},
		"IMPORT must be an id, not \"..\"": {"undo", "..", "--list", "L"},
		"IMPORT must be an id, not \"\"":   {"undo", "", "--list", "L"},
	} {
		all := append([]string{"entries"}, append(arguments, "--url", api.URL, "--key", "key_x")...)
		if code, _, stderr := systemtest.Run(t, nil, all...); code != systemtest.CodeWrong || !strings.Contains(stderr, name) {
			t.Errorf("%v: exit code %d, %s", arguments, code, stderr)
		}
	}
}

// A wrong port or name is explained without the path of the call.
func TestCommandsReportAnUnreachableAPI(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "a.csv")
	if err := os.WriteFile(file, []byte("A\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for url, says := range map[string]string{
		"http://127.0.0.1:1":    "ticketgate: no server is listening at http://127.0.0.1:1; start one with `ticketgate serve`, or pass the API's address with --url\n",
		"http://nobody.invalid": "ticketgate: the API can't be reached at http://nobody.invalid: lookup nobody.invalid",
	} {
		for _, arguments := range [][]string{
			{"entries", "import", file, "--list", "L"},
			{"listen", "--listen", "127.0.0.1:0"},
		} {
			code, _, stderr := systemtest.Run(t, []string{"TICKETGATE_API_KEY=key"}, append(arguments, "--url", url)...)
			if code != systemtest.CodeFailed || !strings.HasPrefix(stderr, says) || strings.Contains(stderr, "/api/") {
				t.Errorf("%s %v: exit code %d, %s", url, arguments, code, stderr)
			}
		}
	}
}

// A hundred thousand rows in one call use little memory, and the second run changes nothing.
func TestImportOfAHundredThousandRows(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("reads /proc")
	}
	g := newGateList(t)
	const rows = 100_000
	var file bytes.Buffer
	file.WriteString("externalCode,customerId,firstname,lastname,email,meta.seat\n")
	for i := range rows {
		fmt.Fprintf(&file, "CODE-%06d,customer%d,Ada,Lovelace,holder%d@example.com,Block A Row %d\n", i, i, i, i%50)
	}
	for run, want := range []string{strconv.Itoa(rows) + " added", "no changes"} {
		before, started := g.memory("VmRSS"), time.Now()
		peak := g.watchMemory(t.Context())
		code, stdout, stderr := g.imports("big.csv", file.String(), "--yes")
		grown := peak() - before
		t.Logf("run %d: %v, %d KiB more", run+1, time.Since(started).Round(time.Millisecond), grown)
		if code != 0 || !strings.Contains(stdout, want) || g.total() != strconv.Itoa(rows) {
			t.Fatalf("run %d: exit code %d, %s entries\n%s%s", run+1, code, g.total(), stdout, stderr)
		}
		if grown > 50<<10 {
			t.Errorf("run %d: the server's memory grew by %d KiB", run+1, grown)
		}
	}
}

// memory returns a line of the server's /proc status, in KiB.
func (g *gateList) memory(line string) int {
	g.T.Helper()
	file, err := os.Open(fmt.Sprintf("/proc/%d/status", g.Cmd.Process.Pid))
	if err != nil {
		g.T.Fatal(err)
	}
	defer file.Close()
	for in := bufio.NewScanner(file); in.Scan(); {
		if value, ok := strings.CutPrefix(in.Text(), line+":"); ok {
			kib, _ := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(value), " kB"))
			return kib
		}
	}
	g.T.Fatalf("no %s", line)
	return 0
}

// watchMemory samples the memory every few milliseconds. The returned function stops that and returns the peak.
func (g *gateList) watchMemory(ctx context.Context) (peak func() int) {
	ctx, cancel := context.WithCancel(ctx)
	most := make(chan int)
	go func() {
		ticker, seen := time.NewTicker(20*time.Millisecond), 0
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				most <- seen
				return
			case <-ticker.C:
				seen = max(seen, g.memory("VmRSS"))
			}
		}
	}()
	return func() int {
		cancel()
		return <-most
	}
}

// Files are streamed. The other rules of the API apply to them as well.
func TestImportsThroughREST(t *testing.T) {
	t.Parallel()
	g := newGateList(t)
	path := g.URL + "/api/access-lists/" + g.id + "/entries/imports"
	bearer := "Authorization: Bearer " + g.key
	for _, row := range []struct {
		name, query, media, body string
		status                   int
		says                     string
	}{
		{"a CSV file", "?mode=full-set&preset=upper", "text/csv; charset=UTF-8", "a\nb\n", 201, `"new":2`},
		{"an empty file", "", "text/csv", "\n", 201, `"rows":0`},
		{"JSON lines", "?preset=88040000+reversed", "application/x-ndjson", `{"externalCode":"c43f3632","meta":{"a":1}}`, 201, `"preset":"88040000+reversed"`},
		{"a number for a code", "", "application/x-ndjson", `{"externalCode":7}`, 201, "externalCode must be a string, not a number"},
		{"a line too long of JSON lines", "", "application/x-ndjson", strings.Repeat("x", 70_000) + "\n" + `{"externalCode":"A"}`, 201, `"badLines":[{"line":1,"reason":"must be at most 65536 bytes"}]`},
		{"a code without visible characters", "", "text/csv", "A\n\t\n", 201, "externalCode must contain at least one visible character"},
		{"a JSON body", "", "application/json", `{}`, 415, "UNSUPPORTED_MEDIA_TYPE"},
		{"another charset", "", "text/csv; charset=latin1", "a\n", 415, "UNSUPPORTED_MEDIA_TYPE"},
		{"UTF-16", "", "text/csv", "\xff\xfea\x00\n\x00", 400, "UTF-16"},
		{"an open quotation mark", "", "text/csv", "\"" + strings.Repeat("x\n", 40_000), 400, "never closed"},
		{"a line without end", "", "text/csv", strings.Repeat("x", 70_000), 400, "more than 65536 bytes"},
		{"JSON lines sent as CSV", "", "text/csv", "\n" + `{"externalCode":"A"}`, 400, "Line 2 starts with { like JSON"},
		{"two ends of lines", "", "text/csv", "externalCode\nA\rB\n", 400, "Line 2: some lines end in CR"},
		{"CR alone ends lines", "", "text/csv", "externalCode|email\rA|a@example.com\rB|\r", 201, `"rows":2`},
		{"an unknown column", "", "text/csv", "externalCode,mail\n", 400, `Did you mean`},
		{"an unknown mode", "?mode=all", "text/csv", "a\n", 400, `"path":"mode"`},
	} {
		status, text := systemtest.Request(t, http.MethodPost, path+row.query, row.body, bearer, "Content-Type: "+row.media)
		if status != row.status || !strings.Contains(text, row.says) {
			t.Errorf("%s: got %d %.500s", row.name, status, text)
		}
	}
	status, text := systemtest.Request(t, http.MethodPost, path, "a\n", bearer, "Content-Type: text/csv", "Content-Encoding: gzip")
	if status != 415 || !strings.Contains(text, "UNSUPPORTED_MEDIA_TYPE") {
		t.Errorf("a compressed file: got %d %s", status, text)
	}
	_, staged := systemtest.Request(t, http.MethodPost, path, "x\ny\n", bearer, "Content-Type: text/csv")
	item := path + "/" + systemtest.Field(t, staged, "_id")
	for _, step := range []struct {
		method, path, body string
		status             int
		says               string
	}{
		{"POST", "/undo", "", 409, "INVALID_STATE"},
		{"POST", "/commit", `{"onConflict":"merge"}`, 400, `"path":"onConflict"`},
		{"POST", "/commit", `{"skipBat":true}`, 400, `"path":"skipBat"`},
		{"POST", "/commit", "", 200, `"result":{"added":2,"changed":0,"removed":0}`},
		{"POST", "/commit", "{}", 200, `"state":"committed"`},
		{"DELETE", "", "", 409, "INVALID_STATE"},
		{"GET", "", "", 200, `"state":"committed"`},
		{"POST", "/undo", "", 200, `"undo":{"removed":2,"restored":0,"kept":0}`},
		{"POST", "/undo", "", 200, `"state":"undone"`},
	} {
		status, text := systemtest.Request(t, step.method, item+step.path, step.body, bearer)
		if status != step.status || !strings.Contains(text, step.says) {
			t.Errorf("%s %s %s: got %d %.500s", step.method, step.path, step.body, status, text)
		}
	}
}
