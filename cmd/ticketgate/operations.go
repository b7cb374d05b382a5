package main

import (
	"context"
	"errors"
	"strings"

	"ticketgate/cmd/ticketgate/telemetry"
	"ticketgate/domain"
	"ticketgate/domain/tenant"
	"ticketgate/graph"
)

// asPlatform is the context in which a command does operations: nobody can type it who is not the operator.
func asPlatform(ctx context.Context) context.Context {
	return domain.WithActor(ctx, &domain.Actor{Kind: domain.SystemActor, ID: domain.SystemID})
}

// forSeller is asPlatform acting on one seller, as the header x-seller-id says it elsewhere.
func forSeller(ctx context.Context, seller tenant.Seller) context.Context {
	return domain.WithActor(ctx, &domain.Actor{
		Kind: domain.SystemActor, ID: domain.SystemID, SellerID: seller.ID, OrgID: seller.OrganizationID, Features: seller.Features(),
	})
}

// withOperations runs a command's operations on the database that the settings name, beside `serve` or without it.
func (s *shell) withOperations(ctx context.Context, act func(context.Context, *graph.Resolver) error) error {
	config, log, err := settled(ctx, s.environment, s.stderr)
	if err != nil {
		return err
	}
	if err := config.makeSecrets(); err != nil {
		return err
	}
	database, err := joinDatabase(ctx, config, log)
	if err != nil {
		return err
	}
	defer func() { _ = database.close() }() //nolint:contextcheck // stopping has a bound of its own
	store, err := openStore(config, database.application, telemetry.Watch{})
	if err != nil {
		return err
	}
	defer func() { _ = store.Close() }()
	if current, err := store.Migrated(ctx); err != nil || !current {
		if err := database.migrate(ctx); err != nil {
			return err
		}
	}
	return act(asPlatform(ctx), newOperations(config, store))
}

// explained is an error in words for the operator: what a caller of the API may not see is the point here.
func explained(err error) string {
	var known *domain.Error
	if !errors.As(err, &known) {
		return err.Error()
	}
	parts := []string{err.Error()}
	if cause := known.Unwrap(); cause != nil {
		parts = append(parts, cause.Error())
	}
	for _, field := range known.Fields {
		if field.Hint != "" {
			parts = append(parts, field.Hint)
		}
	}
	return strings.Join(parts, ": ")
}
