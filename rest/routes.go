package rest

import (
	"context"
	"net/http"

	"ticketgate/domain"
	"ticketgate/domain/access"
	"ticketgate/domain/apikey"
	"ticketgate/domain/ids"
	"ticketgate/domain/scan"
	"ticketgate/domain/webhook"
	"ticketgate/graph/generated"
)

// Services holds the operations behind the routes: the resolvers, which GraphQL calls too, and the lists of the areas,
// because the two APIs page differently.
type Services struct {
	Query    generated.QueryResolver
	Mutation generated.MutationResolver
	// Checks are the same mutations on a read-only store: each checks its input and stops before it acts.
	Checks        generated.MutationResolver
	Keys          apikey.Keys
	Webhooks      webhook.Webhooks
	Deliveries    webhook.Deliveries
	AccessLists   access.Lists
	AccessEntries access.Entries
	ScanGroups    scan.Groups
	Devices       scan.Devices
	AtGate        scan.AtGate
	Origins       Origins
}

// Route is a documented path. Operation is its operation in both APIs. Status is the status of a successful response.
type Route struct {
	Method    string
	Path      string
	Operation domain.Operation
	Status    int
	endpoint  endpoint
}

// routes returns the table of documented paths. mux takes the first match.
func routes(s Services) []Route {
	return []Route{
		// API keys
		{http.MethodPost, "/api/keys", domain.CreateAPIKey, http.StatusCreated, withBody(s, mutation.CreateAPIKey)},
		{http.MethodGet, "/api/keys", domain.ListAPIKeys, http.StatusOK, listKeys(s.Keys)},
		{http.MethodGet, "/api/keys/info", domain.GetAPIKeyInfo, http.StatusOK, withNothing(s.Query.APIKeyInfo)},
		{http.MethodPost, "/api/keys/default", domain.GetDefaultAPIKey, http.StatusOK, withBody(s, mutation.DefaultAPIKey)},
		{http.MethodGet, "/api/keys/{id}", domain.GetAPIKey, http.StatusOK, withETag(withID(s.Query.APIKey))},
		{http.MethodPut, "/api/keys/{id}", domain.UpdateAPIKey, http.StatusOK, withIDAndBody(s, mutation.UpdateAPIKey)},

		// Access lists. The lookup comes before the entries of a list; otherwise a code "entries" would match those.
		{http.MethodGet, "/api/access-lists/entries/{externalCode}/ticket", domain.LookUpTicket, http.StatusOK, lookUpTicket(s)},
		{http.MethodPost, "/api/access-lists", domain.CreateAccessList, http.StatusCreated, withBody(s, mutation.CreateAccessList)},
		{http.MethodGet, "/api/access-lists/{id}", domain.GetAccessList, http.StatusOK, withETag(withID(s.Query.AccessList))},
		{http.MethodPut, "/api/access-lists/{id}", domain.UpdateAccessList, http.StatusOK, withIDAndBody(s, mutation.UpdateAccessList)},
		{http.MethodDelete, "/api/access-lists/{id}", domain.DeleteAccessList, http.StatusOK, withDeletion(s.Mutation.DeleteAccessList)},
		{http.MethodGet, "/api/access-lists", domain.ListAccessLists, http.StatusOK, withList(s.AccessLists.List, accessListFilter, "name")},
		{http.MethodPost, "/api/access-lists/{listId}/entries", domain.CreateEntry, http.StatusCreated, createEntry(s)},
		{http.MethodPost, importsPath, domain.PreviewEntryImport, http.StatusCreated, previewImport(s)},
		{http.MethodGet, importsPath + "/{id}", domain.GetEntryImport, http.StatusOK, withListAndID(s.Query.EntryImport)},
		{http.MethodPost, importsPath + "/{id}/commit", domain.CommitEntryImport, http.StatusOK, commitImport(s)},
		{http.MethodDelete, importsPath + "/{id}", domain.CancelEntryImport, http.StatusOK, withListAndID(s.Mutation.CancelEntryImport)},
		{http.MethodPost, importsPath + "/{id}/undo", domain.UndoEntryImport, http.StatusOK, withListAndID(s.Mutation.UndoEntryImport)},
		{http.MethodGet, "/api/access-lists/{listId}/entries/{id}", domain.GetEntry, http.StatusOK, withETag(withListAndID(s.Query.AccessListEntry))},
		{http.MethodPut, "/api/access-lists/{listId}/entries/{id}", domain.UpdateEntry, http.StatusOK, updateEntry(s)},
		{http.MethodDelete, "/api/access-lists/{listId}/entries/{id}", domain.DeleteEntry, http.StatusOK, deleteEntry(s)},
		{http.MethodGet, "/api/access-lists/{listId}/entries", domain.ListEntries, http.StatusOK, listEntries(s)},

		// Scan groups
		{http.MethodPost, "/api/scan-groups", domain.CreateScanGroup, http.StatusCreated, withBody(s, mutation.CreateScanGroup)},
		{http.MethodGet, "/api/scan-groups/{id}", domain.GetScanGroup, http.StatusOK, withETag(withID(s.Query.ScanGroup))},
		{http.MethodPut, "/api/scan-groups/{id}", domain.UpdateScanGroup, http.StatusOK, withIDAndBody(s, mutation.UpdateScanGroup)},
		{http.MethodDelete, "/api/scan-groups/{id}", domain.DeleteScanGroup, http.StatusOK, withDeletion(s.Mutation.DeleteScanGroup)},
		{http.MethodGet, "/api/scan-groups", domain.ListScanGroups, http.StatusOK, withList(s.ScanGroups.List, scanGroupFilter, "name")},

		// Devices, called access users on the wire
		{http.MethodPost, "/api/accessusers/pair", domain.PairDevice, http.StatusOK, withBody(s, mutation.PairAccessUser)},
		{http.MethodGet, "/api/accessusers/me", domain.GetSelf, http.StatusOK, withNothing(s.Query.ThisAccessUser)},
		{http.MethodGet, "/api/accessusers/seller", domain.GetDeviceSeller, http.StatusOK, withNothing(s.Query.AccessUserSeller)},
		{http.MethodGet, "/api/accessusers/events", domain.ListDeviceEvents, http.StatusOK, listDeviceEvents(s)},
		{http.MethodGet, "/api/accessusers/tickets/v2/{eventId}", domain.ListDeviceTickets, http.StatusOK, listDeviceTickets(s.AtGate)},
		{http.MethodGet, "/api/accessusers/tickets/{barcode}", domain.GetDeviceTicket, http.StatusOK, deviceTicket(s)},
		{http.MethodGet, "/api/accessusers/{eventId}/tickets", domain.ListDeviceTickets, http.StatusOK, listDeviceTickets(s.AtGate)},
		{http.MethodGet, "/api/accessusers/feed", domain.ListDeviceFeed, http.StatusOK, readFeed(s)},
		{http.MethodPost, "/api/accessusers/tickets/{barcode}/scan", domain.ScanTicket, http.StatusOK, scanTicket(s)},
		{http.MethodPost, "/api/accessusers/scans/{eventId}", domain.UploadScans, http.StatusOK, uploadScans(s)},
		{http.MethodPost, "/api/accessusers/scans/{id}/annul", domain.AnnulScan, http.StatusOK, withID(s.Mutation.AnnulScan)},
		{http.MethodPost, "/api/accessusers", domain.CreateDevice, http.StatusCreated, withBody(s, mutation.CreateAccessUser)},
		{http.MethodGet, "/api/accessusers", domain.ListDevices, http.StatusOK, listDevices(s.Devices)},
		{http.MethodGet, "/api/accessusers/{id}", domain.GetDevice, http.StatusOK, withETag(withID(s.Query.AccessUser))},
		{http.MethodPut, "/api/accessusers/{id}", domain.UpdateDevice, http.StatusOK, withIDAndBody(s, mutation.UpdateAccessUser)},
		{http.MethodDelete, "/api/accessusers/{id}", domain.DeleteDevice, http.StatusOK, withDeletion(s.Mutation.DeleteAccessUser)},
		{http.MethodPost, "/api/accessusers/{id}/token", domain.RenewDeviceToken, http.StatusOK, withID(s.Mutation.RenewAccessUserToken)},
		{http.MethodPost, "/api/accessusers/{id}/pairing-code", domain.IssuePairingCode, http.StatusOK, withID(s.Mutation.IssuePairingCode)},

		// Purchase intents
		{http.MethodPost, "/api/purchaseintents", domain.CreatePurchaseIntent, http.StatusCreated, withOpenBody(s, mutation.CreatePurchaseIntent)},

		// Webhooks. POST works under the singular path too, and PUT returns 201, because existing clients expect both.
		{http.MethodPost, "/api/webhooks", domain.CreateWebhook, http.StatusCreated, withBody(s, mutation.CreateWebhook)},
		{http.MethodPost, "/api/webhook", domain.CreateWebhook, http.StatusCreated, withBody(s, mutation.CreateWebhook)},
		{http.MethodPut, "/api/webhook/{id}", domain.UpdateWebhook, http.StatusCreated, withIDAndBody(s, mutation.UpdateWebhook)},
		{http.MethodDelete, "/api/webhook/{id}", domain.DeleteWebhook, http.StatusOK, withDeletion(s.Mutation.DeleteWebhook)},
		{http.MethodGet, "/api/webhooks", domain.ListWebhooks, http.StatusOK, withList(unfiltered(s.Webhooks.List), noFilter)},

		// Checkouts
		{http.MethodPost, checkoutPath, domain.CreateCheckout, http.StatusCreated, withOpenBody(s, mutation.CreateCheckout)},
		{http.MethodGet, checkoutPath + "/{id}/detailsform", domain.GetDetailsForm, http.StatusOK, detailsForm(s)},
		{http.MethodPost, checkoutPath + "/{id}/details", domain.SubmitDetails, http.StatusOK, submitDetails(s)},
		{http.MethodPost, checkoutPath + "/{id}/abort", domain.AbortCheckout, http.StatusOK, abortCheckout(s)},
		{http.MethodPost, checkoutPath + "/{id}/complete", domain.CompleteCheckout, http.StatusOK, completeCheckout(s)},

		// Deliveries of a webhook and their attempts
		{http.MethodPost, "/api/webhooks/{id}/test", domain.SendTestEvent, http.StatusAccepted, withIDAndBody(s, mutation.SendTestEvent)},
		{http.MethodGet, "/api/webhooks/{id}/deliveries", domain.ListDeliveries, http.StatusOK, listDeliveries(s)},
		{http.MethodGet, "/api/webhook-deliveries/{id}", domain.GetDelivery, http.StatusOK, withID(s.Query.WebhookDelivery)},
		{http.MethodPost, "/api/webhook-deliveries/{id}/retry", domain.RetryDelivery, http.StatusAccepted, withID(s.Mutation.RetryWebhookDelivery)},
	}
}

