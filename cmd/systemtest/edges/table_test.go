package edges

import (
	"strings"

	"ticketgate/domain"
)

// edgeRow is a field that leads from an object to others, or adds to it. Names in angle brackets are ids of linked.
type edgeRow struct {
	// follow is the text after the name of the field. found is the expected result. If it ends with an ellipsis, more
	// follows.
	follow, found string
	// reads is the operation whose rights the edge requires.
	reads domain.Operation
	// from is the record from which the edge is followed, unless it is the usual one of its type.
	from string
	// list are arguments of the list for TestEdgeTakesOneStatement, if its first object has nothing behind the edge.
	list string
	// statements is the number of statements if it is not 1, for edges to objects of several types.
	statements int
	// by is the caller that follows the edge, unless it is a key with full access.
	by string
	// triedBy is the test of its rights, if the type has no lookup or the rights are not an operation's.
	triedBy string
}

// firstOf follows an edge to many objects.
const firstOf = "(first: 1) { nodes { _id } }"

// Callers that follow an edge, if not a key with full access.
const (
	administrator = "administrator"
	systemCaller  = "platform"
)

// Tests of edges that TestEdgeNeedsPermissionOfOperation does not try.
const (
	triedForPeople  = "TestEdgesForAdministrators, tenant.TestEdgesMatchLists"
	triedForCodes   = "TestEdgesOfAnUnknownCode"
	triedForObjects = "TestDeliveryObject"
)

