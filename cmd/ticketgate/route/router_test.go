package route

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"testing"
)

// clustersOf starts a listener for each handler.
func clustersOf(t *testing.T, handlers ...http.HandlerFunc) []Cluster {
	t.Helper()
	var clusters []Cluster
	for i, handler := range handlers {
		server := httptest.NewServer(handler)
		t.Cleanup(server.Close)
		address, err := url.Parse(server.URL)
		if err != nil {
			t.Fatal(err)
		}
		clusters = append(clusters, Cluster{fmt.Sprintf("c%d", i), address})
	}
	return clusters
}

func TestABuyerReachesTheLastOfSixClusters(t *testing.T) {
	t.Parallel()
	unknown := func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }
	has := func(w http.ResponseWriter, r *http.Request) { _, _ = io.Copy(w, r.Body) }
	router := httptest.NewServer(New(Config{
		Clusters: clustersOf(t, append(slices.Repeat([]http.HandlerFunc{unknown}, 5), has)...), Log: slog.New(slog.DiscardHandler),
	}))
	t.Cleanup(router.Close)
	response, err := http.Get(router.URL + "/api/checkout/1/state")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Errorf("got %d", response.StatusCode)
	}
}
