package graph_test

import (
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"ticketgate/domain/access"
	"ticketgate/domain/apikey"
	"ticketgate/domain/audit"
	"ticketgate/domain/catalog"
	"ticketgate/domain/decode"
	"ticketgate/domain/identification"
	"ticketgate/domain/sale"
	"ticketgate/domain/scan"
	"ticketgate/domain/tenant"
	"ticketgate/domain/ticket"
	"ticketgate/domain/webhook"
	"ticketgate/graph/generated"
)

// selfDecoding lists the inputs that decode themselves.
var selfDecoding = map[string]reflect.Type{
	"AccessListEntryInput":      reflect.TypeFor[access.NewEntry](),
	"AccessListListenerInput":   reflect.TypeFor[access.NewListener](),
	"CommitEntryImportInput":    reflect.TypeFor[access.Commit](),
	"CreateAccessListInput":     reflect.TypeFor[access.NewList](),
	"UpdateAccessListInput":     reflect.TypeFor[access.ListChange](),
	"CreateApiKeyInput":         reflect.TypeFor[apikey.NewKey](),
	"RotateApiKeyInput":         reflect.TypeFor[apikey.Rotation](),
	"UpdateApiKeyInput":         reflect.TypeFor[apikey.Change](),
	"UpdateCustomerInput":       reflect.TypeFor[catalog.CustomerChange](),
	"UpdateEventInput":          reflect.TypeFor[catalog.EventChange](),
	"UpdateScanZoneInput":       reflect.TypeFor[catalog.ScanZoneChange](),
	"UpdateTicketTypeInput":     reflect.TypeFor[catalog.TicketTypeChange](),
	"UpdatePurchaseIntentInput": reflect.TypeFor[sale.PurchaseIntentChange](),
	"CreateAccessUserInput":     reflect.TypeFor[scan.NewDevice](),
	"UpdateAccessUserInput":     reflect.TypeFor[scan.DeviceChange](),
	"CreateScanGroupInput":      reflect.TypeFor[scan.NewGroup](),
	"UpdateScanGroupInput":      reflect.TypeFor[scan.GroupChange](),
	"InvoicingInput":            reflect.TypeFor[tenant.InvoicingChange](),
	"UpdateSellerInput":         reflect.TypeFor[tenant.SellerChange](),
	"CreateWebhookInput":        reflect.TypeFor[webhook.NewWebhook](),
	"UpdateWebhookInput":        reflect.TypeFor[webhook.Change](),
	"AccessUserFilter":          reflect.TypeFor[scan.DeviceFilter](),
	"AccessUserTicketFilter":    reflect.TypeFor[scan.TicketSpan](),
	"ApiKeyFilter":              reflect.TypeFor[apikey.Filter](),
	"AuditLogFilter":            reflect.TypeFor[audit.Filter](),
	"CheckoutFilter":            reflect.TypeFor[sale.CheckoutFilter](),
	"ContinueEntryImportInput":  reflect.TypeFor[access.ImportContinuation](),
	"CreateEventInput":          reflect.TypeFor[catalog.NewEvent](),
	"CreatePurchaseIntentInput": reflect.TypeFor[sale.NewPurchaseIntent](),
	"CreateTicketTypeInput":     reflect.TypeFor[catalog.NewTicketType](),
	"CustomerFilter":            reflect.TypeFor[catalog.CustomerFilter](),
	"DeliveryFilter":            reflect.TypeFor[webhook.DeliveryFilter](),
	"EventFilter":               reflect.TypeFor[catalog.EventFilter](),
	"InvoiceFilter":             reflect.TypeFor[sale.InvoiceFilter](),
	"PreviewEntryImportInput":   reflect.TypeFor[access.ImportChange](),
	"PublishEventInput":         reflect.TypeFor[webhook.NewEvent](),
	"PublishEventsInput":        reflect.TypeFor[webhook.NewEvents](),
	"PurchaseIntentFilter":      reflect.TypeFor[sale.PurchaseIntentFilter](),
	"ScanFilter":                reflect.TypeFor[scan.Filter](),
	"SendTestEventInput":        reflect.TypeFor[webhook.TestEvent](),
	"SimulateScanInput":         reflect.TypeFor[scan.Simulation](),
	"TicketFilter":              reflect.TypeFor[ticket.Filter](),
	"TransactionFilter":         reflect.TypeFor[sale.TransactionFilter](),
	"UploadedScanInput":         reflect.TypeFor[scan.Uploaded](),
}

