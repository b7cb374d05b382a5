package tenant

import (
	"context"
	"fmt"
	"slices"
	"unicode/utf8"

	"ticketgate/domain"
	"ticketgate/domain/identification"
	"ticketgate/domain/ids"
	"ticketgate/domain/listenerurl"
	"ticketgate/domain/optional"
)

// Invoicing is where a seller's invoices are sent.
type Invoicing struct {
	URL string `json:"url"`
	// Signed is true if there is a signing key. The key itself is never returned.
	Signed bool `json:"signed"`
}

// InvoicingTarget is the URL that invoices are sent to and its signing key. Without a key, calls are not signed.
type InvoicingTarget struct{ URL, HMACKey string }

// InvoicingChange sets where invoices are sent. An omitted key keeps the stored one. Null removes it.
type InvoicingChange struct {
	URL     string                 `json:"url"`
	HMACKey optional.Value[string] `json:"hmacKey"`
}

// maxKeyLength is the maximum length of a signing key in characters, the same as for a webhook.
const maxKeyLength = 4096

func (c InvoicingChange) check(errs *domain.FieldErrors, policy listenerurl.Policy) {
	if _, err := listenerurl.Parse(c.URL, policy); err != nil {
		errs.Add("invoicing.url", "is invalid: "+err.Error())
	}
	key := c.HMACKey.Or("")
	if length := utf8.RuneCountInString(key); length > maxKeyLength {
		errs.Add("invoicing.hmacKey", fmt.Sprintf("must be at most %d characters, not %d", maxKeyLength, length))
	}
	errs.Text("invoicing.hmacKey", key)
}

// ShownInvoicing returns the invoicing if the caller may see it, otherwise nil. Its URL may hold a secret, so it
// requires the same role as webhooks.
func (s Seller) ShownInvoicing(ctx context.Context) *Invoicing {
	if MayKnowInvoicing(ctx, s.ID, s.OrganizationID) {
		return s.Invoicing
	}
	return nil
}

// MayKnowInvoicing reports whether the caller may see where a seller's invoices are sent.
func MayKnowInvoicing(ctx context.Context, seller ids.Seller, org ids.Org) bool {
	actor := domain.ActorOf(ctx)
	return actor.Kind == domain.SystemActor ||
		(actor.Kind == domain.UserActor && actor.RoleAt(seller, org) >= domain.Developer)
}

// Identification returns the settings of the seller that the identification rules need.
func (s Seller) Identification() identification.Seller {
	return identification.Seller{Country: s.Country, SIREN: s.SIREN, Configuration: s.IdentificationConfig}
}

// AllowsOrigin reports whether a shop at the origin may create checkouts of the seller.
func (s Seller) AllowsOrigin(origin string) bool { return slices.Contains(s.CheckoutOrigins, origin) }

// origins returns the origins in their stored form, without duplicates.
func origins(errs *domain.FieldErrors, given []string, local bool) []string {
	if !errs.Count("checkoutOrigins", len(given), maxCheckoutOrigins) {
		return nil
	}
	var kept []string
	for i, text := range given {
		origin, err := checkoutOrigin(text, local)
		if err != nil {
			errs.Add(domain.IndexPath("checkoutOrigins", i), err.Error())
		}
		if !slices.Contains(kept, origin) {
			kept = append(kept, origin)
		}
	}
	return kept
}
