package domain

import "maps"

// Operation names one thing a caller may do. It is also the name of the GraphQL root field that does it.
type Operation string

// The operations, by area.
const (
	Login              Operation = "login"
	Logout             Operation = "logout"
	LogoutEverywhere   Operation = "logoutEverywhere"
	Me                 Operation = "me"
	Sessions           Operation = "sessions"
	ChangePassword     Operation = "changePassword"
	ListOrganizations  Operation = "organizations"
	CreateOrganization Operation = "createOrganization"
	ListSellers        Operation = "sellers"
	GetSeller          Operation = "seller"
	CreateSeller       Operation = "createSeller"
	UpdateSeller       Operation = "updateSeller"
	ListMembers        Operation = "members"
	AddMember          Operation = "addMember"
	UpdateMember       Operation = "updateMember"
	RemoveMember       Operation = "removeMember"
	LeaveMembership    Operation = "leaveMembership"
	ListInvitations    Operation = "invitations"
	GetInvitation      Operation = "invitation"
	ResendInvitation   Operation = "resendInvitation"
	WithdrawInvitation Operation = "withdrawInvitation"
	AcceptInvitation   Operation = "acceptInvitation"
	IssuePasswordReset Operation = "issuePasswordReset"
	ResetPassword      Operation = "resetPassword"
	CreateAPIKey       Operation = "createApiKey"
	ListAPIKeys        Operation = "apiKeys"
	FindAPIKeys        Operation = "keys"
	GetAPIKey          Operation = "apiKey"
	UpdateAPIKey       Operation = "updateApiKey"
	RotateAPIKey       Operation = "rotateApiKey"
	GetAPIKeyUsage     Operation = "apiKeyUsage"
	GetAPIKeyInfo      Operation = "apiKeyInfo"
	GetDefaultAPIKey   Operation = "defaultApiKey"
	ListPermissions    Operation = "permissions"
	CreateWebhook      Operation = "createWebhook"
	ListWebhooks       Operation = "webhooks"
	GetWebhook         Operation = "webhook"
	UpdateWebhook      Operation = "updateWebhook"
	DeleteWebhook      Operation = "deleteWebhook"
	ListDeliveries     Operation = "webhookDeliveries"
	GetDelivery        Operation = "webhookDelivery"
	FindDelivery       Operation = "delivery"
	RetryDelivery      Operation = "retryWebhookDelivery"
	SendTestEvent      Operation = "sendTestEvent"
	CheckSignature     Operation = "checkWebhookSignature"
	PublishEvent       Operation = "publishEvent"
	PublishEvents      Operation = "publishEvents"
	ListEventTypes     Operation = "eventTypes"
	ListAuditLog       Operation = "auditLog"
	Search             Operation = "search"
	GetNode            Operation = "node"

	ListWebhookFigures   Operation = "webhookFigures"
	GetWebhookStatistics Operation = "webhookStatistics"
	WatchDeliveries      Operation = "webhookDeliveriesChanged"
	RetryDeliveries      Operation = "retriggerDeliveries"
	WatchScans           Operation = "scansChanged"

	ListEvents         Operation = "events"
	GetEvent           Operation = "event"
	CreateEvent        Operation = "createEvent"
	UpdateEvent        Operation = "updateEvent"
	DeleteEvent        Operation = "deleteEvent"
	ListTicketTypes    Operation = "ticketTypes"
	GetTicketType      Operation = "ticketType"
	CreateTicketType   Operation = "createTicketType"
	UpdateTicketType   Operation = "updateTicketType"
	DeleteTicketType   Operation = "deleteTicketType"
	ListScanZones      Operation = "scanZones"
	GetScanZone        Operation = "scanZone"
	CreateScanZone     Operation = "createScanZone"
	UpdateScanZone     Operation = "updateScanZone"
	ListCustomers      Operation = "customers"
	GetCustomer        Operation = "customer"
	CreateCustomer     Operation = "createCustomer"
	UpdateCustomer     Operation = "updateCustomer"
	ImportTickets      Operation = "importTickets"
	ListTickets        Operation = "tickets"
	GetTicket          Operation = "ticket"
	ImportTransactions Operation = "importTransactions"
	ListTransactions   Operation = "transactions"
	GetTransaction     Operation = "transaction"
	CreateCheckout     Operation = "createCheckout"
	ListCheckouts      Operation = "checkouts"
	GetCheckout        Operation = "checkout"
	GetDetailsForm     Operation = "checkoutDetailsForm"
	SubmitDetails      Operation = "submitCheckoutDetails"
	AbortCheckout      Operation = "abortCheckout"
	ListRefusals       Operation = "identificationRefusals"
	TrySIREN           Operation = "trySiren"
	CompleteCheckout   Operation = "completeCheckout"

	ListInvoices         Operation = "invoices"
	GetInvoice           Operation = "invoice"
	RetryInvoiceHandOver Operation = "retryInvoiceHandOver"

	CreatePurchaseIntent   Operation = "createPurchaseIntent"
	ListPurchaseIntents    Operation = "purchaseIntents"
	GetPurchaseIntent      Operation = "purchaseIntent"
	UpdatePurchaseIntent   Operation = "updatePurchaseIntent"
	ApprovePurchaseIntent  Operation = "approvePurchaseIntent"
	RejectPurchaseIntent   Operation = "rejectPurchaseIntent"
	ExpirePurchaseIntent   Operation = "expirePurchaseIntent"
	CancelPurchaseIntent   Operation = "cancelPurchaseIntent"
	CompletePurchaseIntent Operation = "completePurchaseIntent"

	CreateAccessList    Operation = "createAccessList"
	ListAccessLists     Operation = "accessLists"
	GetAccessList       Operation = "accessList"
	UpdateAccessList    Operation = "updateAccessList"
	DeleteAccessList    Operation = "deleteAccessList"
	GetListSizes        Operation = "accessListSizes"
	CreateEntry         Operation = "createAccessListEntry"
	ListEntries         Operation = "accessListEntries"
	GetEntry            Operation = "accessListEntry"
	UpdateEntry         Operation = "updateAccessListEntry"
	DeleteEntry         Operation = "deleteAccessListEntry"
	DeleteEntries       Operation = "deleteAccessListEntries"
	PreviewEntryImport  Operation = "previewEntryImport"
	ContinueEntryImport Operation = "continueEntryImport"
	ReadImportColumns   Operation = "entryImportColumns"
	ListEntryImports    Operation = "entryImports"
	GetEntryImport      Operation = "entryImport"
	CommitEntryImport   Operation = "commitEntryImport"
	CancelEntryImport   Operation = "cancelEntryImport"
	UndoEntryImport     Operation = "undoEntryImport"
	LookUpTicket        Operation = "ticketLookup"
	TestAccessCode      Operation = "testAccessCode"
	ListUnknownCodes    Operation = "unknownCodes"

	CreateScanGroup   Operation = "createScanGroup"
	ListScanGroups    Operation = "scanGroups"
	GetScanGroup      Operation = "scanGroup"
	UpdateScanGroup   Operation = "updateScanGroup"
	DeleteScanGroup   Operation = "deleteScanGroup"
	CreateDevice      Operation = "createAccessUser"
	ListDevices       Operation = "accessUsers"
	GetDevice         Operation = "accessUser"
	UpdateDevice      Operation = "updateAccessUser"
	DeleteDevice      Operation = "deleteAccessUser"
	RenewDeviceToken  Operation = "renewAccessUserToken"
	IssuePairingCode  Operation = "issuePairingCode"
	PairDevice        Operation = "pairAccessUser"
	GetSelf           Operation = "thisAccessUser"
	ListDeviceEvents  Operation = "accessUserEvents"
	GetDeviceSeller   Operation = "accessUserSeller"
	GetDeviceTicket   Operation = "accessUserTicket"
	ListDeviceTickets Operation = "accessUserTickets"
	ScanTicket        Operation = "scanTicket"
	UploadScans       Operation = "uploadScans"
	AnnulScan         Operation = "annulScan"
	SimulateScan      Operation = "simulateScan"
	ListScans         Operation = "scans"
	GetScan           Operation = "scan"
	GetOccupancy      Operation = "occupancy"
	CountScans        Operation = "scansPerMinute"
	CountDeviceScans  Operation = "accessUserScanCounts"
	ListDeviceFeed    Operation = "accessUserFeed"
)

