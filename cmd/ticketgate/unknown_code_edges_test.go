package main

import (
	"fmt"
	"testing"

	"ticketgate/domain"
)

// unknownCodeEdges are the edges of unknown codes, which have no lookup by id.
var unknownCodeEdges = map[string]edgeRow{
	"UnknownCode.device": {list: "unknownCodes", follow: "device { _id }"},
	"UnknownCode.event":  {list: "unknownCodes", follow: "event { _id }"},
}

// An unknown code leads to its device and its event, for those who may read them. Without that, the code stays.
func TestWhereACodeWasUnknown(t *testing.T) {
	t.Parallel()
	h := openHouse(t)
	seller := h.world.Sellers[0]
	h.unknownCode(t, seller, "Lost")
	for field, row := range map[string]struct {
		reads domain.Operation
		id    string
	}{
		"device": {domain.GetDevice, seller.DeviceID}, "event": {domain.GetEvent, seller.EventID},
	} {
		document := fmt.Sprintf("{ unknownCodes { nodes { times %s { _id } } } }", field)
		const beside = `{"unknownCodes":{"nodes":[{"times":1}]}}`
		whole := fmt.Sprintf(`{"unknownCodes":{"nodes":[{%q:{"_id":%q},"times":1}]}}`, field, row.id)
		organization := bearer(h.world.Organizations[0].Key).on(seller.SellerID)
		may := map[string]caller{
			"a key with both":            h.keyWith(t, seller, "scans:list", domain.RuleOf(row.reads).Permission),
			"a viewer":                   h.session(t, seller.ViewerEmail, seller.ViewerPassword),
			"the platform on the seller": bearer(rightToken).on(seller.SellerID),
		}
		if domain.RuleOf(row.reads).OrganizationKey {
			may["the organization's key"] = organization
		} else if o := h.execute(t, organization, document, nil); o.refusal.Code != string(domain.CodeForbidden) || textOf(t, o.result) != beside {
			t.Errorf("%s, the organization's key: %v", field, o)
		}
		for who, as := range may {
			if o := h.execute(t, as, document, nil); o.refusal.Code != "" || textOf(t, o.result) != whole {
				t.Errorf("%s, %s: %v, want %s", field, who, o, whole)
			}
		}
		refused := h.execute(t, h.keyWith(t, seller, "scans:list"), document, nil)
		if refused.refusal.Code != string(domain.CodeMissingPermission) || textOf(t, refused.result) != beside {
			t.Errorf("%s without the permission: %v, want %s", field, refused, beside)
		}
		h.finds(t, bearer(h.world.Sellers[1].APIKey), document, `{"unknownCodes":{"nodes":[]}}`)
	}
}

// idOfUnknownCode returns the _id of the record of a code.
func (h *house) idOfUnknownCode(t *testing.T, code string) (id string) {
	t.Helper()
	must(t, h.sql.QueryRowContext(t.Context(), "SELECT id FROM unknown_codes WHERE external_code = $1", code).Scan(&id))
	return id
}
