package apis

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
)

// Documents for inputs of the type in parentheses.
const (
	changesEvent   = `updateEvent(id: "x", input: %s) (UpdateEventInput)`
	changesType    = `updateTicketType(id: "x", input: %s) (UpdateTicketTypeInput)`
	changesKey     = `updateApiKey(id: "x", input: %s) (UpdateApiKeyInput)`
	createsWebhook = `createWebhook(input: %s) (CreateWebhookInput)`
	changesSeller  = `updateSeller(input: %s) (UpdateSellerInput)`
	previewsImport = `previewEntryImport(input: %s) (PreviewEntryImportInput)`
	changesIntent  = `updatePurchaseIntent(id: "x", input: %s) (UpdatePurchaseIntentInput)`
	createsDevice  = `createAccessUser(input: %s) (CreateAccessUserInput)`
	commitsImport  = `commitEntryImport(listId: "x", id: "y", input: %s) (CommitEntryImportInput)`
	changesList    = `updateAccessList(id: "x", input: %s) (UpdateAccessListInput)`
)

// One response names every fault of an input, with the path of its field (BODY-3). A value of the wrong type is
// INVALID_REQUEST, an invalid value is VALIDATION_FAILED. The schema's own checks come first.
func TestInputErrorsNameFields(t *testing.T) {
	const dateTime = "must be an RFC 3339 date-time such as 2026-11-27T20:37:00.120Z"
	h := apitest.Open(t)
	seller := h.Demo.Sellers[0]
	admin := h.Session(t, seller.AdminEmail, seller.AdminPassword).On(seller.SellerID)
	for _, test := range []struct{ place, input, want string }{
		{changesEvent, `{"start":"tomorrow"}`, "VALIDATION_FAILED at updateEvent.input.start: start " + dateTime},
		{
			changesEvent, `{"start":"tomorrow","meta":{"a":1},"end":5,"expectedUpdatedAt":"now"}`,
			"VALIDATION_FAILED at updateEvent.input.start: start " + dateTime + "; end " + dateTime + "; expectedUpdatedAt " + dateTime,
		},
		{changesEvent, `{start: "tomorrow"}`, "VALIDATION_FAILED at updateEvent.input.start: start " + dateTime},
		{
			changesEvent, `{meta: {a: 1e400}}`,
			"INVALID_REQUEST at : meta.a is too large for a number: the largest is 1.7976931348623157e+308",
		},
		{
			changesEvent, `{"codeDisplay":"qr","maxAmount":"1"}`,
			"INVALID_REQUEST at : variables.input.codeDisplay must be one of QR, BARCODE, NONE; " +
				"variables.input.maxAmount must be an integer of at most 64 bits",
		},
		{
			changesEvent, `{"maxAmount":1.5}`,
			"INVALID_REQUEST at variables.input.maxAmount: variables.input.maxAmount must be an integer of at most 64 bits",
		},
		{changesEvent, `{"nme":"1"}`, "INVALID_REQUEST at variables.input.nme: variables.input.nme is not a known field"},
		{changesEvent, `{"name":null}`, "NOT_FOUND at updateEvent: Event not found"},
		{
			changesType, `{"price":"1.10","taxRate":true}`,
			"INVALID_REQUEST at updateTicketType.input.price: price must be a number; taxRate must be a number",
		},
		{
			changesKey, `{"permissions":["webhooks:get",5]}`,
			"INVALID_REQUEST at updateApiKey.input.permissions.1: permissions[1] must be a permission such as accessLists:create",
		},
		{
			changesKey, `{"permissions":[5],"expiresAt":"no"}`,
			"VALIDATION_FAILED at updateApiKey.input.expiresAt: expiresAt must be null, an RFC 3339 date-time such as " +
				"2026-11-27T20:37:00.120Z or a number of milliseconds since 1970; permissions[0] must be a permission such as accessLists:create",
		},
		{
			createsWebhook, `{"name":"a","url":"https://example.com","events":{"scan.created":"yes","ticket.created":5}}`,
			`VALIDATION_FAILED at createWebhook.input.events: events["scan.created"] must be true or false, not a string; ` +
				`events["ticket.created"] must be true or false, not a number`,
		},
		{
			createsWebhook, `{name: "a", url: "https://example.com", events: {scan: 1}}`,
			`VALIDATION_FAILED at createWebhook.input.events: events["scan"] must be true or false, not a number`,
		},
		{
			createsWebhook, `{"name":"a","url":"https://example.com","events":[]}`,
			"VALIDATION_FAILED at createWebhook.input.events: events must be an object",
		},
		{
			changesSeller, `{"identificationConfig":[[{"type":"france_siren","identificationThreshold":"5"}]]}`,
			"INVALID_REQUEST at updateSeller.input.identificationConfig.0.0.identificationThreshold: " +
				"identificationConfig[0][0].identificationThreshold must be a number",
		},
		{changesSeller, `{"invoicing":{"hmacKey":"x"}}`, "INVALID_REQUEST at variables.input.invoicing.url: variables.input.invoicing.url is required"},
		{
			previewsImport, `{listId: "x", rows: [{externalCode: "1", email: 5}]}`,
			"INVALID_REQUEST at : String cannot represent a non string value: 5",
		},
		{
			changesIntent, `{"items":[{"ticketTypeId":"a","amount":1}],"expiresAt":5}`,
			"VALIDATION_FAILED at updatePurchaseIntent.input.expiresAt: expiresAt " + dateTime,
		},
		{createsDevice, `{"name":"a","expires":"x","events":"one"}`, "VALIDATION_FAILED at createAccessUser.input.expires: expires " + dateTime},
		{
			commitsImport, `{onConflict: UPDATE}`,
			`INVALID_REQUEST at : Value "UPDATE" does not exist in "EntryImportConflictRule" enum. Did you mean the enum value "update"?`,
		},
		{changesList, `{"name":"a","http":{"hmacKey":"x"}}`, "INVALID_REQUEST at variables.input.http.url: variables.input.http.url is required"},
	} {
		t.Run(test.input, func(t *testing.T) {
			place, kind, _ := strings.Cut(strings.TrimSuffix(test.place, ")"), " (")
			document, variables := fmt.Sprintf("mutation { "+place+" { _id } }", test.input), map[string]json.RawMessage(nil)
			if strings.HasPrefix(test.input, `{"`) {
				document = fmt.Sprintf("mutation($input: %s!) { "+place+" { _id } }", kind, "$input")
				variables = map[string]json.RawMessage{"input": json.RawMessage(test.input)}
			}
			if got := h.Execute(t, admin, document, variables); errorsOf(t, got.Body) != test.want {
				t.Errorf("got  %s\nwant %s", errorsOf(t, got.Body), test.want)
			}
		})
	}
}

// errorsOf returns each error of a response on a line. The details must match the message.
func errorsOf(t *testing.T, body []byte) string {
	t.Helper()
	var answer struct {
		Errors []struct {
			Message    string `json:"message"`
			Path       []any  `json:"path"`
			Extensions struct {
				Code    string                           `json:"code"`
				Details []struct{ Path, Message string } `json:"details"`
			} `json:"extensions"`
		} `json:"errors"`
	}
	systemtest.Must(t, json.Unmarshal(body, &answer))
	var lines []string
	for _, item := range answer.Errors {
		path := strings.Join(strings.Fields(strings.Trim(fmt.Sprint(item.Path), "[]")), ".")
		lines = append(lines, fmt.Sprintf("%s at %s: %s", item.Extensions.Code, path, item.Message))
		var details []string
		for _, detail := range item.Extensions.Details {
			details = append(details, detail.Path+" "+detail.Message)
		}
		if said := strings.Join(details, "; "); said != "" && said != item.Message {
			t.Errorf("details %q don't match message %q", said, item.Message)
		}
	}
	return strings.Join(lines, "\n")
}
