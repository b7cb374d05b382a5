package main

import (
	"reflect"
	"slices"

	"ticketgate/domain"
	"ticketgate/domain/access"
	"ticketgate/domain/apikey"
	"ticketgate/domain/identification"
	"ticketgate/domain/sale"
	"ticketgate/domain/scan"
	"ticketgate/domain/ticket"
	"ticketgate/domain/webhook"
)

// component is the schema of an object.
type component struct {
	name    string // name in the document
	graphql string // the type or input that describes it
	of      reflect.Type
	// resource is the type that a request creates or changes. Its other fields may be sent without effect.
	resource reflect.Type
	// extends is the name of another schema whose fields the component also has.
	extends string
	// without is the name of a field that another schema adds.
	without string
	kind    kind
}

type kind int

const (
	closed kind = iota // no other fields
	open               // other fields allowed
	part               // part of the schemas that extend it
	flat               // closed, with the fields of embedded structs
)

// components lists the schemas of objects in the order of the document.
func components() []component {
	return slices.Concat(keyComponents(), accessListComponents(), scanGroupComponents(), deviceComponents(), scanComponents(),
		saleComponents(), webhookComponents())
}

func keyComponents() []component {
	key := reflect.TypeFor[apikey.Key]()
	return []component{
		{name: "Creator", graphql: "Creator", of: reflect.TypeFor[domain.Creator]()},
		{name: "ApiKeyMembers", graphql: "ApiKey", of: key, kind: part, without: "key"},
		{name: "CreateApiKeyRequest", graphql: "CreateApiKeyInput", of: reflect.TypeFor[apikey.NewKey](), resource: key},
		{name: "UpdateApiKeyRequest", graphql: "UpdateApiKeyInput", of: reflect.TypeFor[apikey.Change](), resource: key},
		{name: "DefaultApiKeyRequest", graphql: "DefaultApiKeyInput", of: reflect.TypeFor[apikey.DefaultOf](), resource: key},
	}
}

func accessListComponents() []component {
	list, entry := reflect.TypeFor[access.List](), reflect.TypeFor[access.Entry]()
	return []component{
		{name: "AccessListListener", graphql: "AccessListListener", of: reflect.TypeFor[access.Listener]()},
		{name: "AccessList", graphql: "AccessList", of: list},
		{name: "CreateAccessListRequest", graphql: "CreateAccessListInput", of: reflect.TypeFor[access.NewList](), resource: list},
		{name: "UpdateAccessListRequest", graphql: "UpdateAccessListInput", of: reflect.TypeFor[access.ListChange](), resource: list},
		{name: "AccessListListenerRequest", graphql: "AccessListListenerInput", of: reflect.TypeFor[access.NewListener]()},
		{name: "AccessListEntry", graphql: "AccessListEntry", of: entry},
		{name: "AccessListEntryRequest", graphql: "AccessListEntryInput", of: reflect.TypeFor[access.NewEntry](), resource: entry},
		{name: "EntryImportMembers", graphql: "EntryImport", of: reflect.TypeFor[access.Import](), kind: part},
		{name: "EntryImportReport", graphql: "EntryImportReport", of: reflect.TypeFor[access.Report](), extends: "EntryImportMembers"},
		{name: "EntryImportCounts", graphql: "EntryImportCounts", of: reflect.TypeFor[access.Counts]()},
		{name: "EntryImportLine", graphql: "EntryImportLine", of: reflect.TypeFor[access.ImportLine]()},
		{name: "EntryImportSample", graphql: "EntryImportSample", of: reflect.TypeFor[access.Sample]()},
		{name: "EntryImportSampleResult", graphql: "EntryImportSampleResult", of: reflect.TypeFor[access.SampleResult]()},
		{name: "EntryImportResult", graphql: "EntryImportResult", of: reflect.TypeFor[access.Result]()},
		{name: "EntryImportUndo", graphql: "EntryImportUndo", of: reflect.TypeFor[access.UndoResult]()},
		{name: "CommitEntryImportRequest", graphql: "CommitEntryImportInput", of: reflect.TypeFor[access.Commit](), kind: open},
	}
}

