package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"ticketgate/db/embedded"
)

func TestBareServerReturnsOnlyItsSellersRecords(t *testing.T) {
	t.Parallel()
	r := newMigratedRig(t)
	const secret, list = "a secret", "l1"
	digest := sha256.Sum256([]byte(secret))
	for _, statement := range []string{
		"INSERT INTO organizations VALUES ('o', 'O', now())",
		`INSERT INTO sellers (id, organization_id, name, country, webhooks, siren, created_at, updated_at)
			SELECT id, 'o', 'S', 'FR', false, false, now(), now() FROM unnest(ARRAY['s1', 's2']) id`,
		`INSERT INTO api_keys (id, seller_id, name, hint, version, active, is_default, full_seller_access, permissions, created_by_type,
			created_by_id, created_at, updated_at) VALUES ('k', 's1', 'Key', 'key…', 1, true, false, true, '{}', 'SYSTEM', '', now(), now())`,
		fmt.Sprintf(`INSERT INTO api_key_secrets (digest, api_key_id) VALUES ('\x%s', 'k')`, hex.EncodeToString(digest[:])),
		`INSERT INTO access_lists (id, seller_id, type, name, name_folded, created_at, updated_at)
			VALUES ('l1', 's1', 'static', 'L', 'l', now(), now()), ('l2', 's2', 'static', 'L', 'l', now(), now())`,
	} {
		if err := r.cluster.execute(t.Context(), r.name, statement); err != nil {
			t.Fatalf("%.60s: %v", statement, err)
		}
	}
	b, err := openBare(t.Context(), r.database(embedded.ApplicationRole))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.pool.Close)
	as := server(t, b.routes().ServeHTTP)
	unknown := as.request(http.MethodGet, "/api/access-lists", nil)
	if _, err := as.call(t.Context(), http.StatusUnauthorized, unknown); err != nil {
		t.Errorf("without a key: %v", err)
	}
	as.header = http.Header{"Authorization": {"Bearer " + secret}}
	id, err := as.create(t.Context(), "/api/access-lists/"+list+"/entries", fullEntry("C1"))
	if err != nil {
		t.Fatal(err)
	}
	var made bareEntry
	answer, err := as.call(t.Context(), http.StatusOK, entry{list, id}.get(as))
	if err != nil || json.Unmarshal(answer, &made) != nil || made.SellerID != "s1" || *made.Firstname != "Zoë" || made.ExternalCode != "C1" {
		t.Errorf("read %s, %v", answer, err)
	}
	page, err := as.call(t.Context(), http.StatusOK, pageOf(list)(as))
	if want := `{"docs":[` + strings.TrimSpace(string(answer)) + `],"total":1}` + "\n"; err != nil || string(page) != want {
		t.Errorf("the list is %s, %v; want %s", page, err, want)
	}
	page, err = as.call(t.Context(), http.StatusOK, pageWithoutTotal("l2")(as))
	if err != nil || string(page) != `{"docs":[]}`+"\n" {
		t.Errorf("another seller's list is %s, %v", page, err)
	}
	lists, err := as.call(t.Context(), http.StatusOK, as.request(http.MethodGet, "/api/access-lists", nil))
	if err != nil || !strings.HasSuffix(string(lists), `"total":1}`+"\n") {
		t.Errorf("the lists are %s, %v", lists, err)
	}
	info, err := as.call(t.Context(), http.StatusOK, as.request(http.MethodGet, "/api/keys/info", nil))
	if err != nil || !strings.HasPrefix(string(info), `{"_id":"k","name":"Key"`) {
		t.Errorf("the key is %s, %v", info, err)
	}
}

func TestResponsesMustHaveTheSameFields(t *testing.T) {
	t.Parallel()
	item, other := []byte(`{"a":1,"at":"x","b":{"c":[1]}}`), []byte(`{"b":{"c":[1]},"a":1,"at":"y"}`)
	if err := sameFields(item, other, "at"); err != nil {
		t.Errorf("different order: %v", err)
	}
	if err := sameFields(item, other); err == nil {
		t.Error("a different value passed")
	}
	if err := sameFields(item, []byte(`{"a":1,"b":{"c":[1]},"d":null}`), "at"); err == nil {
		t.Error("a different field passed")
	}
	if err := sameFields(item, []byte(`[]`)); err == nil {
		t.Error("a list passed")
	}
}

func TestNumberedRequestsDifferOnlyInTheirNumber(t *testing.T) {
	t.Parallel()
	as := api{url: "http://127.0.0.1:1", header: http.Header{}}
	n := newNumbered(as.request(http.MethodPost, "/x", map[string]string{"code": numberMark}))
	first, second := string(n.next()), string(n.next())
	if !strings.Contains(first, `{"code":"NUMBER-00000001"}`) || strings.ReplaceAll(second, "00000002", "00000001") != first {
		t.Errorf("got %q and %q", first, second)
	}
	if length := len(`{"code":"NUMBER-00000001"}`) + 1; !strings.Contains(first, fmt.Sprintf("Content-Length: %d\r\n", length)) {
		t.Errorf("the length is not %d in %q", length, first)
	}
}
