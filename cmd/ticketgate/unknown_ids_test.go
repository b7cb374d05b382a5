package main

import (
	"database/sql"
	"maps"
	"slices"
	"strings"
	"testing"

	"ticketgate/domain"
)

// TestAnUnknownIDLocksNothing calls each mutation with an id that does not exist while another session holds every row of
// every table: a call that locks anything before it looks the id up waits, and is UNAVAILABLE (BODY-1).
func TestAnUnknownIDLocksNothing(t *testing.T) {
	t.Parallel()
	h := openHouse(t)
	seller := h.world.Sellers[0]
	ids, who := h.keep(t, seller, ownMark), bearer(rightToken).on(seller.SellerID)
	calls := h.callsOfUnknown(ids)
	if len(calls) < 45 {
		t.Errorf("only %d calls", len(calls))
	}
	release := h.lockAllRows(t)
	defer release()
	for _, unknown := range calls {
		if o := h.throughGraphQL(t, who, unknown.call); domain.Code(o.refusal.Code) != unknown.want {
			t.Errorf("%s with an id that does not exist: want %s, got %v", unknown.operation, unknown.want, o)
		}
	}
}

type callOfUnknown struct {
	call

	want domain.Code
}

// callsOfUnknown are the mutations that address an object, each with the id of none.
func (h *house) callsOfUnknown(ids kept) []callOfUnknown {
	missing := strings.Repeat("0", 24)
	secrets := map[string]domain.SecretKind{"invitationCode": domain.InvitationSecret, "resetCode": domain.ResetSecret}
	var calls []callOfUnknown
	for _, operation := range slices.Sorted(maps.Keys(samples)) {
		if h.schema.Mutation.Fields.ForName(string(operation)) == nil {
			continue
		}
		for _, s := range samples[operation] {
			if s.target == "" || s.namesSeller || s.ofOrganization || s.answers {
				continue
			}
			want, id := domain.CodeNotFound, missing
			if s.unknown != "" {
				want = s.unknown
			}
			if kind, is := secrets[s.object]; is {
				id = domain.NewSecret(kind)
			}
			calls = append(calls, callOfUnknown{call{operation, s.arguments(ids, id)}, want})
		}
	}
	return append(calls,
		callOfUnknown{call{domain.IssuePasswordReset, object{"input": object{
			"organizationId": ids["organization"], "memberId": missing,
		}}}, domain.CodeNotFound},
		callOfUnknown{call{domain.DeleteEntries, object{"listId": missing, "input": object{
			"filter": object{}, "count": 1,
		}}}, domain.CodeNotFound},
	)
}

// lockAllRows holds every row of every table, but for those of jobs and leases, until the returned function is called.
func (h *house) lockAllRows(t *testing.T) (release func()) {
	t.Helper()
	owner, err := sql.Open("pgx", h.program.Config.OwnerURL)
	must(t, err)
	tx, err := owner.BeginTx(t.Context(), nil)
	must(t, err)
	_, err = tx.ExecContext(t.Context(), `DO $$
		DECLARE name regclass;
		BEGIN
			FOR name IN SELECT oid FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition
				AND relnamespace = 'public'::regnamespace AND relname NOT LIKE 'river%' AND relname <> 'leases' LOOP
				EXECUTE 'SELECT 1 FROM ' || name || ' FOR UPDATE';
			END LOOP;
		END $$`)
	must(t, err)
	return func() {
		must(t, tx.Rollback())
		must(t, owner.Close())
	}
}
