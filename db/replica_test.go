package db_test

import (
	"testing"
	"time"

	"ticketgate/db"
	"ticketgate/db/dbtest"
)

// A process that serves no dashboard keeps only the recent positions of the primary.
func TestPrimarySamplesAreBounded(t *testing.T) {
	t.Parallel()
	database := dbtest.New(t)
	store, err := db.Open(db.Config{URL: database.ApplicationURL, Mode: "dev", Sealer: database.Sealer, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	if kept := store.SampleForever(t.Context(), time.Minute); kept == 0 || kept > 7 {
		t.Errorf("%d samples are kept", kept)
	}
}
