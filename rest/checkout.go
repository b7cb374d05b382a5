package rest

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"ticketgate/domain"
	"ticketgate/domain/decode"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/sale"
	"ticketgate/graph/edge"
)

const checkoutPath = "/api/checkout"

// detailsForm reads the checkout's secret and the language from the query. The header with the secret is read for every
// call.
func detailsForm(s Services) endpoint {
	return withSecret(func(r *http.Request, id, secret string) (any, error) {
		query := readQuery(r, "locale")
		if err := query.errs.Err(); err != nil {
			return nil, err
		}
		locale := query.text("locale")
		return s.Query.CheckoutDetailsForm(r.Context(), id, &secret, &locale)
	})
}

func submitDetails(s Services) endpoint {
	return withSecret(func(r *http.Request, id, secret string) (any, error) {
		return withOpenBody(s, func(m mutation, ctx context.Context, details sale.Details) (sale.Checkout, error) {
			return m.SubmitCheckoutDetails(ctx, id, &secret, details)
		})(r)
	})
}

// abortCheckout accepts the checkout's secret in the body too. The body is optional.
func abortCheckout(s Services) endpoint {
	type input struct {
		Secret string `json:"secret,omitempty"`
	}
	return withSecret(func(r *http.Request, id, secret string) (any, error) {
		return withOpenBody(s, func(m mutation, ctx context.Context, sent input) (sale.Checkout, error) {
			if secret == "" {
				secret = sent.Secret
			}
			return m.AbortCheckout(ctx, id, &secret)
		})(r)
	})
}

// completeCheckout ignores the checkout's secret, which is never sufficient (SALE-7).
func completeCheckout(s Services) endpoint {
	return func(r *http.Request) (any, error) {
		id, err := pathValue(r, "id")
		if err != nil {
			return nil, err
		}
		object, err := readBody(r)
		if err != nil {
			return nil, err
		}
		var faults domain.FieldErrors
		if decode.OpenObject(&faults, object, &struct{}{}); faults.Any() {
			return nil, faults.Err()
		}
		return s.Mutation.CompleteCheckout(r.Context(), id)
	}
}

// withSecret reads the checkout from the path and the secret from the query.
func withSecret(do func(r *http.Request, id, secret string) (any, error)) endpoint {
	return func(r *http.Request) (any, error) {
		id, err := pathValue(r, "id")
		if err != nil {
			return nil, err
		}
		query := readQuery(r, "secret")
		if err := query.errs.Err(); err != nil {
			return nil, err
		}
		return do(r, id, query.text("secret"))
	}
}

// Origins reports whether any seller lists the origin.
type Origins func(ctx context.Context, origin string) (bool, error)

// shared reports whether pages of other sites may call the path. Only paths of checkouts are shared (SALE-7).
func shared(path string) bool {
	return path == checkoutPath || strings.HasPrefix(path, checkoutPath+"/")
}

// fromPages lets pages at any listed origin read responses of shared paths. The operation checks that the origin
// belongs to the checkout's own seller. Credentials that a browser adds on its own are never allowed.
func (router *Router) fromPages(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Add("Vary", "Origin")
		origins := r.Header.Values("Origin")
		if len(origins) == 0 || fromHere(r) {
			next.ServeHTTP(w, r)
			return
		}
		origin := strings.Join(origins, ", ")
		if err := router.checkListed(r.Context(), origin); err != nil {
			edge.WriteError(w, r, router.log, err)
			return
		}
		w.Header().Set("Access-Control-Allow-Origin", origin)
		w.Header().Set("Access-Control-Expose-Headers", "retry-after, x-request-id")
		call := domain.CallOf(r.Context())
		call.Origin = origin
		next.ServeHTTP(w, r.WithContext(domain.WithCall(r.Context(), call)))
	})
}

// fromHere reports whether the call comes from a page of this server, such as the API reference.
func fromHere(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" {
		return site == "same-origin"
	}
	origin, err := url.Parse(r.Header.Get("Origin"))
	return err == nil && origin.Host != "" && origin.Host == r.Host
}

func (router *Router) checkListed(ctx context.Context, origin string) error {
	listed, err := router.origins(ctx, ecmajson.NewString(origin).Text())
	if err == nil && !listed {
		err = domain.NewError(domain.CodeCrossOrigin, "No seller has this page's origin among its checkoutOrigins")
	}
	return err
}

// preflight answers the CORS preflight request of a page and leaves every other OPTIONS request to the router.
func (router *Router) preflight(template string, methods []string) http.Handler {
	allowed := strings.Join(methods, ", ")
	return edge.WithRoute(template, edge.WithTimeout(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Origin") == "" || r.Header.Get("Access-Control-Request-Method") == "" {
			router.unrouted(w, r)
			return
		}
		router.fromPages(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			header := w.Header()
			header.Add("Vary", "Access-Control-Request-Method")
			header.Add("Vary", "Access-Control-Request-Headers")
			header.Set("Access-Control-Allow-Methods", allowed)
			header.Set("Access-Control-Allow-Headers", "accept-language, checkout-secret, content-type, idempotency-key")
			header.Set("Access-Control-Max-Age", "600")
			w.WriteHeader(http.StatusNoContent)
		})).ServeHTTP(w, r)
	}), edge.OrdinaryBound))
}
