package operations

import (
	"net/http"
	"testing"

	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/domain/secrets"
)

// A lookup at a gate is one statement, and the caller is authenticated without one (docs/internals/credentials.md).
func TestLookupTakesOneStatement(t *testing.T) {
	t.Parallel()
	c := apitest.OpenCounting(t)
	seller := c.Demo.Sellers[0]
	device := "Token: " + seller.DeviceToken
	path := "/api/access-lists/entries/" + seller.ExternalCode + "/ticket?eventId=" + seller.EventID
	const lookup = "SELECT access_entries"
	c.Remembered(t, apitest.LookupRoute, path, []string{device}, lookup)
	checks := []string{apitest.DeviceCheck, apitest.GroupCheck}
	apitest.Wants(t, "a lookup", c.Statements(t, 10, http.StatusOK, apitest.LookupRoute, path, device), checks, lookup)
}

// A cached key is checked without a statement, an unknown one by one, and a mistyped one without.
func TestKeyCheckTakesAtMostOneStatement(t *testing.T) {
	t.Parallel()
	c := apitest.OpenCounting(t)
	seller := c.Demo.Sellers[0]
	path := "/api/scan-groups/" + seller.ScanGroupID
	const group = "SELECT scan_groups"
	asKey, checks := "Authorization: Bearer "+seller.APIKey, []string{apitest.KeyCheck}
	c.Remembered(t, apitest.GroupRoute, path, []string{asKey}, group)
	apitest.Wants(t, "a known key", c.Statements(t, 10, http.StatusOK, apitest.GroupRoute, path, asKey), checks, group)
	unknown := secrets.New(secrets.APIKey)
	apitest.Wants(t, "an unknown key",
		c.Statements(t, 10, http.StatusUnauthorized, apitest.GroupRoute, path, "Authorization: Bearer "+unknown), nil, apitest.KeyCheck)
	mistyped := unknown[:len(unknown)-1] + "x"
	apitest.Wants(t, "a mistyped key",
		c.Statements(t, 10, http.StatusUnauthorized, apitest.GroupRoute, path, "Authorization: Bearer "+mistyped), nil)
}
