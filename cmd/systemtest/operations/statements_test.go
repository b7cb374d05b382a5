package operations

import (
	"net/http"
	"testing"

	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/domain/secrets"
)

// The lookup at a gate is one statement, and who calls is known without any (docs/credentials.md).
func TestALookupIsOneStatement(t *testing.T) {
	t.Parallel()
	c := apitest.OpenCounting(t)
	seller := c.Demo.Sellers[0]
	device := "Token: " + seller.DeviceToken
	path := "/api/access-lists/entries/" + seller.ExternalCode + "/ticket?eventId=" + seller.EventID
	c.Statements(t, 1, http.StatusOK, apitest.LookupRoute, path, device)
	apitest.Wants(t, "a lookup", c.Statements(t, 10, http.StatusOK, apitest.LookupRoute, path, device), apitest.DeviceCheck, "SELECT access_entries")
}

// A key that is known is checked without a statement, one that is not by one, and one that was mistyped by none.
func TestAKeyCheckIsAtMostOneStatement(t *testing.T) {
	t.Parallel()
	c := apitest.OpenCounting(t)
	seller := c.Demo.Sellers[0]
	path := "/api/scan-groups/" + seller.ScanGroupID
	c.Statements(t, 1, http.StatusOK, apitest.GroupRoute, path, "Authorization: Bearer "+seller.APIKey)
	apitest.Wants(t, "a known key", c.Statements(t, 10, http.StatusOK, apitest.GroupRoute, path, "Authorization: Bearer "+seller.APIKey), apitest.KeyCheck, "SELECT scan_groups")
	unknown := secrets.New(secrets.APIKey)
	apitest.Wants(t, "an unknown key", c.Statements(t, 10, http.StatusUnauthorized, apitest.GroupRoute, path, "Authorization: Bearer "+unknown), "", apitest.KeyCheck)
	mistyped := unknown[:len(unknown)-1] + "x"
	apitest.Wants(t, "a mistyped key", c.Statements(t, 10, http.StatusUnauthorized, apitest.GroupRoute, path, "Authorization: Bearer "+mistyped), "")
}