// edges are all fields that lead to another object, by type and name.
var edges = map[string]edgeRow{
	"AccessList.entries": {
		follow: `(first: 1, filter: {externalCode: "<barcode>"}) { nodes { _id } }`, found: `{"nodes":[{"_id":"<entry>"}]}`, reads: domain.ListEntries,
	},
	"AccessList.size": {
		follow: "{ listId entries more }", found: `{"listId":"<list>","entries":2,"more":false}`, reads: domain.GetListSizes,
	},
	"AccessListEntry.customer":  {follow: "{ _id }", found: `{"_id":"<customer>"}`, reads: domain.GetCustomer},
	"AccessListEntry.list":      {follow: "{ _id }", found: `{"_id":"<list>"}`, reads: domain.GetAccessList},
	"AccessListEntry.ticket":    {follow: "{ _id }", found: `{"_id":"<ticket>"}`, reads: domain.GetTicket},
	"AccessUser.assignedEvents": {follow: firstOf, found: `{"nodes":[{"_id":"<event>"}]}`, reads: domain.ListEvents},
	"AccessUser.scanCount": {
		follow: `(since: "2026-01-01T00:00:00.000Z")`, found: "<scans>", reads: domain.CountDeviceScans,
	},
	"AccessUser.scanGroup":     {follow: "{ _id }", found: `{"_id":"<scanGroup>"}`, reads: domain.GetScanGroup},
	"AccessUser.scans":         {follow: firstOf, found: `{"nodes":[{"_id":"<firstScan>"}]}`, reads: domain.ListScans},
	"ApiKey.creator":           {follow: "{ name }", by: administrator, triedBy: triedForPeople},
	"ApiKey.usage":             {follow: "{ calls { calls } }", by: administrator, triedBy: triedForPeople},
	"AuditEntry.actor":         {follow: "{ name }", by: administrator, triedBy: triedForPeople},
	"AuditEntry.record":        {follow: "{ _id }", by: administrator, triedBy: triedForPeople},
	"AuditEntry.recordName":    {by: administrator, triedBy: triedForPeople},
	"Checkout.customer":        {follow: "{ _id }", found: `{"_id":"<customer>"}`, reads: domain.GetCustomer},
	"Checkout.event":           {follow: "{ _id }", found: `{"_id":"<event>"}`, reads: domain.GetEvent},
	"Checkout.transaction":     {follow: "{ _id }", found: `{"_id":"<transaction>"}`, reads: domain.GetTransaction},
	"Customer.checkouts":       {follow: firstOf, found: `{"nodes":[{"_id":"<checkout>"}]}`, reads: domain.ListCheckouts},
	"Customer.invoices":        {follow: firstOf, found: `{"nodes":[{"_id":"<invoice>"}]}`, reads: domain.ListInvoices},
	"Customer.purchaseIntents": {follow: firstOf, found: `{"nodes":[{"_id":"<purchaseIntent>"}]}`, reads: domain.ListPurchaseIntents},
	"Customer.tickets":         {follow: firstOf, found: `{"nodes":[{"_id":"<ticket>"}]}`, reads: domain.ListTickets},
	"Customer.transactions":    {follow: firstOf, found: `{"nodes":[{"_id":"<transaction>"}]}`, reads: domain.ListTransactions},
	"Delivery.attempts": {
		follow: "{ nodes { number status } }", found: `{"nodes":[{"number":1,"status":503}]}`, reads: domain.GetDelivery,
	},
	"Delivery.lastAttempt": {follow: "{ number status }", found: `{"number":1,"status":503}`, reads: domain.GetDelivery},
	"Delivery.object":      {follow: "{ _id }", statements: 2, triedBy: triedForObjects},
	"Delivery.payload":     {found: `"{\"id\":\"<delivery>\",…`, reads: domain.GetDelivery},
	"Delivery.webhook":     {follow: "{ _id }", found: `{"_id":"<webhook>"}`, reads: domain.GetWebhook},
	"Event.children":       {follow: firstOf, found: `{"nodes":[{"_id":"<event>"}]}`, reads: domain.ListEvents, from: "above"},
	"Event.occupancy": {
		follow: "{ eventId inside checkedIn }", found: `{"eventId":"<event>","inside":2,"checkedIn":2}`, reads: domain.GetOccupancy,
	},
	"Event.parent":     {follow: "{ _id }", found: `{"_id":"<above>"}`, reads: domain.GetEvent},
	"Event.root":       {follow: "{ _id }", found: `{"_id":"<series>"}`, reads: domain.GetEvent},
	"Event.scanGroups": {follow: firstOf, found: `{"nodes":[{"_id":"<scanGroup>"}]}`, reads: domain.ListScanGroups},
	"Event.scanZones":  {follow: firstOf, found: `{"nodes":[{"_id":"<zone>"}]}`, reads: domain.ListScanZones},
	"Event.ticketTypes": {
		follow: firstOf, found: `{"nodes":[{"_id":"<ticketType>"}]}`, reads: domain.ListTicketTypes,
	},
	"Event.tickets": {
		follow: `(first: 1, filter: {transactionId: "<transaction>"}) { nodes { _id } }`, found: `{"nodes":[{"_id":"<ticket>"}]}`,
		reads: domain.ListTickets,
	},
	"Event.transactions": {follow: firstOf, found: `{"nodes":[{"_id":"<transaction>"}]}`, reads: domain.ListTransactions},
	"Invoice.canceledBy": {follow: firstOf, found: `{"nodes":[{"_id":"<cancellation>"}]}`, reads: domain.ListInvoices},
	"Invoice.canceledInvoice": {
		follow: "{ _id }", found: `{"_id":"<invoice>"}`, reads: domain.GetInvoice, from: "cancellation", list: "filter: { kind: cancellation }",
	},
	"Invoice.event":           {follow: "{ _id }", found: `{"_id":"<event>"}`, reads: domain.GetEvent},
	"Invoice.transaction":     {follow: "{ _id }", found: `{"_id":"<transaction>"}`, reads: domain.GetTransaction},
	"Organization.members":    {follow: "(first: 1) { nodes { role } }", by: systemCaller, triedBy: triedForPeople},
	"Organization.sellers":    {follow: firstOf, by: systemCaller, triedBy: triedForPeople},
	"PurchaseIntent.customer": {follow: "{ _id }", found: `{"_id":"<customer>"}`, reads: domain.GetCustomer},
	"PurchaseIntent.event":    {follow: "{ _id }", found: `{"_id":"<event>"}`, reads: domain.GetEvent},
	"Scan.device":             {follow: "{ _id }", found: `{"_id":"<device>"}`, reads: domain.GetDevice},
	"Scan.event":              {follow: "{ _id }", found: `{"_id":"<event>"}`, reads: domain.GetEvent},
	"Scan.scanGroup":          {follow: "{ _id }", found: `{"_id":"<scanGroup>"}`, reads: domain.GetScanGroup},
	"Scan.scanZone":           {follow: "{ _id }", found: `{"_id":"<zone>"}`, reads: domain.GetScanZone},
	"Scan.ticket":             {follow: "{ _id }", found: `{"_id":"<scanned>"}`, reads: domain.GetTicket},
	"ScanGroup.devices":       {follow: firstOf, found: `{"nodes":[{"_id":"<device>"}]}`, reads: domain.ListDevices},
	"ScanGroup.events":        {follow: firstOf, found: `{"nodes":[{"_id":"<event>"}]}`, reads: domain.ListEvents},
	"ScanGroup.scans":         {follow: firstOf, found: `{"nodes":[{"_id":"<firstScan>"}]}`, reads: domain.ListScans},
	"ScanGroup.ticketTypes":   {follow: firstOf, found: `{"nodes":[{"_id":"<ticketType>"}]}`, reads: domain.ListTicketTypes},
	"ScanZone.event":          {follow: "{ _id }", found: `{"_id":"<event>"}`, reads: domain.GetEvent},
	"Seller.members":          {follow: "(first: 1) { nodes { role } }", by: systemCaller, triedBy: triedForPeople},
	"Seller.organization":     {follow: "{ name }", by: systemCaller, triedBy: triedForPeople},
	"Ticket.customer":         {follow: "{ _id }", found: `{"_id":"<customer>"}`, reads: domain.GetCustomer},
	"Ticket.entry":            {follow: "{ _id }", found: `{"_id":"<entry>"}`, reads: domain.GetEntry},
	"Ticket.event":            {follow: "{ _id }", found: `{"_id":"<event>"}`, reads: domain.GetEvent},
	"Ticket.originTicket":     {follow: "{ _id }", found: `{"_id":"<origin>"}`, reads: domain.GetTicket},
	"Ticket.presence":         {follow: "{ inside }", found: `{"inside":true}`, reads: domain.GetOccupancy},
	"Ticket.scans":            {follow: firstOf, found: `{"nodes":[{"_id":"<scan>"}]}`, reads: domain.ListScans},
	"Ticket.ticketType":       {follow: "{ _id }", found: `{"_id":"<ticketType>"}`, reads: domain.GetTicketType},
	"Ticket.transaction":      {follow: "{ _id }", found: `{"_id":"<transaction>"}`, reads: domain.GetTransaction},
	"TicketType.checkedIn":    {found: "1", reads: domain.GetOccupancy},
	"TicketType.event":        {follow: "{ _id }", found: `{"_id":"<event>"}`, reads: domain.GetEvent},
	"TicketType.inside":       {found: "1", reads: domain.GetOccupancy},
	"TicketType.sold":         {found: "2", reads: domain.ListTickets},
	"Transaction.checkout":    {follow: "{ _id }", found: `{"_id":"<checkout>"}`, reads: domain.GetCheckout},
	"Transaction.customer":    {follow: "{ _id }", found: `{"_id":"<customer>"}`, reads: domain.GetCustomer},
	"Transaction.event":       {follow: "{ _id }", found: `{"_id":"<event>"}`, reads: domain.GetEvent},
	"Transaction.invoices": {
		follow: "{ nodes { _id } }", found: `{"nodes":[{"_id":"<invoice>"},{"_id":"<cancellation>"}]}`, reads: domain.ListInvoices,
	},
	"Transaction.issuedTickets": {follow: firstOf, found: `{"nodes":[{"_id":"<ticket>"}]}`, reads: domain.ListTickets},
	"UnknownCode.device":        {follow: "{ _id }", triedBy: triedForCodes},
	"UnknownCode.event":         {follow: "{ _id }", triedBy: triedForCodes},
	"Webhook.deliveries": {
		follow: "(first: 1, filter: {state: failed}) { nodes { id } }", found: `{"nodes":[{"id":"<delivery>"}]}`, reads: domain.ListDeliveries,
	},
	"Webhook.figures": {follow: "(period: WEEK) { calls }", found: `{"calls":0}`, reads: domain.ListWebhookFigures},
	"Webhook.statistics": {
		follow: "(period: HOUR) { calls byType { value } }", found: `{"calls":0,"byType":[]}`, reads: domain.GetWebhookStatistics,
	},
}