func scanGroupComponents() []component {
	group := reflect.TypeFor[scan.Group]()
	return []component{
		{name: "ScanGroup", graphql: "ScanGroup", of: group},
		{name: "ScanConfig", graphql: "ScanConfig", of: reflect.TypeFor[scan.Config]()},
		{name: "ScanEventSettings", graphql: "ScanEventSettings", of: reflect.TypeFor[scan.EventSettings]()},
		{name: "TimeslotSettings", graphql: "TimeslotSettings", of: reflect.TypeFor[scan.TimeslotSettings]()},
		{name: "EventTimeSettings", graphql: "EventTimeSettings", of: reflect.TypeFor[scan.EventTimeSettings]()},
		{name: "ScanTypes", graphql: "ScanTypes", of: reflect.TypeFor[scan.Types]()},
		{name: "TapAndGo", graphql: "TapAndGo", of: reflect.TypeFor[scan.TapAndGo]()},
		{name: "DeviceSettings", graphql: "ScanGroupDeviceSettings", of: reflect.TypeFor[scan.DeviceSettings]()},
		{name: "ColorSettings", graphql: "ColorSettings", of: reflect.TypeFor[scan.ColorSettings]()},
		{name: "CreateScanGroupRequest", graphql: "CreateScanGroupInput", of: reflect.TypeFor[scan.NewGroup](), resource: group},
		{name: "UpdateScanGroupRequest", graphql: "UpdateScanGroupInput", of: reflect.TypeFor[scan.GroupChange](), resource: group},
		{name: "ScanConfigRequest", graphql: "ScanConfigInput", of: reflect.TypeFor[scan.Config]()},
		{name: "ScanEventSettingsRequest", graphql: "ScanEventSettingsInput", of: reflect.TypeFor[scan.EventSettings]()},
		{name: "TimeslotSettingsRequest", graphql: "TimeslotSettingsInput", of: reflect.TypeFor[scan.TimeslotSettings]()},
		{name: "EventTimeSettingsRequest", graphql: "EventTimeSettingsInput", of: reflect.TypeFor[scan.EventTimeSettings]()},
		{name: "ScanTypesRequest", graphql: "ScanTypesInput", of: reflect.TypeFor[scan.Types]()},
		{name: "TapAndGoRequest", graphql: "TapAndGoInput", of: reflect.TypeFor[scan.TapAndGo]()},
		{name: "DeviceSettingsRequest", graphql: "ScanGroupDeviceSettingsInput", of: reflect.TypeFor[scan.DeviceSettings]()},
		{name: "ColorSettingsRequest", graphql: "ColorSettingsInput", of: reflect.TypeFor[scan.ColorSettings]()},
	}
}

func deviceComponents() []component {
	device := reflect.TypeFor[scan.Device]()
	return []component{
		{name: "AccessUser", graphql: "AccessUser", of: device},
		{name: "AccessControlSettings", graphql: "AccessControlSettings", of: reflect.TypeFor[scan.ControlSettings]()},
		{name: "AccessUserSeller", graphql: "AccessUserSeller", of: reflect.TypeFor[scan.SelfSeller]()},
		{name: "AccessUserSettings", graphql: "AccessUserSettings", of: reflect.TypeFor[scan.AccessSettings]()},
		{name: "AccessUserSettingsRequest", graphql: "AccessUserSettingsInput", of: reflect.TypeFor[scan.AccessSettings]()},
		{name: "CreateAccessUserRequest", graphql: "CreateAccessUserInput", of: reflect.TypeFor[scan.NewDevice](), resource: device},
		{name: "UpdateAccessUserRequest", graphql: "UpdateAccessUserInput", of: reflect.TypeFor[scan.DeviceChange](), resource: device},
		{name: "PairAccessUserRequest", graphql: "PairAccessUserInput", of: reflect.TypeFor[scan.Pairing](), resource: device},
		{name: "PairingCode", graphql: "PairingCode", of: reflect.TypeFor[scan.PairingCode]()},
		{name: "NamedRecord", graphql: "EventName", of: reflect.TypeFor[scan.EventName]()},
		{name: "ThisAccessUser", graphql: "ThisAccessUser", of: reflect.TypeFor[scan.Self]()},
		{name: "ThisAccessUserSettings", graphql: "ThisAccessUserSettings", of: reflect.TypeFor[scan.SelfSettings]()},
		{name: "AccessUserFeed", graphql: "DeviceFeed", of: reflect.TypeFor[scan.ChangePage]()},
		{name: "AccessUserChange", graphql: "DeviceChange", of: reflect.TypeFor[scan.Change]()},
	}
}