// Rule lists the callers of an operation. Its zero value admits none.
type Rule struct {
	// Permission is required of a seller's API key. If empty, API keys are refused.
	Permission Permission
	// Update is the permission that a seller's API key also needs to change existing records, in an operation that
	// creates or changes records. It may be empty.
	Update Permission
	// AnyKey admits every valid API key, whatever its permissions.
	AnyKey bool
	// Role is the lowest role of a session at the seller. NoRole refuses sessions.
	Role Role
	// OrganizationRole is the lowest role of a session at the organization, for records that belong to one.
	OrganizationRole Role
	// OrganizationKey admits an organization key for one of its sellers, or for the organization itself.
	OrganizationKey bool
	// System admits the platform's own token.
	System bool
	// AnySession admits every session, whatever its memberships, for operations on the user itself.
	AnySession bool
	// Device admits an access device.
	Device bool
	// Buyer admits a caller with the checkout's secret, for that checkout only.
	Buyer bool
	// Public admits every caller, with or without a credential. If Role is set, a session still needs it.
	Public bool
	// NamesSeller marks a REST operation whose body may name the seller, so the seller is unknown until the body is
	// read.
	NamesSeller bool
	// Feature must be enabled for the seller.
	Feature Feature
	// MayLag allows the dashboard's requests to be served from a database replica: lists, search and statistics. It
	// must never be set for an operation that reads a credential, decides about a ticket, or sells.
	MayLag bool
}

