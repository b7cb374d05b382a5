package edge_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/graph/edge"
)

// read reads a body of a seller within the bounds. The request lasts until end is called.
func read(
	ctx context.Context, bodies *edge.Bodies, seller, body string, announced bool, limit int64,
) (end func(), length int, err error) {
	ctx, end = context.WithCancel(domain.WithActor(ctx, &domain.Actor{SellerID: ids.Seller(seller)}))
	request := httptest.NewRequestWithContext(ctx, http.MethodPost, "/", strings.NewReader(body))
	if !announced {
		request.ContentLength = -1
	}
	handler := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var text []byte
		text, err = edge.ReadBody(r, limit)
		length = len(text)
	})
	edge.Wrap(handler, edge.Options{Log: slog.New(slog.DiscardHandler), Bodies: bodies}).ServeHTTP(httptest.NewRecorder(), request)
	return end, length, err
}

func TestBodiesWaitForTheirShare(t *testing.T) {
	t.Parallel()
	const most = 16 << 20
	large, medium, small := strings.Repeat("x", 3<<20), strings.Repeat("x", 64<<10+1), strings.Repeat("x", 64<<10)
	for name, announced := range map[string]bool{"announced": true, "in chunks": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				bodies := edge.NewBodies(edge.BodyBounds{Large: 2, LargePerSeller: 1, Medium: 2, MediumPerSeller: 1, Arriving: 16, ArrivingPerSeller: 16})
				var held, heavy []bool
				bodies.Heavy = func(now bool) { heavy = append(heavy, now) }
				bodies.Held = func(now bool) { held = append(held, now) }
				started := time.Now()
				endA, length, err := read(t.Context(), bodies, "a", large, announced, most)
				if err != nil || length != len(large) {
					t.Fatalf("the first body: %d bytes, %v", length, err)
				}
				endB, _, err := read(t.Context(), bodies, "b", large, announced, most)
				if err != nil {
					t.Fatalf("another seller's body: %v", err)
				}
				for _, body := range []string{small, medium} {
					end, _, err := read(t.Context(), bodies, "a", body, announced, most)
					if err != nil || !time.Now().Equal(started) {
						t.Errorf("%d bytes during a large body: %v", len(body), err)
					}
					end()
				}
				end, _, err := read(t.Context(), bodies, "a", large, announced, most)
				if !domain.HasCode(err, domain.CodeRateLimited) || time.Since(started) != 2*time.Minute {
					t.Errorf("the seller's second body: %v after %v", err, time.Since(started))
				}
				end()
				time.AfterFunc(time.Second, endA)
				end, _, err = read(t.Context(), bodies, "a", large, announced, most)
				if err != nil || time.Since(started) != 2*time.Minute+time.Second {
					t.Errorf("the second body after the end of the first: %v after %v", err, time.Since(started))
				}
				end()
				endB()
				synctest.Wait()
				end, _, err = read(t.Context(), bodies, "a", medium, announced, most)
				if err != nil {
					t.Errorf("a medium body alone: %v", err)
				}
				end()
				synctest.Wait()
				if want := []bool{true, false}; !slices.Equal(heavy, want) {
					t.Errorf("calls of Heavy: %v, want %v", heavy, want)
				}
				if want := []bool{true, false, true, false}; !slices.Equal(held, want) {
					t.Errorf("calls of Held: %v, want %v", held, want)
				}
			})
		})
	}
}

func TestReadBodyEnforcesItsLimit(t *testing.T) {
	t.Parallel()
	bodies := edge.NewBodies(edge.BodyBounds{Large: 1, LargePerSeller: 1, Medium: 1, MediumPerSeller: 1, Arriving: 16, ArrivingPerSeller: 16})
	for _, announced := range []bool{true, false} {
		for _, limit := range []int64{10, edge.MaxBody, edge.MaxBody + 10} {
			for size, fits := range map[int64]bool{limit - 1: true, limit: true, limit + 1: false, 3 * limit: false} {
				end, length, err := read(t.Context(), bodies, "a", strings.Repeat("x", int(size)), announced, limit)
				if (err == nil) != fits || (fits && int64(length) != size) || (!fits && !domain.HasCode(err, domain.CodePayloadTooLarge)) {
					t.Errorf("%d bytes of %d, announced %v: %d, %v", size, limit, announced, length, err)
				}
				end()
			}
		}
	}
}

func TestJSONValuesAreCounted(t *testing.T) {
	t.Parallel()
	list := func(values int) []byte { return []byte("[" + strings.Repeat("[],", values-2) + "[]]") }
	if _, err := edge.ParseJSON(list(131_072)); err != nil {
		t.Errorf("131,072 values: %v", err)
	}
	if _, err := edge.ParseJSON(list(131_073)); !domain.HasCode(err, domain.CodePayloadTooLarge) {
		t.Errorf("131,073 values: %v", err)
	}
	if _, err := edge.ParseJSON(list(500_000)); err != nil {
		t.Errorf("500,000 values in more than 1 MiB: %v", err)
	}
	if _, err := edge.ParseJSON(list(500_001)); !domain.HasCode(err, domain.CodePayloadTooLarge) {
		t.Errorf("500,001 values: %v", err)
	}
}

func TestSlowBodiesUseNoMemorySlot(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		bodies := edge.NewBodies(edge.BodyBounds{Large: 1, LargePerSeller: 1, Medium: 1, MediumPerSeller: 1, Arriving: 2, ArrivingPerSeller: 1})
		large := strings.Repeat("x", edge.MaxBody+1)
		send := func(seller string, body io.Reader) <-chan error {
			result := make(chan error, 1)
			handler := edge.Wrap(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				_, err := edge.ReadBody(r, 16<<20)
				result <- err
			}), edge.Options{Log: slog.New(slog.DiscardHandler), Bodies: bodies})
			ctx, end := context.WithCancel(domain.WithActor(context.Background(), &domain.Actor{SellerID: ids.Seller(seller)}))
			go func() {
				defer end()
				handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, http.MethodPost, "/", body))
			}()
			synctest.Wait()
			return result
		}
		rest, slow := io.Pipe()
		trickle := send("a", io.MultiReader(strings.NewReader(large), rest))
		select {
		case err := <-send("b", strings.NewReader(large)):
			if err != nil {
				t.Errorf("another seller's body: %v", err)
			}
		default:
			t.Error("another seller's body waits for a body that is still being received")
		}
		second := send("a", strings.NewReader(large))
		time.Sleep(20 * time.Second) //nolint:forbidigo // the bubble has a clock of its own
		synctest.Wait()
		if err := <-second; !domain.HasCode(err, domain.CodeRateLimited) {
			t.Errorf("the slow seller's second body: %v", err)
		}
		_ = slow.Close()
		if err := <-trickle; err != nil {
			t.Errorf("the slow body after its end: %v", err)
		}
	})
}
