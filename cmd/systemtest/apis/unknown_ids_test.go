package apis

import (
	"database/sql"
	"maps"
	"slices"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/domain"
	"ticketgate/domain/secrets"
)

// TestUnknownIDLocksNothing calls each mutation with an id that does not exist while another session locks every row of
// every table. A call that locks anything before it looks the id up waits, and fails with UNAVAILABLE (BODY-1).
func TestUnknownIDLocksNothing(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t)
	seller := h.Demo.Sellers[0]
	ids, who := keep(t, h, seller, ownMark), apitest.Bearer(systemtest.SystemToken).On(seller.SellerID)
	calls := callsOfUnknown(h, ids)
	if len(calls) < 45 {
		t.Errorf("only %d calls", len(calls))
	}
	release := lockAllRows(t, h)
	defer release()
	for _, unknown := range calls {
		if o := h.ThroughGraphQL(t, who, unknown.Call); domain.Code(o.Refusal.Code) != unknown.want {
			t.Errorf("%s with an id that does not exist: want %s, got %v", unknown.Operation, unknown.want, o)
		}
	}
}

type callOfUnknown struct {
	apitest.Call

	want domain.Code
}

// callsOfUnknown returns the mutations that address an object, each with an unknown id.
func callsOfUnknown(h *apitest.Server, ids kept) []callOfUnknown {
	missing := strings.Repeat("0", 24)
	secretKinds := map[string]secrets.Kind{"invitationCode": secrets.Invitation, "resetCode": secrets.Reset}
	var calls []callOfUnknown
	for _, operation := range slices.Sorted(maps.Keys(samples)) {
		if h.Schema.Mutation.Fields.ForName(string(operation)) == nil {
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
			if kind, is := secretKinds[s.object]; is {
				id = secrets.New(kind)
			}
			calls = append(calls, callOfUnknown{apitest.To(operation, s.arguments(ids, id)), want})
		}
	}
	return append(calls,
		callOfUnknown{apitest.To(domain.IssuePasswordReset, object{"input": object{
			"organizationId": ids["organization"], "memberId": missing,
		}}), domain.CodeNotFound},
		callOfUnknown{apitest.To(domain.DeleteEntries, object{"listId": missing, "input": object{
			"filter": object{}, "count": 1,
		}}), domain.CodeNotFound},
	)
}

// lockAllRows locks every row of every table except jobs and leases until release is called.
func lockAllRows(t *testing.T, h *apitest.Server) (release func()) {
	t.Helper()
	owner, err := sql.Open("pgx", h.Program.Config.OwnerURL)
	systemtest.Must(t, err)
	tx, err := owner.BeginTx(t.Context(), nil)
	systemtest.Must(t, err)
	_, err = tx.ExecContext(t.Context(), `DO $$
		DECLARE name regclass;
		BEGIN
			FOR name IN SELECT oid FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition
				AND relnamespace = 'public'::regnamespace AND relname NOT LIKE 'river%' AND relname <> 'leases' LOOP
				EXECUTE 'SELECT 1 FROM ' || name || ' FOR UPDATE';
			END LOOP;
		END $$`)
	systemtest.Must(t, err)
	return func() {
		systemtest.Must(t, tx.Rollback())
		systemtest.Must(t, owner.Close())
	}
}
