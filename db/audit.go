package db

import (
	"context"
	"encoding/json"
	"time"

	"github.com/uptrace/bun"

	"ticketgate/domain"
)

type auditRow struct {
	bun.BaseModel `bun:"table:audit_entries,alias:a"`

	ID             string          `bun:"id,pk"`
	At             time.Time       `bun:"at"`
	SellerID       string          `bun:"seller_id,nullzero"`
	OrganizationID string          `bun:"organization_id,nullzero"`
	ActorKind      string          `bun:"actor_kind"`
	ActorID        string          `bun:"actor_id"`
	Action         string          `bun:"action"`
	Object         string          `bun:"object"`
	ObjectID       string          `bun:"object_id"`
	Before         json.RawMessage `bun:"before,type:jsonb"`
	After          json.RawMessage `bun:"after,type:jsonb"`
	Address        string          `bun:"address"`
	RequestID      string          `bun:"request_id"`
}

var actorKindNames = map[domain.ActorKind]string{
	domain.Nobody:               "NOBODY",
	domain.APIKeyActor:          "API_KEY",
	domain.OrganizationKeyActor: "ORGANIZATION_KEY",
	domain.UserActor:            "USER",
	domain.DeviceActor:          "DEVICE",
	domain.BuyerActor:           "BUYER",
	domain.SystemActor:          "SYSTEM",
}

// Audit appends an entry to the audit log; a change that changes nothing leaves none.
func (tx *Tx) Audit(ctx context.Context, change domain.Change) error {
	if !change.Changed() {
		return nil
	}
	before, err := json.Marshal(change.Before)
	if err != nil {
		return err
	}
	after, err := json.Marshal(change.After)
	if err != nil {
		return err
	}
	actor, call, now := domain.ActorOf(ctx), domain.CallOf(ctx), tx.store.now()
	return tx.insert(ctx, &auditRow{
		ID: domain.NewID(now), At: now, SellerID: string(change.SellerID), OrganizationID: string(change.OrgID),
		ActorKind: actorKindNames[actor.Kind], ActorID: actor.ID,
		Action: string(change.Action), Object: change.Object, ObjectID: change.ObjectID,
		Before: before, After: after, Address: call.Address, RequestID: call.RequestID,
	})
}
