package db

import (
	"fmt"
	"testing"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"
)

func TestTextsOfQueries(t *testing.T) {
	t.Parallel()
	store := &Store{bun: bun.NewDB(nil, pgdialect.New())}
	const columns = `SELECT "o"."id", "o"."name", "o"."created_at" FROM "organizations" AS "o"`
	for want, q := range map[string]*query[organizationRow]{
		columns: organizations.all(),
		columns + ` WHERE ("o".id = $1) FOR UPDATE`: organizations.all().withID("a").forUpdate("UPDATE"),
		columns + ` WHERE (o.name = $1 OR o.id = $2) AND ("o".id = ANY($3)) ORDER BY o.id`: organizations.
			where("o.name = $ OR o.id = $", 1, 2).withIDs(nil).orderBy("o.id"),
		columns + ` WHERE ($1 = o.id) AND (o.name = $1)`: organizations.where("$ = o.id", 1).where("o.name = $1"),
	} {
		if got := q.rowsText(store); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func TestKeptTextsAreBounded(t *testing.T) {
	t.Parallel()
	var kept textCache
	for shape := range 3 * maxCached {
		for range 2 {
			if text := kept.of(shape, func() string { return fmt.Sprint(shape) }); text != fmt.Sprint(shape) {
				t.Fatalf("shape %d has the text %s", shape, text)
			}
		}
	}
	if got := kept.kept.Load(); got != maxCached {
		t.Errorf("%d texts are kept, want %d", got, maxCached)
	}
	kept.of(0, func() string { t.Error("a text that is kept was built again"); return "" })
}