// insideSelfDecoding lists the inputs that occur only within those.
var insideSelfDecoding = map[string]reflect.Type{
	"AssumedScanInput":               reflect.TypeFor[scan.AssumedPass](),
	"EntryImportRecordInput":         reflect.TypeFor[access.ImportRecord](),
	"EventOfManyInput":               reflect.TypeFor[webhook.EventOfMany](),
	"AccessUserSettingsInput":        reflect.TypeFor[scan.AccessSettings](),
	"ColorSettingsInput":             reflect.TypeFor[scan.ColorSettings](),
	"EventTimeSettingsInput":         reflect.TypeFor[scan.EventTimeSettings](),
	"IdentificationRequirementInput": reflect.TypeFor[identification.Requirement](),
	"ScanConfigInput":                reflect.TypeFor[scan.Config](),
	"ScanEventSettingsInput":         reflect.TypeFor[scan.EventSettings](),
	"ScanGroupDeviceSettingsInput":   reflect.TypeFor[scan.DeviceSettings](),
	"ScanTypesInput":                 reflect.TypeFor[scan.Types](),
	"TapAndGoInput":                  reflect.TypeFor[scan.TapAndGo](),
	"TimeslotSettingsInput":          reflect.TypeFor[scan.TimeslotSettings](),
	"WantedItemInput":                reflect.TypeFor[sale.WantedItem](),
}

// The decoder finds a field by its tag, gqlgen by its Go name. A field known to only one of them would be lost (BODY-3).
// The decoder knows no defaults of the schema, except zero values.
func TestDecodedInputsHaveSchemaFields(t *testing.T) {
	t.Parallel()
	schema := generated.NewExecutableSchema(generated.Config{}).Schema()
	types := maps.Clone(selfDecoding)
	maps.Copy(types, insideSelfDecoding)
	for name, kind := range types {
		var fields []string
		for _, field := range schema.Types[name].Fields {
			fields = append(fields, field.Name)
			if inner := schema.Types[field.Type.Name()]; inner.Kind == ast.InputObject && types[inner.Name] == nil {
				t.Errorf("%s.%s: %s is not compared with its Go type", name, field.Name, inner.Name)
			}
			if field.DefaultValue != nil && field.DefaultValue.Raw != "false" {
				t.Errorf("%s.%s has a default", name, field.Name)
			}
		}
		decoded := slices.Clone(decode.InputFields(kind))
		slices.Sort(fields)
		slices.Sort(decoded)
		if !slices.Equal(fields, decoded) {
			t.Errorf("%s has the fields %v, and decodes %v", name, fields, decoded)
		}
	}
}

// gqlgen names the code for a domain.Optional without its type argument. With two such types for one type of the schema,
// it would be undefined which one is generated.
func TestSchemaTypeHasOneOptionalType(t *testing.T) {
	t.Parallel()
	schema := generated.NewExecutableSchema(generated.Config{}).Schema()
	kinds := map[string]reflect.Type{}
	for name, input := range selfDecoding {
		for _, field := range reflect.VisibleFields(input) {
			tag, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			defined := schema.Types[name].Fields.ForName(tag)
			if defined == nil || !strings.HasPrefix(field.Type.Name(), "Optional[") {
				continue
			}
			of := defined.Type.String()
			if other, known := kinds[of]; known && other != field.Type {
				t.Errorf("%s is %v in %s, and %v elsewhere", of, field.Type, name, other)
			}
			kinds[of] = field.Type
		}
	}
}

// An input with an optional field must decode itself. Otherwise, gqlgen would decode the field, which fails.
func TestInputsWithOptionalFieldsDecodeThemselves(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("generated/*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	var text strings.Builder
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text.Write(source)
	}
	if calls := regexp.MustCompile(`ec\.unmarshal\S+ᚐOptional\(`).FindAllString(text.String(), -1); calls != nil {
		t.Errorf("the generated code decodes optional fields: %v", calls)
	}
	var themselves []string
	for name, definition := range generated.NewExecutableSchema(generated.Config{}).Schema().Types {
		if definition.Kind == ast.InputObject && !strings.Contains(text.String(), " unmarshalInput"+name+"(") {
			themselves = append(themselves, name)
		}
	}
	if want := slices.Sorted(maps.Keys(selfDecoding)); !slices.Equal(slices.Sorted(slices.Values(themselves)), want) {
		t.Errorf("%v decode themselves, want %v", themselves, want)
	}
}
