package webhook_test

import (
	"context"
	"testing"
	"time"

	"ticketgate/db/dbtest"
	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/listenerurl"
	"ticketgate/domain/optional"
	"ticketgate/domain/share"
	"ticketgate/domain/webhook"
)

const (
	seller             = dbtest.Seller
	other              = dbtest.Other
	without ids.Seller = "333333333333333333333333" // lacks the webhooks feature
	org                = dbtest.Org
)

// fixture is an installation with three sellers.
type fixture struct {
	*dbtest.Installation

	webhooks   webhook.Webhooks
	deliveries webhook.Deliveries
	events     webhook.Events
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	i := dbtest.Install(t, time.Now)
	i.AddSeller(without, org, "S")
	i.Exec("UPDATE sellers SET webhooks = false WHERE id = $1", string(without))
	return &fixture{
		Installation: i,
		webhooks: webhook.Webhooks{
			Store: i.Store.Webhooks(), Now: time.Now, Policy: listenerurl.Policy{}, Checks: share.New(webhook.CheckBounds),
		},
		deliveries: webhook.Deliveries{Store: i.Store.Webhooks(), Now: time.Now},
		events:     webhook.Events{Store: i.Store.Webhooks(), Seller: i.LookUp},
	}
}

// as returns the context of a key of the seller with these permissions.
func (w *fixture) as(of ids.Seller, permissions ...domain.Permission) context.Context {
	actor := dbtest.KeyOf(of, permissions...)
	actor.Features.Webhooks = of != without
	return domain.WithActor(w.T.Context(), &actor)
}

func (w *fixture) platform() context.Context {
	return domain.WithActor(w.T.Context(), &domain.Actor{Kind: domain.SystemActor})
}

// wants creates a webhook of the seller that selects one type.
func (w *fixture) wants(of ids.Seller, kind domain.EventType) webhook.Webhook {
	w.T.Helper()
	created, err := w.webhooks.Create(w.as(of), webhook.NewWebhook{
		Name: "Hook", URL: "https://example.com/hook?token=abc",
		Events: optional.Some(webhook.Selection{kind: true}), HMACKey: optional.Some("secret key"),
	})
	if err != nil {
		w.T.Fatal(err)
	}
	return created
}