// Feature names a module in Features that an operation requires.
type Feature string

// FeatureWebhooks is required to manage webhooks.
const FeatureWebhooks Feature = "webhooks"

// rules lists the callers of every operation. docs/permissions.md is printed from it (AUTH-4).
var rules = map[Operation]Rule{
	Login:            {Public: true},
	Logout:           {AnySession: true},
	LogoutEverywhere: {AnySession: true},
	Me:               {AnySession: true, AnyKey: true, OrganizationKey: true, System: true},
	Sessions:         {AnySession: true},
	ChangePassword:   {AnySession: true},

	ListOrganizations:  {AnySession: true, OrganizationKey: true, System: true},
	CreateOrganization: {System: true},
	ListSellers:        {AnySession: true, OrganizationKey: true, System: true},
	GetSeller:          {Role: Viewer, OrganizationRole: Viewer, OrganizationKey: true, System: true},
	CreateSeller:       {OrganizationRole: Admin, OrganizationKey: true, System: true},
	UpdateSeller:       {Role: Admin, System: true},

	ListMembers:  {Role: Admin, OrganizationRole: Admin, System: true},
	AddMember:    {Role: Admin, OrganizationRole: Admin, System: true},
	UpdateMember: {Role: Admin, OrganizationRole: Admin, System: true},
	RemoveMember: {Role: Admin, OrganizationRole: Admin, System: true},

	LeaveMembership:    {AnySession: true},
	ListInvitations:    {Role: Admin, OrganizationRole: Admin, System: true},
	ResendInvitation:   {Role: Admin, OrganizationRole: Admin, System: true},
	WithdrawInvitation: {Role: Admin, OrganizationRole: Admin, System: true},
	// The code is the credential. A session accepts the invitation for its own user.
	GetInvitation:      {Public: true},
	AcceptInvitation:   {Public: true},
	IssuePasswordReset: {OrganizationRole: Admin, System: true},
	ResetPassword:      {Public: true},

	CreateAPIKey:     {Role: Developer, OrganizationRole: Admin, System: true},
	ListAPIKeys:      {Role: Developer, OrganizationRole: Admin, System: true},
	FindAPIKeys:      {Role: Developer, OrganizationRole: Admin, System: true},
	GetAPIKey:        {Role: Developer, OrganizationRole: Admin, System: true},
	UpdateAPIKey:     {Role: Developer, OrganizationRole: Admin, System: true},
	RotateAPIKey:     {Role: Developer, OrganizationRole: Admin, System: true},
	GetAPIKeyUsage:   {Role: Developer, OrganizationRole: Admin, System: true},
	GetAPIKeyInfo:    {AnyKey: true, OrganizationKey: true},
	GetDefaultAPIKey: {Role: Developer, OrganizationKey: true, System: true},
	ListPermissions:  {Public: true},

	CreateWebhook: {Permission: "webhooks:create", Role: Developer, System: true, Feature: FeatureWebhooks},
	ListWebhooks:  {Permission: "webhooks:list", Role: Developer, System: true, Feature: FeatureWebhooks, MayLag: true},
	GetWebhook:    {Permission: "webhooks:list", Role: Developer, System: true, Feature: FeatureWebhooks},
	UpdateWebhook: {Permission: "webhooks:update", Role: Developer, System: true, Feature: FeatureWebhooks},
	DeleteWebhook: {Permission: "webhooks:update", Role: Developer, System: true, Feature: FeatureWebhooks},

	ListDeliveries: {Permission: "webhooks:list", Role: Developer, System: true, Feature: FeatureWebhooks, MayLag: true},
	FindDelivery:   {Permission: "webhooks:list", Role: Developer, System: true, Feature: FeatureWebhooks},
	GetDelivery:    {Permission: "webhooks:list", Role: Developer, System: true, Feature: FeatureWebhooks},
	RetryDelivery:  {Permission: "webhooks:update", Role: Developer, System: true, Feature: FeatureWebhooks},
	SendTestEvent:  {Permission: "webhooks:update", Role: Developer, System: true, Feature: FeatureWebhooks},

	CheckSignature: {Permission: "webhooks:list", Role: Developer, System: true, Feature: FeatureWebhooks},

	ListWebhookFigures:   {Permission: "webhooks:list", Role: Developer, System: true, Feature: FeatureWebhooks, MayLag: true},
	GetWebhookStatistics: {Permission: "webhooks:list", Role: Developer, System: true, Feature: FeatureWebhooks, MayLag: true},
	WatchDeliveries:      {Permission: "webhooks:list", Role: Developer, System: true, Feature: FeatureWebhooks, MayLag: true},
	RetryDeliveries:      {Permission: "webhooks:update", Role: Developer, System: true, Feature: FeatureWebhooks},

	ImportTickets: {Permission: "tickets:create", Update: "tickets:update", Role: Manager, OrganizationKey: true, System: true},
	ListTickets:   {Permission: "tickets:list", Role: Viewer, OrganizationKey: true, System: true, MayLag: true},
	GetTicket:     {Permission: "tickets:list", Role: Viewer, OrganizationKey: true, System: true},

	ImportTransactions: {
		Permission: "transactions:create", Update: "transactions:update", Role: Manager, OrganizationKey: true, System: true,
	},
	ListTransactions: {Permission: "transactions:list", Role: Viewer, OrganizationKey: true, System: true, MayLag: true},
	GetTransaction:   {Permission: "transactions:list", Role: Viewer, OrganizationKey: true, System: true},

	CreateCheckout: {Public: true, Role: Manager},
	ListCheckouts:  {Permission: "checkouts:list", Role: Viewer, OrganizationKey: true, System: true, MayLag: true},
	GetCheckout:    {Permission: "checkouts:list", Role: Viewer, OrganizationKey: true, System: true},
	GetDetailsForm: {Permission: "checkouts:list", Role: Viewer, System: true, Buyer: true},
	SubmitDetails:  {Permission: "transactions:update", Role: Manager, System: true, Buyer: true},
	ListRefusals:   {Permission: "checkouts:list", Role: Viewer, OrganizationKey: true, System: true, MayLag: true},
	TrySIREN:       {Permission: "checkouts:list", Role: Viewer, OrganizationKey: true, System: true},
	AbortCheckout:  {Permission: "transactions:update", Role: Manager, System: true, Buyer: true},
	// The secret is not enough: completing confirms the payment.
	CompleteCheckout:       {Permission: "transactions:create", Role: Manager, System: true},
	CreatePurchaseIntent:   {Permission: "purchaseIntents:create", Role: Manager, System: true, NamesSeller: true},
	ListPurchaseIntents:    {Permission: "purchaseIntents:list", Role: Viewer, OrganizationKey: true, System: true, MayLag: true},
	GetPurchaseIntent:      {Permission: "purchaseIntents:list", Role: Viewer, OrganizationKey: true, System: true},
	UpdatePurchaseIntent:   {Permission: "purchaseIntents:update", Role: Manager, OrganizationKey: true, System: true},
	ApprovePurchaseIntent:  {Permission: "purchaseIntents:update", Role: Manager, OrganizationKey: true, System: true},
	RejectPurchaseIntent:   {Permission: "purchaseIntents:update", Role: Manager, OrganizationKey: true, System: true},
	ExpirePurchaseIntent:   {Permission: "purchaseIntents:update", Role: Manager, OrganizationKey: true, System: true},
	CancelPurchaseIntent:   {Permission: "purchaseIntents:update", Role: Manager, OrganizationKey: true, System: true},
	CompletePurchaseIntent: {Permission: "purchaseIntents:update", Role: Manager, OrganizationKey: true, System: true},

	ListInvoices:         {Permission: "invoices:list", Role: Viewer, OrganizationKey: true, System: true, MayLag: true},
	GetInvoice:           {Permission: "invoices:list", Role: Viewer, OrganizationKey: true, System: true},
	RetryInvoiceHandOver: {Permission: "invoices:update", Role: Manager, OrganizationKey: true, System: true},

	PublishEvent:   {System: true},
	PublishEvents:  {System: true},
	ListEventTypes: {Public: true},
	ListAuditLog:   {Role: Admin, System: true, MayLag: true},
	// Search is for people and shows what they may list. Programs use the lists.
	Search: {Role: Viewer, System: true, MayLag: true},
	// Each type requires the rights of its lookup.
	GetNode: {AnySession: true, AnyKey: true, OrganizationKey: true, System: true},

	ListEvents:  {Permission: "events:list", Role: Viewer, OrganizationKey: true, System: true, MayLag: true},
	GetEvent:    {Permission: "events:list", Role: Viewer, OrganizationKey: true, System: true},
	CreateEvent: {Permission: "events:create", Role: Manager, OrganizationKey: true, System: true},
	UpdateEvent: {Permission: "events:update", Role: Manager, OrganizationKey: true, System: true},
	DeleteEvent: {Permission: "events:update", Role: Manager, OrganizationKey: true, System: true},

	ListTicketTypes:  {Permission: "events:list", Role: Viewer, OrganizationKey: true, System: true, MayLag: true},
	GetTicketType:    {Permission: "events:list", Role: Viewer, OrganizationKey: true, System: true},
	CreateTicketType: {Permission: "events:create", Role: Manager, OrganizationKey: true, System: true},
	UpdateTicketType: {Permission: "events:update", Role: Manager, OrganizationKey: true, System: true},
	DeleteTicketType: {Permission: "events:update", Role: Manager, OrganizationKey: true, System: true},

	ListScanZones:  {Permission: "scanZones:list", Role: Viewer, OrganizationKey: true, System: true, MayLag: true},
	GetScanZone:    {Permission: "scanZones:list", Role: Viewer, OrganizationKey: true, System: true},
	CreateScanZone: {Permission: "scanZones:create", Role: Manager, OrganizationKey: true, System: true},
	UpdateScanZone: {Permission: "scanZones:update", Role: Manager, OrganizationKey: true, System: true},

	ListCustomers:  {Permission: "customers:list", Role: Viewer, OrganizationKey: true, System: true, MayLag: true},
	GetCustomer:    {Permission: "customers:list", Role: Viewer, OrganizationKey: true, System: true},
	CreateCustomer: {Permission: "customers:create", Role: Manager, OrganizationKey: true, System: true},
	UpdateCustomer: {Permission: "customers:update", Role: Manager, OrganizationKey: true, System: true},

	CreateAccessList: {Permission: "accessLists:create", Role: Manager, System: true},
	ListAccessLists:  {Permission: "accessLists:list", Role: Viewer, System: true, MayLag: true},
	GetAccessList:    {Permission: "accessLists:list", Role: Viewer, System: true},
	UpdateAccessList: {Permission: "accessLists:update", Role: Manager, System: true},
	DeleteAccessList: {Permission: "accessLists:update", Role: Manager, System: true},
	GetListSizes:     {Permission: "accessLists:list", Role: Viewer, System: true, MayLag: true},

	CreateEntry:   {Permission: "accessLists:update", Role: Manager, System: true},
	ListEntries:   {Permission: "accessLists:list", Role: Viewer, System: true, MayLag: true},
	GetEntry:      {Permission: "accessLists:list", Role: Viewer, System: true},
	UpdateEntry:   {Permission: "accessLists:update", Role: Manager, System: true},
	DeleteEntry:   {Permission: "accessLists:update", Role: Manager, System: true},
	DeleteEntries: {Permission: "accessLists:update", Role: Manager, System: true},

	PreviewEntryImport:  {Permission: "accessLists:update", Role: Manager, System: true},
	ContinueEntryImport: {Permission: "accessLists:update", Role: Manager, System: true},
	ReadImportColumns:   {Permission: "accessLists:update", Role: Manager, System: true},
	ListEntryImports:    {Permission: "accessLists:list", Role: Viewer, System: true, MayLag: true},
	GetEntryImport:      {Permission: "accessLists:list", Role: Viewer, System: true},
	CommitEntryImport:   {Permission: "accessLists:update", Role: Manager, System: true},
	CancelEntryImport:   {Permission: "accessLists:update", Role: Manager, System: true},
	UndoEntryImport:     {Permission: "accessLists:update", Role: Manager, System: true},

	LookUpTicket:     {Device: true},
	TestAccessCode:   {Permission: "accessLists:list", Role: Viewer, OrganizationKey: true, System: true},
	ListUnknownCodes: {Permission: "scans:list", Role: Viewer, OrganizationKey: true, System: true, MayLag: true},

	CreateScanGroup: {Permission: "scanGroups:create", Role: Manager, System: true},
	ListScanGroups:  {Permission: "scanGroups:list", Role: Viewer, System: true, MayLag: true},
	GetScanGroup:    {Permission: "scanGroups:list", Role: Viewer, System: true},
	UpdateScanGroup: {Permission: "scanGroups:update", Role: Manager, System: true},
	DeleteScanGroup: {Permission: "scanGroups:update", Role: Manager, System: true},

	CreateDevice:     {Permission: "accessUsers:create", Role: Manager, System: true},
	ListDevices:      {Permission: "accessUsers:list", Role: Viewer, System: true},
	GetDevice:        {Permission: "accessUsers:list", Role: Viewer, System: true},
	UpdateDevice:     {Permission: "accessUsers:update", Role: Manager, System: true},
	DeleteDevice:     {Permission: "accessUsers:update", Role: Manager, System: true},
	RenewDeviceToken: {Permission: "accessUsers:update", Role: Manager, System: true},
	IssuePairingCode: {Permission: "accessUsers:update", Role: Manager, System: true},
	PairDevice:       {Public: true},

	GetSelf:           {Device: true},
	ListDeviceEvents:  {Device: true},
	GetDeviceSeller:   {Device: true},
	GetDeviceTicket:   {Device: true},
	ListDeviceTickets: {Device: true},
	ListDeviceFeed:    {Device: true},

	ScanTicket:  {Permission: "scans:create", Role: Manager, System: true, Device: true},
	UploadScans: {Permission: "scans:create", Role: Manager, System: true, Device: true},
	AnnulScan:   {Role: Manager, System: true, Device: true}, // no API keys: only the scanning device or a responsible user

	ListScans:        {Permission: "scans:list", Role: Viewer, OrganizationKey: true, System: true, MayLag: true},
	GetScan:          {Permission: "scans:list", Role: Viewer, OrganizationKey: true, System: true},
	WatchScans:       {Permission: "scans:list", Role: Viewer, OrganizationKey: true, System: true, MayLag: true},
	GetOccupancy:     {Permission: "scans:list", Role: Viewer, OrganizationKey: true, System: true, MayLag: true},
	CountDeviceScans: {Permission: "scans:list", Role: Viewer, OrganizationKey: true, System: true, MayLag: true},
	CountScans:       {Permission: "scans:list", Role: Viewer, OrganizationKey: true, System: true, MayLag: true},
	SimulateScan:     {Permission: "scans:list", Role: Viewer, OrganizationKey: true, System: true},
}

// Operations returns the table. Tests iterate over it, and the docs are printed from it.
func Operations() map[Operation]Rule {
	return maps.Clone(rules)
}

// OrganizationKeyMay reports whether an organization key may run an operation that requires the permission of a
// seller's key.
func OrganizationKeyMay(permission Permission) bool {
	for _, rule := range rules {
		if rule.OrganizationKey && (rule.Permission == permission || rule.Update == permission) {
			return true
		}
	}
	return false
}

// RuleOf returns the rule of an operation.
func RuleOf(op Operation) Rule { return rules[op] }

// SharingOperations returns the operations that wait for their seller's share if they bring more than an ordinary
// number of rows. Their deadline leaves room for the wait.
func SharingOperations() []Operation {
	return []Operation{UploadScans, ImportTickets, ImportTransactions, DeleteEntries, RetryDeliveries}
}

// LongOperations returns the operations that process a whole list. They have no request deadline and bound themselves.
func LongOperations() []Operation {
	return []Operation{
		PreviewEntryImport, ContinueEntryImport, CommitEntryImport, UndoEntryImport, CancelEntryImport, DeleteAccessList,
	}
}
