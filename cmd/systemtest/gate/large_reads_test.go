package gate

import (
	"net/http"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
)

// TestReadsOfARequestAreBounded requests a list whose entries exceed what one request may read (LIMIT-23), or what its
// response may contain (LIMIT-29).
func TestReadsOfARequestAreBounded(t *testing.T) {
	t.Parallel()
	i := newImporting(t)
	const entries, size = 700, 50_000 // 35 MB
	_, err := i.SQL.ExecContext(t.Context(), `INSERT INTO access_entries (id, list_id, seller_id, external_code, meta, created_at, updated_at)
		SELECT lpad(to_hex(n), 24, '0'), $1, seller_id, 'code ' || n, json_build_object('text', repeat('x', $2)), now(), now()
		FROM access_lists, generate_series(1, $3) AS n WHERE id = $1`, i.list, size, entries)
	systemtest.Must(t, err)
	path := "/api/access-lists/" + i.list + "/entries?top="
	key := "Authorization: " + i.key["Authorization"]
	refused := i.Send(t, http.MethodGet, path+"1000", "", "", key)
	if refused.Status != http.StatusBadRequest || !strings.Contains(refused.Text, "32 MiB. Request smaller pages") {
		t.Errorf("REST: %d %.300s", refused.Status, refused.Text)
	}
	if smaller := i.Send(t, http.MethodGet, path+"500", "", "", key); smaller.Status != http.StatusOK || len(smaller.Text) < 500*size {
		t.Errorf("half of the list: %d, %d bytes", smaller.Status, len(smaller.Text))
	}
	const tenTimes = `{nodes {a: meta b: meta c: meta d: meta e: meta f: meta g: meta h: meta i: meta j: meta}}`
	query := strings.ReplaceAll(`{"query":"{accessListEntries(listId: \"LIST\", first: 100) `+tenTimes+`}"}`, "LIST", i.list)
	again := i.Send(t, http.MethodPost, "/graphql", "application/json", query, key)
	if !strings.Contains(again.Text, "more than 32 MiB of text and JSON") || len(again.Text) > 1000 {
		t.Errorf("one list with each text ten times: %d, %d bytes: %.300s", again.Status, len(again.Text), again.Text)
	}
	const page = `accessListEntries(listId: \"LIST\", first: 350) {nodes {meta}}`
	query = strings.ReplaceAll(`{"query":"{a: `+page+` b: `+page+`}"}`, "LIST", i.list)
	twice := i.Send(t, http.MethodPost, "/graphql", "application/json", query, key)
	if !strings.Contains(twice.Text, "32 MiB. Request smaller pages") || !strings.Contains(twice.Text, `"code":"INVALID_REQUEST"`) {
		t.Errorf("two lists of one document: %d, %d bytes: %.300s", twice.Status, len(twice.Text), twice.Text)
	}
}