func scanComponents() []component {
	return []component{
		{name: "ScannedTicket", graphql: "Ticket", of: reflect.TypeFor[ticket.Ticket](), kind: open},
		{name: "Seating", graphql: "Seating", of: reflect.TypeFor[ticket.Seating](), kind: open},
		{name: "TicketPackage", graphql: "TicketPackage", of: reflect.TypeFor[ticket.Package](), kind: open},
		{name: "TicketLock", graphql: "TicketLock", of: reflect.TypeFor[ticket.Lock](), kind: open},
		{name: "AddOn", graphql: "AddOn", of: reflect.TypeFor[ticket.AddOn](), kind: open},
		{name: "Capability", graphql: "Capability", of: reflect.TypeFor[ticket.Capability](), kind: open},
		{name: "CapabilitySettings", graphql: "CapabilitySettings", of: reflect.TypeFor[ticket.CapabilitySettings](), kind: open},
		{name: "ReturnPhase", graphql: "ReturnPhase", of: reflect.TypeFor[ticket.ReturnPhase](), kind: open},
		{name: "ReturnCondition", graphql: "ReturnCondition", of: reflect.TypeFor[ticket.ReturnCondition](), kind: open},
		{name: "ScanAnswer", graphql: "ScanAnswer", of: reflect.TypeFor[scan.Answer]()},
		{name: "InsideZone", graphql: "InsideZone", of: reflect.TypeFor[scan.InsideZone]()},
		{name: "ScanWindow", graphql: "ScanWindow", of: reflect.TypeFor[scan.Window]()},
		{name: "Scan", graphql: "Scan", of: reflect.TypeFor[scan.Scan](), kind: flat},
		{name: "UploadedScan", graphql: "UploadedScanInput", of: reflect.TypeFor[scan.Uploaded](), kind: open},
		{name: "ScanUpload", graphql: "ScanUpload", of: reflect.TypeFor[scan.Upload]()},
		{name: "ScanReceipt", graphql: "ScanReceipt", of: reflect.TypeFor[scan.Receipt]()},
		{name: "ScanFault", graphql: "ScanFault", of: reflect.TypeFor[scan.Fault]()},
	}
}

func saleComponents() []component {
	return []component{
		{name: "Buyer", graphql: "Checkout", of: reflect.TypeFor[sale.Buyer](), kind: part},
		{name: "Order", graphql: "Checkout", of: reflect.TypeFor[sale.Order](), kind: part},
		{name: "OrderItem", graphql: "OrderItem", of: reflect.TypeFor[sale.OrderItem]()},
		{name: "IdentificationDocument", graphql: "IdentificationDocument", of: reflect.TypeFor[identification.Document]()},
		{name: "CheckoutMembers", graphql: "Checkout", of: reflect.TypeFor[sale.Checkout](), kind: part},
		{name: "CreateCheckoutRequest", graphql: "CreateCheckoutInput", of: reflect.TypeFor[sale.NewCheckout](), kind: open},
		{name: "CheckoutDetailsRequest", graphql: "CheckoutDetailsInput", of: reflect.TypeFor[sale.Details](), kind: open},
		{name: "WantedItem", graphql: "WantedItemInput", of: reflect.TypeFor[sale.WantedItem](), kind: open},
		{name: "DetailsForm", graphql: "CheckoutDetailsForm", of: reflect.TypeFor[identification.Form]()},
		{name: "Requirement", graphql: "IdentificationRequirement", of: reflect.TypeFor[identification.Requirement]()},
		{name: "IdentificationText", graphql: "IdentificationText", of: reflect.TypeFor[identification.Text]()},
		{name: "PurchaseIntent", graphql: "PurchaseIntent", of: reflect.TypeFor[sale.PurchaseIntent](), kind: flat},
		{
			name: "CreatePurchaseIntentRequest", graphql: "CreatePurchaseIntentInput",
			of: reflect.TypeFor[sale.NewPurchaseIntent](), kind: open,
		},
	}
}

func webhookComponents() []component {
	hook := reflect.TypeFor[webhook.Webhook]()
	return []component{
		{name: "Webhook", graphql: "Webhook", of: hook},
		{name: "CreateWebhookRequest", graphql: "CreateWebhookInput", of: reflect.TypeFor[webhook.NewWebhook](), resource: hook},
		{name: "SendTestEventRequest", graphql: "SendTestEventInput", of: reflect.TypeFor[webhook.TestEvent]()},
		{name: "UpdateWebhookRequest", graphql: "UpdateWebhookInput", of: reflect.TypeFor[webhook.Change](), resource: hook},
		{name: "WebhookDeliveryMembers", graphql: "Delivery", of: reflect.TypeFor[webhook.Delivery](), kind: part},
		{
			name: "WebhookDeliveryDetail", graphql: "DeliveryDetail",
			of: reflect.TypeFor[webhook.DeliveryDetail](), extends: "WebhookDeliveryMembers",
		},
		{name: "WebhookAttempt", graphql: "Attempt", of: reflect.TypeFor[webhook.Attempt]()},
	}
}

// elsewhere maps types without a component to their schemas.
var elsewhere = map[string]string{"SellerName": "NamedRecord", "ScanFieldFault": "FieldError"}
