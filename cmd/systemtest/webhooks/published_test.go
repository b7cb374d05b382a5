package webhooks

import (
	"maps"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/cmd/ticketgate/platform"
	"ticketgate/domain"
	"ticketgate/domain/webhook"
)

// TestPublishedDataIsCheckedAgainstKnownTypes publishes data that breaks the known types of resources.
func TestPublishedDataIsCheckedAgainstKnownTypes(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t)
	without := func(member string) object {
		scan := maps.Clone(systemtest.ScanToPublish("s1", "Zoë"))
		delete(scan, member)
		return object{"scan": scan}
	}
	documents := func(list any) object {
		return object{"checkout": object{"status": "COMPLETE", "identification": list}}
	}
	for name, row := range map[string]struct {
		of    domain.EventType
		data  object
		wrong string
	}{
		"an empty scan": {
			"scan.created", object{"scan": object{}}, "data.scan._id data.scan.time data.scan.barcode data.scan.type " +
				"data.scan.scanResult data.scan.sellerId data.scan.createdAt data.scan.updatedAt",
		},
		"a scan without a result":          {"scan.created", without("scanResult"), "data.scan.scanResult"},
		"a scan without a name":            {"scan.created", without("name"), ""},
		"documents of the wrong type":      {"checkout.completed", documents("732829320"), "data.checkout.identification"},
		"a document that is not an object": {"checkout.completed", documents([]any{"732829320"}), "data.checkout.identification[0]"},
		"a document without number":        {"checkout.completed", documents([]any{object{"type": "france_siren"}}), "data.checkout.identification[0].identifier"},
		"a document of an unknown type":    {"checkout.completed", documents([]any{object{"type": "x", "identifier": "1"}}), "data.checkout.identification[0].type"},
		"a document":                       {"checkout.completed", documents([]any{object{"type": "france_siren", "identifier": "732829320"}}), ""},
		"an aborted checkout":              {"checkout.completed", object{"checkout": object{"status": "ABORTED"}}, "data.checkout.status"},
	} {
		var paths []string
		_, err := h.Do.Events.Publish(platform.Context(t.Context()), webhook.NewEvent{
			SellerID: h.Demo.Sellers[0].SellerID, Type: row.of, Data: parsed(t, systemtest.Printed(t, row.data)),
		})
		if err != nil {
			for _, field := range domain.AsError(err).Fields {
				paths = append(paths, field.Path)
			}
		}
		if got := strings.Join(paths, " "); got != row.wrong {
			t.Errorf("%s: got paths %q", name, got)
		}
	}
}