// reached describes how objects of a type are read: in a list and, if there is one, by a lookup.
type reached struct {
	lookup, list domain.Operation
	// of is the name of an object of the type in linked.
	of string
	// arguments are additional arguments of both.
	arguments string
	// order is the order of the list. Copies of sold records come first.
	order string
}

const newest = "order: NEWEST_FIRST"

// reachedBy are the types that edges lead from.
var reachedBy = map[string]reached{
	"AccessList":      {lookup: domain.GetAccessList, list: domain.ListAccessLists, of: "list"},
	"AccessListEntry": {lookup: domain.GetEntry, list: domain.ListEntries, of: "entry", arguments: `listId: "<list>"`},
	"AccessUser":      {lookup: domain.GetDevice, list: domain.ListDevices, of: "device"},
	"ApiKey":          {list: domain.FindAPIKeys, order: newest},
	"AuditEntry":      {list: domain.ListAuditLog, order: newest},
	"Checkout":        {lookup: domain.GetCheckout, list: domain.ListCheckouts, of: "checkout"},
	"Customer":        {lookup: domain.GetCustomer, list: domain.ListCustomers, of: "customer"},
	"Delivery":        {lookup: domain.FindDelivery, list: domain.ListDeliveries, of: "delivery"},
	"Event":           {lookup: domain.GetEvent, list: domain.ListEvents, of: "event"},
	"Invoice":         {lookup: domain.GetInvoice, list: domain.ListInvoices, of: "invoice"},
	"Organization":    {list: domain.ListOrganizations},
	"PurchaseIntent":  {lookup: domain.GetPurchaseIntent, list: domain.ListPurchaseIntents, of: "purchaseIntent"},
	"Scan":            {lookup: domain.GetScan, list: domain.ListScans, of: "firstScan"},
	"ScanGroup":       {lookup: domain.GetScanGroup, list: domain.ListScanGroups, of: "scanGroup"},
	"ScanZone":        {lookup: domain.GetScanZone, list: domain.ListScanZones, of: "zone"},
	"Seller":          {list: domain.ListSellers},
	"Ticket":          {lookup: domain.GetTicket, list: domain.ListTickets, of: "ticket", order: newest},
	"TicketType":      {lookup: domain.GetTicketType, list: domain.ListTicketTypes, of: "ticketType"},
	"Transaction":     {lookup: domain.GetTransaction, list: domain.ListTransactions, of: "transaction"},
	"UnknownCode":     {list: domain.ListUnknownCodes},
	"Webhook":         {lookup: domain.GetWebhook, list: domain.ListWebhooks, of: "webhook"},
}

// idOf returns the name of the id field of a type.
func idOf(typeName string) string {
	if typeName == "Delivery" {
		return "id"
	}
	return "_id"
}

// replaced replaces names in angle brackets by ids.
func replaced(ids map[string]string, text string) string {
	for name, id := range ids {
		text = strings.ReplaceAll(text, "<"+name+">", id)
	}
	return text
}

// argumentsOf joins the arguments that are not empty.
func argumentsOf(arguments ...string) string {
	var given []string
	for _, item := range arguments {
		if item != "" {
			given = append(given, item)
		}
	}
	return strings.Join(given, ", ")
}
