package edges

import (
	"fmt"
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/domain"
)

// An unknown code leads to its device and its event if the caller may read them. Otherwise the code is still returned.
func TestEdgesOfAnUnknownCode(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t)
	seller := h.Demo.Sellers[0]
	h.UnknownCode(t, seller, "Lost")
	for field, row := range map[string]struct {
		reads domain.Operation
		id    string
	}{
		"device": {domain.GetDevice, seller.DeviceID}, "event": {domain.GetEvent, seller.EventID},
	} {
		document := fmt.Sprintf("{ unknownCodes { nodes { times %s { _id } } } }", field)
		const beside = `{"unknownCodes":{"nodes":[{"times":1}]}}`
		whole := fmt.Sprintf(`{"unknownCodes":{"nodes":[{%q:{"_id":%q},"times":1}]}}`, field, row.id)
		organization := apitest.Bearer(h.Demo.Organizations[0].Key).On(seller.SellerID)
		may := map[string]apitest.Caller{
			"a key with both":            h.KeyWith(t, seller, "scans:list", domain.RuleOf(row.reads).Permission),
			"a viewer":                   h.Session(t, seller.ViewerEmail, seller.ViewerPassword),
			"the platform on the seller": apitest.Bearer(systemtest.SystemToken).On(seller.SellerID),
		}
		if domain.RuleOf(row.reads).OrganizationKey {
			may["the organization's key"] = organization
		} else if o := h.Execute(t, organization, document, nil); o.Refusal.Code != string(domain.CodeForbidden) || textOf(t, o.Result) != beside {
			t.Errorf("%s, the organization's key: %v", field, o)
		}
		for who, as := range may {
			if o := h.Execute(t, as, document, nil); o.Refusal.Code != "" || textOf(t, o.Result) != whole {
				t.Errorf("%s, %s: %v, want %s", field, who, o, whole)
			}
		}
		refused := h.Execute(t, h.KeyWith(t, seller, "scans:list"), document, nil)
		if refused.Refusal.Code != string(domain.CodeMissingPermission) || textOf(t, refused.Result) != beside {
			t.Errorf("%s without the permission: %v, want %s", field, refused, beside)
		}
		h.Finds(t, apitest.Bearer(h.Demo.Sellers[1].APIKey), document, `{"unknownCodes":{"nodes":[]}}`)
	}
}

// idOfUnknownCode returns the _id of the record of a code.
func idOfUnknownCode(t *testing.T, h *apitest.Server, code string) (id string) {
	t.Helper()
	systemtest.Must(t, h.SQL.QueryRowContext(t.Context(), "SELECT id FROM unknown_codes WHERE external_code = $1", code).Scan(&id))
	return id
}
