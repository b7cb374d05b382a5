package operations

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/cmd/ticketgate/demo"
	"ticketgate/db/dbtest"
	"ticketgate/db/embedded"
)

// signingKey is a webhook's key that is easy to find if it leaks.
const signingKey = "a signing key that must not be in a dump"

func TestDumpsAndLogsHoldNoSecret(t *testing.T) {
	t.Parallel()
	database := dbtest.New(t)
	collector := apitest.NewCollector(t)
	settings := systemtest.OnDatabase(database, "TICKETGATE_LOG_LEVEL=debug", "TICKETGATE_LOG_FORMAT=json", watchedFromHere,
		"TICKETGATE_OTLP_ENDPOINT="+collector.URL)
	s := systemtest.Serve(t, settings)
	listener, calls := systemtest.NewListener(t, func(int) int { return http.StatusInternalServerError })
	data := systemtest.Seed(t, settings)
	secrets := useEverySecret(t, s.URL, listener, data)
	systemtest.Await(t, calls, time.Minute)
	_, numbers := systemtest.Request(t, http.MethodGet, adminURL(t, s)+"/metrics", "")
	_, jobs := systemtest.Request(t, http.MethodGet, adminURL(t, s)+"/jobs/api/jobs?state=retryable", "")
	s.Stop()
	seller := string(data.Sellers[0].SellerID)
	for name, told := range map[string]struct {
		text   []byte
		marker string // a text that it must contain to be meaningful
	}{
		"the dump":                   {dump(t, database.OwnerURL), seller},
		"the log":                    {[]byte(s.Stderr.String()), seller},
		"the metrics":                {[]byte(numbers), `operation="createWebhook"`},
		"the traces":                 {collector.Received(), "graphql publishEvent"},
		"the pages of the job queue": {[]byte(jobs), `"data"`},
	} {
		text := told.text
		if !bytes.Contains(text, []byte(told.marker)) {
			t.Fatalf("%s is incomplete: %q", name, text)
		}
		for _, secret := range secrets {
			for spelling, spelled := range spellings(secret) {
				if bytes.Contains(text, []byte(spelled)) {
					t.Errorf("%s contains %.12s… in %s", name, secret, spelling)
				}
			}
		}
	}
}

// adminURL returns the address of the admin listener from the log.
func adminURL(t *testing.T, s *systemtest.Process) string {
	t.Helper()
	for line := range strings.Lines(s.Stderr.String()) {
		if strings.Contains(line, `"msg":"admin listener"`) {
			return systemtest.Field(t, line, "url")
		}
	}
	t.Fatal("the log does not name the admin listener")
	return ""
}

// useEverySecret creates, shows, uses and misuses secrets, and returns all of them.
func useEverySecret(t *testing.T, at, listener string, data demo.Data) []string {
	t.Helper()
	secrets := []string{systemtest.SystemToken, systemtest.SecretKey, signingKey}
	for _, organization := range data.Organizations {
		secrets = append(secrets, organization.Key)
	}
	for _, seller := range data.Sellers {
		secrets = append(secrets, seller.APIKey, seller.AdminPassword, seller.ViewerPassword)
	}
	seller := data.Sellers[0]
	session := systemtest.Login(t, at, seller.AdminEmail, seller.AdminPassword)
	asUser := "Authorization: Bearer " + session

	_, created := systemtest.Request(t, http.MethodPost, at+"/api/keys", `{"name": "K"}`, asUser, "Idempotency-Key: once")
	_, byDefault := systemtest.Request(t, http.MethodPost, at+"/api/keys/default", fmt.Sprintf(`{"sellerId": %q}`, seller.SellerID), asUser)
	rotated := systemtest.GraphQL(t, at, session, `mutation($id: ID!) { rotateApiKey(input: {id: $id}) { key } }`,
		map[string]any{"id": systemtest.Field(t, created, "_id")})
	secrets = append(secrets, session, systemtest.Field(t, created, "key"), systemtest.Field(t, byDefault, "key"), systemtest.Field(t, rotated, "data.rotateApiKey.key"))

	hook := fmt.Sprintf(`{"name": "W", "url": %q, "hmacKey": %q, "events": {"transaction.complete": true}}`, listener, signingKey)
	status, answer := systemtest.Request(t, http.MethodPost, at+"/api/webhooks", hook, asUser, "Idempotency-Key: twice")
	if status != http.StatusCreated {
		t.Fatalf("create webhook: %d %s", status, answer)
	}
	systemtest.Publish(t, at, seller)

	// Secrets in wrong places: paths, query strings, other headers, invalid bodies and failed logins.
	systemtest.Request(t, http.MethodGet, at+"/api/keys/"+seller.APIKey+"?key="+url.QueryEscape(seller.APIKey), "", asUser)
	systemtest.Request(t, http.MethodGet, at+"/"+seller.APIKey+"/x", "", "X-Seller-Id: "+seller.APIKey, asUser)
	systemtest.Request(t, http.MethodGet, at+"/api/webhooks?"+seller.AdminPassword+"="+session, "", "Token: "+session)
	systemtest.Request(t, http.MethodPost, at+"/api/webhooks", `{"hmacKey": "`+signingKey+`", "events": 1, "`+seller.APIKey+`": 1}`, asUser)
	systemtest.Request(t, http.MethodPost, at+"/graphql", `{"query": "{ `+seller.APIKey+` }", "x": "`+systemtest.SystemToken+`"}`)
	systemtest.Request(t, http.MethodPost, at+"/graphql", `{"query": "mutation { login(input: {email: \"`+seller.AdminPassword+
		`\", password: \"`+seller.ViewerPassword+`\"}) { token } }"}`)
	return secrets
}

// spellings returns the forms in which a text can occur: plain, in hexadecimal, and in base64 at each offset.
func spellings(secret string) map[string]string {
	forms := map[string]string{"plain text": secret, "hexadecimal": hex.EncodeToString([]byte(secret))}
	for name, alphabet := range map[string]*base64.Encoding{"base64": base64.RawStdEncoding, "base64url": base64.RawURLEncoding} {
		for shift := range 3 {
			// The first and last characters depend on the surrounding bytes.
			encoded := alphabet.EncodeToString(append(make([]byte, shift), secret...))
			forms[fmt.Sprintf("%s at %d", name, shift)] = encoded[(shift*8+5)/6 : len(encoded)-2]
		}
	}
	return forms
}

// dump returns the output of pg_dump for a database.
func dump(t *testing.T, from string) []byte {
	t.Helper()
	folder, _, err := embedded.Find(t.Context(), embedded.Config{DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	var complaint strings.Builder
	cmd := exec.CommandContext(t.Context(), filepath.Join(folder, "pg_dump"), "--dbname", from)
	cmd.Stderr = &complaint
	text, err := cmd.Output()
	if err != nil {
		t.Fatalf("pg_dump: %v %s", err, complaint.String())
	}
	return text
}

func TestSecretSpellingsAreFound(t *testing.T) {
	t.Parallel()
	const secret = "key_0123456789abcdef"
	for prefix := range 3 {
		around := append(append([]byte("xyz")[:prefix], secret...), "tail"...)
		text, found := base64.StdEncoding.EncodeToString(around), false
		for _, form := range spellings(secret) {
			found = found || strings.Contains(text, form)
		}
		if !found {
			t.Errorf("not found in %s", text)
		}
	}
}