// Routes returns the table without its endpoints, for tests and docs.
func Routes() []Route {
	table := routes(Services{Query: noQuery{}, Mutation: noMutation{}, Checks: noMutation{}})
	for i := range table {
		table[i].endpoint = nil
	}
	return table
}

// noQuery and noMutation stand in for resolvers when only the table is needed.
type (
	noQuery    struct{ generated.QueryResolver }
	noMutation struct{ generated.MutationResolver }
)

// listKeys returns all keys as a bare array.
func listKeys(keys apikey.Keys) endpoint {
	return func(r *http.Request) (any, error) {
		query := readListQuery(r, "orgId")
		if err := query.errs.Err(); err != nil {
			return nil, err
		}
		var org *ids.Org
		if id := ids.Org(query.text("orgId")); id != "" {
			org = &id
		}
		list, err := keys.List(r.Context(), org)
		return list, err
	}
}

func listDeliveries(s Services) endpoint {
	return func(r *http.Request) (any, error) {
		id, err := pathValue(r, "id")
		if err != nil {
			return nil, err
		}
		// A webhook of another seller is a 404, not an empty list.
		if _, err := s.Webhooks.Get(r.Context(), id); err != nil {
			return nil, err
		}
		return withList(s.Deliveries.List, func(q *listQuery) webhook.DeliveryFilter {
			return webhook.DeliveryFilter{
				WebhookID: id, State: webhook.State(q.text("state")), Type: domain.EventType(q.text("type")),
				Outcome: q.text("outcome"), ObjectID: q.text("objectId"), From: q.instant("from"), Until: q.instant("until"),
				FailedFrom: q.instant("failedFrom"), FailedUntil: q.instant("failedUntil"),
			}
		}, "state", "type", "outcome", "objectId", "from", "until", "failedFrom", "failedUntil")(r)
	}
}

// unfiltered adapts a list without filters to withList.
func unfiltered[T any](
	list func(context.Context, domain.Page) (domain.List[T], error),
) func(context.Context, struct{}, domain.Page) (domain.List[T], error) {
	return func(ctx context.Context, _ struct{}, page domain.Page) (domain.List[T], error) {
		return list(ctx, page)
	}
}

func noFilter(*listQuery) struct{} { return struct{}{} }
