package edge_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/graph/edge"
)

func TestLargeReadsWaitForTheirShare(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		reads := edge.NewReads(4, 2)
		// read requests records and responds once it is admitted. The returned channel receives its error.
		read := func(seller string, records int, respond <-chan struct{}) <-chan error {
			result := make(chan error, 1)
			handler := edge.Wrap(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				err := edge.HoldRead(r.Context(), records)
				result <- err
				if err == nil {
					<-respond
				}
			}), edge.Options{Log: slog.New(slog.DiscardHandler), Reads: reads})
			ctx := domain.WithActor(context.Background(), &domain.Actor{SellerID: ids.Seller(seller)})
			go handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, http.MethodGet, "/", nil))
			synctest.Wait()
			return result
		}
		admitted := func(what string, result <-chan error) {
			t.Helper()
			select {
			case err := <-result:
				if err != nil {
					t.Errorf("%s: %v", what, err)
				}
			default:
				t.Errorf("%s waits", what)
			}
		}
		slow, at := make(chan struct{}), make(chan struct{})
		close(at)
		admitted("a's first", read("a", edge.LargeRead+1, slow))
		admitted("a's second", read("a", edge.LargeRead+1, slow))
		third := read("a", edge.LargeRead+1, at)
		if len(third) != 0 {
			t.Error("a's third read did not wait for the first two responses")
		}
		admitted("a's small one", read("a", edge.LargeRead, at))
		admitted("b's", read("b", 1000, at))
		time.Sleep(5 * time.Second) //nolint:forbidigo // the bubble has a clock of its own
		synctest.Wait()
		if err := <-third; !domain.HasCode(err, domain.CodeRateLimited) {
			t.Errorf("a's third read after its wait: %v", err)
		}
		fourth := read("a", 1000, at)
		close(slow)
		synctest.Wait()
		admitted("a's fourth, once the first have been written,", fourth)
	})
}

// TestRequestHoldsOneSlotForLargeReads requests many records that turn out to be large as well.
func TestRequestHoldsOneSlotForLargeReads(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		reads, started := edge.NewReads(2, 1), time.Now()
		read := func() {
			handler := edge.Wrap(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				for _, hold := range []func() error{
					func() error { return domain.CallOf(r.Context()).Read.Hold(r.Context()) },
					func() error { return edge.HoldRead(r.Context(), edge.LargeRead+1) },
					func() error { return domain.CallOf(r.Context()).Read.Hold(r.Context()) },
				} {
					if err := hold(); err != nil || !time.Now().Equal(started) {
						t.Errorf("%v after %v", err, time.Since(started))
					}
				}
			}), edge.Options{Log: slog.New(slog.DiscardHandler), Reads: reads})
			ctx := domain.WithActor(t.Context(), &domain.Actor{SellerID: "a"})
			handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, http.MethodGet, "/", nil))
		}
		read()
		read() // the first request has released its slot
	})
}
