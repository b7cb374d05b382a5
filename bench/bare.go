package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/gorilla/mux"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	// bareMode is the argument that makes this program run the bare server.
	bareMode = "bare"
	// bareDatabase is the environment variable with the URL of the bare server's database.
	bareDatabase = "BENCH_DATABASE_URL"
	// barePool is the number of connections. The product has the same number for requests.
	barePool = 8
)

// bare is the smallest server that returns the product's responses from the product's tables. It uses net/http,
// gorilla/mux, pgxpool and one prepared statement per path. Of the product's checks it makes only one: it looks up the
// digest of the credential in memory.
type bare struct {
	pool    *pgxpool.Pool
	keys    map[digest]credential
	devices map[digest]credential
}

// digest is the digest of a credential's secret.
type digest = [sha256.Size]byte

// credential identifies a key or a device and its seller.
type credential struct{ id, seller string }

// runBare prints the server's URL, as the product does, and serves until a signal arrives.
func runBare() error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	debug.SetGCPercent(400) // as in the product
	b, err := openBare(ctx, os.Getenv(bareDatabase))
	if err != nil {
		return err
	}
	defer b.pool.Close()
	return serveUntil(ctx, b.routes())
}

// openBare connects to the database and reads the credentials. The server plans each statement once, as for the
// product's requests.
func openBare(ctx context.Context, url string) (*bare, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, err
	}
	config.MaxConns = barePool
	config.ConnConfig.RuntimeParams["plan_cache_mode"] = "force_generic_plan"
	config.ConnConfig.RuntimeParams["timezone"] = "UTC"
	config.ConnConfig.RuntimeParams["jit"] = "off"
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	b := &bare{pool: pool}
	b.keys, err = b.credentials(ctx, `SELECT x.digest, k.id, k.seller_id FROM api_key_secrets x JOIN api_keys k ON k.id = x.api_key_id
		WHERE k.seller_id IS NOT NULL`)
	if err == nil {
		b.devices, err = b.credentials(ctx, "SELECT token_digest, id, seller_id FROM devices WHERE token_digest IS NOT NULL")
	}
	if err != nil {
		pool.Close()
	}
	return b, err
}

// credentials returns the credentials that a query selects, by digest.
func (b *bare) credentials(ctx context.Context, query string) (map[digest]credential, error) {
	found, err := b.pool.Query(ctx, query)
	if err != nil {
		return nil, err
	}
	all := map[digest]credential{}
	var secret []byte
	var item credential
	_, err = pgx.ForEachRow(found, []any{&secret, &item.id, &item.seller}, func() error {
		if len(secret) != sha256.Size {
			return fmt.Errorf("digest has %d bytes", len(secret))
		}
		all[digest(secret)] = item
		return nil
	})
	return all, err
}

// routes returns the handler of all measured paths.
func (b *bare) routes() http.Handler {
	router := mux.NewRouter()
	router.HandleFunc("/api/keys/info", b.byKey(b.keyInfo)).Methods(http.MethodGet)
	router.HandleFunc("/api/access-lists/entries/{externalCode}/ticket", b.byDevice(b.ticket)).Methods(http.MethodGet)
	router.HandleFunc("/api/access-lists", b.byKey(b.lists)).Methods(http.MethodGet)
	router.HandleFunc("/api/access-lists/{listId}/entries", b.byKey(b.createEntry)).Methods(http.MethodPost)
	router.HandleFunc("/api/access-lists/{listId}/entries/{id}", b.byKey(b.entry)).Methods(http.MethodGet)
	router.HandleFunc("/api/access-lists/{listId}/entries", b.byKey(b.entries)).Methods(http.MethodGet)
	router.HandleFunc(withoutTotal+"/api/access-lists/{listId}/entries", b.byKey(b.entriesWithoutTotal)).Methods(http.MethodGet)
	return router
}

// withoutTotal is the prefix of the path of a list whose total is not counted.
const withoutTotal = "/without-total"

// answerer returns the response to a call.
type answerer func(ctx context.Context, caller credential, r *http.Request) (any, error)

// byKey handles calls that authenticate with a seller's key.
func (b *bare) byKey(answer answerer) http.HandlerFunc {
	return answering(answer, func(r *http.Request) (credential, bool) {
		secret, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		found, known := b.keys[sha256.Sum256([]byte(secret))]
		return found, known
	})
}

// byDevice handles calls that authenticate with a device's token.
func (b *bare) byDevice(answer answerer) http.HandlerFunc {
	return answering(answer, func(r *http.Request) (credential, bool) {
		found, known := b.devices[sha256.Sum256([]byte(r.Header.Get("Token")))]
		return found, known
	})
}

// answering authenticates calls with check and writes responses as JSON.
func answering(answer answerer, check func(*http.Request) (credential, bool)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		caller, known := check(r)
		if !known {
			http.Error(w, "unknown credential", http.StatusUnauthorized)
			return
		}
		result, err := answer(r.Context(), caller, r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		if r.Method == http.MethodPost {
			w.WriteHeader(http.StatusCreated)
		}
		if text, ready := result.(json.RawMessage); ready {
			_, _ = w.Write(append(text, '\n'))
			return
		}
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
		_ = encoder.Encode(result)
	}
}
