package rest

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/access"
	"ticketgate/domain/apikey"
	"ticketgate/domain/decode"
	"ticketgate/domain/identification"
	"ticketgate/domain/sale"
	"ticketgate/domain/scan"
	"ticketgate/domain/webhook"
	"ticketgate/graph/edge"
)

func TestResponsesHaveTheFieldsOfTheirTypes(t *testing.T) {
	t.Parallel()
	schemas := servedDocument(t).Components.Schemas
	intent := reflect.TypeFor[sale.PurchaseIntent]()
	for name, kind := range map[string]reflect.Type{
		"ApiKeyMembers":          reflect.TypeFor[apikey.Key](),
		"Webhook":                reflect.TypeFor[webhook.Webhook](),
		"WebhookDeliveryMembers": reflect.TypeFor[webhook.Delivery](),
		"WebhookDeliveryDetail":  reflect.TypeFor[webhook.DeliveryDetail](),
		"WebhookAttempt":         reflect.TypeFor[webhook.Attempt](),
		"AccessList":             reflect.TypeFor[access.List](),
		"AccessListListener":     reflect.TypeFor[access.Listener](),
		"AccessListEntry":        reflect.TypeFor[access.Entry](),
		"EntryImportMembers":     reflect.TypeFor[access.Import](),
		"EntryImportReport":      reflect.TypeFor[access.Report](),
		"EntryImportLine":        reflect.TypeFor[access.ImportLine](),
		"ScanGroup":              reflect.TypeFor[scan.Group](),
		"ScanConfig":             reflect.TypeFor[scan.Config](),
		"ScanEventSettings":      reflect.TypeFor[scan.EventSettings](),
		"TimeslotSettings":       reflect.TypeFor[scan.TimeslotSettings](),
		"EventTimeSettings":      reflect.TypeFor[scan.EventTimeSettings](),
		"ScanTypes":              reflect.TypeFor[scan.Types](),
		"TapAndGo":               reflect.TypeFor[scan.TapAndGo](),
		"DeviceSettings":         reflect.TypeFor[scan.DeviceSettings](),
		"ColorSettings":          reflect.TypeFor[scan.ColorSettings](),
		"AccessUser":             reflect.TypeFor[scan.Device](),
		"AccessUserSettings":     reflect.TypeFor[scan.AccessSettings](),
		"PairingCode":            reflect.TypeFor[scan.PairingCode](),
		"NamedRecord":            reflect.TypeFor[scan.EventName](),
		"AccessControlSettings":  reflect.TypeFor[scan.ControlSettings](),
		"AccessUserSeller":       reflect.TypeFor[scan.SelfSeller](),
		"ScanFault":              reflect.TypeFor[scan.Fault](),
		"ThisAccessUser":         reflect.TypeFor[scan.Self](),
		"ThisAccessUserSettings": reflect.TypeFor[scan.SelfSettings](),
		"ScanAnswer":             reflect.TypeFor[scan.Answer](),
		"InsideZone":             reflect.TypeFor[scan.InsideZone](),
		"ScanWindow":             reflect.TypeFor[scan.Window](),
		"ScanUpload":             reflect.TypeFor[scan.Upload](),
		"ScanReceipt":            reflect.TypeFor[scan.Receipt](),
		"AccessUserFeed":         reflect.TypeFor[scan.ChangePage](),
		"AccessUserChange":       reflect.TypeFor[scan.Change](),
		"CheckoutMembers":        reflect.TypeFor[sale.Checkout](),
		"Buyer":                  reflect.TypeFor[sale.Buyer](),
		"Order":                  reflect.TypeFor[sale.Order](),
		"OrderItem":              reflect.TypeFor[sale.OrderItem](),
		"DetailsForm":            reflect.TypeFor[identification.Form](),
		"Requirement":            reflect.TypeFor[identification.Requirement](),
		"PurchaseIntent":         intent,
		"IdentificationDocument": reflect.TypeFor[identification.Document](),
		"Creator":                reflect.TypeFor[domain.Creator](),
		"Error":                  reflect.TypeFor[edge.ErrorBody](),
		"FieldError":             reflect.TypeFor[domain.FieldError](),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var members, required []string
			fields := slices.Collect(kind.Fields())
			if kind == intent {
				fields = reflect.VisibleFields(kind) // its order and its buyer have their own schemas
			}
			for _, field := range fields {
				member, options, _ := strings.Cut(field.Tag.Get("json"), ",")
				if member == "" || member == "-" || kind == reflect.TypeFor[apikey.Key]() && member == "key" {
					continue // the secret has its own schema
				}
				members = append(members, member)
				if options == "" {
					required = append(required, member)
				}
			}
			compare(t, schemas[name], members, required)
		})
	}
}

func TestRequestsHaveTheFieldsOfTheirTypes(t *testing.T) {
	t.Parallel()
	schemas := servedDocument(t).Components.Schemas
	key, hook := reflect.TypeFor[apikey.Key](), reflect.TypeFor[webhook.Webhook]()
	for name, kinds := range map[string]struct{ input, resource reflect.Type }{
		"CreateApiKeyRequest":  {reflect.TypeFor[apikey.NewKey](), key},
		"UpdateApiKeyRequest":  {reflect.TypeFor[apikey.Change](), key},
		"DefaultApiKeyRequest": {reflect.TypeFor[apikey.DefaultOf](), key},
		"CreateWebhookRequest": {reflect.TypeFor[webhook.NewWebhook](), hook},
		"UpdateWebhookRequest": {reflect.TypeFor[webhook.Change](), hook},

		"CreateAccessListRequest": {reflect.TypeFor[access.NewList](), reflect.TypeFor[access.List]()},
		"UpdateAccessListRequest": {reflect.TypeFor[access.ListChange](), reflect.TypeFor[access.List]()},
		"CreateScanGroupRequest":  {reflect.TypeFor[scan.NewGroup](), reflect.TypeFor[scan.Group]()},
		"UpdateScanGroupRequest":  {reflect.TypeFor[scan.GroupChange](), reflect.TypeFor[scan.Group]()},
		"CreateAccessUserRequest": {reflect.TypeFor[scan.NewDevice](), reflect.TypeFor[scan.Device]()},
		"UpdateAccessUserRequest": {reflect.TypeFor[scan.DeviceChange](), reflect.TypeFor[scan.Device]()},
		"PairAccessUserRequest":   {reflect.TypeFor[scan.Pairing](), reflect.TypeFor[scan.Device]()},
		"AccessListEntryRequest":  {reflect.TypeFor[access.NewEntry](), reflect.TypeFor[access.Entry]()},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			names, required := decode.Fields(kinds.input)
			members := decode.Names(kinds.resource)
			for _, field := range names {
				members[field] = true
			}
			compare(t, schemas[name], sorted(members), required)
			for field := range members {
				taken := slices.Contains(names, field)
				if ignored := schemas[name].Properties[field].Ref == "#/components/schemas/Ignored"; ignored == taken {
					t.Errorf("%s: documented as ignored is %v", field, ignored)
				}
			}
		})
	}
}
