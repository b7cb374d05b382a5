package splitting

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
)

const newEpoch = "WITH advanced AS (UPDATE credential_epoch SET epoch = epoch + 1 RETURNING epoch) " +
	"SELECT pg_notify('credential_epoch', epoch::text) FROM advanced"

// Both clusters have copies of the same records, so only the states of moves determine which of them serves a seller.
func TestEachSellerIsServedByItsCluster(t *testing.T) {
	t.Parallel()
	home, data := systemtest.Seeded(t)
	other, _ := systemtest.Seeded(t)
	moved, kept := data.Sellers[0], data.Sellers[1]
	atHome, atOther := home.Owner(t), other.Owner(t)
	run(t, atHome, "INSERT INTO seller_moves (seller_id, state, cluster) VALUES ($1, 'away', 'b')", moved.SellerID)
	run(t, atOther,
		"INSERT INTO seller_moves (seller_id, state, cluster) SELECT id, 'arriving', 'a' FROM sellers WHERE id <> $1", moved.SellerID)
	a := systemtest.Serve(t, systemtest.OnDatabase(home), "--no-workers")
	b := systemtest.Serve(t, systemtest.OnDatabase(other), "--no-workers")
	router := routed(t, "a="+a.URL, "b="+b.URL)

	create := func(name string, header ...string) (int, string) {
		t.Helper()
		return systemtest.Request(t, http.MethodPost, router.URL+"/api/access-lists", fmt.Sprintf(`{"name": %q}`, name), header...)
	}
	lists := func(name string) [2]int {
		t.Helper()
		const query = "SELECT count(*) FROM access_lists WHERE name = $1"
		return [2]int{number(t, atHome, query, name), number(t, atOther, query, name)}
	}
	system := "Authorization: Bearer " + systemtest.SystemToken
	for name, test := range map[string]struct {
		header []string
		want   [2]int
	}{
		"key of the moved seller":    {[]string{systemtest.AsKey(moved.APIKey)}, [2]int{0, 1}},
		"key of another seller":      {[]string{systemtest.AsKey(kept.APIKey)}, [2]int{1, 0}},
		"header, the moved seller's": {[]string{system, "X-Seller-Id: " + string(moved.SellerID)}, [2]int{0, 1}},
		"header, another seller's":   {[]string{system, "X-Seller-Id: " + string(kept.SellerID)}, [2]int{1, 0}},
	} {
		for range 2 { // first by asking, then from the cache
			if status, answer := create(name, test.header...); status != http.StatusCreated {
				t.Errorf("%s: %d %s", name, status, answer)
			}
		}
		if got, want := lists(name), [2]int{2 * test.want[0], 2 * test.want[1]}; got != want {
			t.Errorf("%s: lists on the clusters are %v, want %v", name, got, want)
		}
	}

	t.Run("a cluster refuses a seller that it doesn't serve", func(t *testing.T) {
		for url, key := range map[string]string{a.URL: moved.APIKey, b.URL: kept.APIKey} {
			answer, err := systemtest.Call(t.Context(), http.DefaultClient, http.MethodGet, url+"/api/keys/info", "", systemtest.AsKey(key))
			systemtest.Must(t, err)
			answer.Body.Close()
			named := answer.Header.Get("Ticketgate-Cluster")
			if answer.StatusCode != http.StatusServiceUnavailable || answer.Header.Get("Retry-After") == "" || named == "" {
				t.Errorf("got %d, cluster %q", answer.StatusCode, named)
			}
		}
	})
	t.Run("a document that names its seller goes to the seller's cluster", func(t *testing.T) {
		const query = "SELECT count(*) FROM events WHERE seller_id = $1"
		before := [2]int{number(t, atHome, query, moved.SellerID), number(t, atOther, query, moved.SellerID)}
		systemtest.Publish(t, router.URL, moved)
		after := [2]int{number(t, atHome, query, moved.SellerID), number(t, atOther, query, moved.SellerID)}
		if after != [2]int{before[0], before[1] + 1} {
			t.Errorf("events on the clusters: %v, before %v", after, before)
		}
	})
	t.Run("a switch takes effect at once, whatever the router has cached", func(t *testing.T) {
		run(t, atHome, "INSERT INTO seller_moves (seller_id, state, cluster) VALUES ($1, 'fenced', 'b')", kept.SellerID)
		run(t, atHome, newEpoch)
		systemtest.Eventually(t, "the fenced seller is refused", func() bool {
			status, _ := create("fenced", systemtest.AsKey(kept.APIKey))
			return status == http.StatusServiceUnavailable
		})
		run(t, atOther, "DELETE FROM seller_moves WHERE seller_id = $1", kept.SellerID)
		run(t, atHome, "UPDATE seller_moves SET state = 'away' WHERE seller_id = $1", kept.SellerID)
		before := lists("switched")
		if status, answer := create("switched", systemtest.AsKey(kept.APIKey)); status != http.StatusCreated {
			t.Errorf("after the switch: %d %s", status, answer)
		}
		if got := lists("switched"); got != [2]int{before[0], before[1] + 1} {
			t.Errorf("lists on the clusters are %v", got)
		}
	})
	t.Run("a session of the home cluster acts on a moved seller", func(t *testing.T) {
		token := systemtest.Login(t, router.URL, kept.AdminEmail, kept.AdminPassword)
		if !strings.HasPrefix(token, "sess_") || number(t, atHome, "SELECT count(*) FROM sessions") != 1 {
			t.Errorf("the session %q is not on the home cluster", token)
		}
		systemtest.GraphQL(t, router.URL, token, `{ me { _id } }`, nil)
	})
	if strings.Contains(a.Stderr.String(), "route=/routez") {
		t.Error("the router's requests fill the log")
	}
}
