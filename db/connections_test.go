package db_test

import (
	"context"
	"testing"
	"time"

	"ticketgate/db"
	"ticketgate/db/dbtest"
	"ticketgate/domain"
	"ticketgate/domain/tenant"
)

// Users that act on no seller, however many, leave connections to others (LIMIT-2).
func TestCallersWithoutASellerLeaveConnections(t *testing.T) {
	t.Parallel()
	database := dbtest.New(t)
	store, err := db.Open(db.Config{
		URL: database.ApplicationURL, Mode: "dev", Sealer: database.Sealer, Now: time.Now, PoolSize: 4,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	end, begun := make(chan struct{}), make(chan struct{}, 8)
	ended := make(chan error, 8)
	hold := func(actor domain.Actor) {
		go func() {
			ended <- store.Tenants().InTx(domain.WithActor(context.Background(), &actor), func(tenant.Tx) error {
				begun <- struct{}{}
				<-end
				return nil
			})
		}()
	}
	const most = 3 // of four
	for _, id := range []string{"u1", "u2", "u3", "u4", "u5"} {
		hold(domain.Actor{Kind: domain.UserActor, ID: id})
	}
	for range most {
		<-begun
	}
	hold(domain.Actor{Kind: domain.APIKeyActor, ID: "k", SellerID: "s", OrgID: "o"})
	select {
	case <-begun:
	case <-time.After(time.Second):
		t.Error("a seller's transaction waits for transactions of users that act on no seller")
	}
	close(end)
	for range 6 {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}
