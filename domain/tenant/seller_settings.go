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

// Invoicing is where a seller's invoices are handed over (decisions 8.5).
type Invoicing struct {
	URL string `json:"url"`
	// Signed tells that there is a key to sign with. The key itself is never shown again.
	Signed bool `json:"signed"`
}

// InvoicingTarget is what a hand-over needs: the URL, and the key, empty for unsigned calls.
type InvoicingTarget struct{ URL, HMACKey string }

// InvoicingChange sets where invoices go. An absent key stays, null takes it away.
type InvoicingChange struct {
	URL     string                 `json:"url"`
	HMACKey optional.Value[string] `json:"hmacKey"`
}

// maxKeyLength bounds a signing key, in characters, as that of a webhook.
const maxKeyLength = 4096

func (c InvoicingChange) check(problems *domain.Problems, policy listenerurl.Policy) {
	if _, err := listenerurl.Parse(c.URL, policy); err != nil {
		problems.Add("invoicing.url", "is refused: "+err.Error())
	}
	key := c.HMACKey.Or("")
	if length := utf8.RuneCountInString(key); length > maxKeyLength {
		problems.Add("invoicing.hmacKey", fmt.Sprintf("must be at most %d characters, not %d", maxKeyLength, length))
	}
	problems.Text("invoicing.hmacKey", key)
}

// ShownInvoicing is the invoicing as far as the caller may know it: as a webhook's URL, that of an invoice listener may
// hold a secret, so that it needs the role that webhooks need (decisions 4.4).
func (s Seller) ShownInvoicing(ctx context.Context) *Invoicing {
	if MayKnowInvoicing(ctx, s.ID, s.OrganizationID) {
		return s.Invoicing
	}
	return nil
}

// MayKnowInvoicing tells whether the caller may know where a seller's invoices go.
func MayKnowInvoicing(ctx context.Context, seller ids.Seller, org ids.Org) bool {
	actor := domain.ActorOf(ctx)
	return actor.Kind == domain.SystemActor ||
		(actor.Kind == domain.UserActor && actor.RoleAt(seller, org) >= domain.Developer)
}

// Identification is what the rule on identification depends on at the seller's side (spec 4.5).
func (s Seller) Identification() identification.Seller {
	return identification.Seller{Country: s.Country, SIREN: s.SIREN, Configuration: s.IdentificationConfig}
}

// AllowsOrigin tells whether a shop at an origin, as a browser names it, may make checkouts of the seller
// (decisions 8.4).
func (s Seller) AllowsOrigin(origin string) bool { return slices.Contains(s.CheckoutOrigins, origin) }

// origins returns the origins as they are stored, each once.
func origins(problems *domain.Problems, given []string, local bool) []string {
	if len(given) > maxCheckoutOrigins {
		problems.Add("checkoutOrigins", fmt.Sprintf("must be at most %d, not %d", maxCheckoutOrigins, len(given)))
		return nil
	}
	var kept []string
	for i, text := range given {
		origin, err := checkoutOrigin(text, local)
		if err != nil {
			problems.Add(domain.IndexPath("checkoutOrigins", i), err.Error())
		}
		if !slices.Contains(kept, origin) {
			kept = append(kept, origin)
		}
	}
	return kept
}
