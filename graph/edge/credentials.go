package edge

import (
	"context"
	"net/http"

	"ticketgate/domain"
	"ticketgate/domain/apikey"
)

// Authenticator finds out who is calling.
type Authenticator interface {
	Authenticate(ctx context.Context, credentials apikey.Credentials) (*domain.Actor, error)
}

// CredentialsOf reads the credentials in a request's headers. Where devices may call, a device's token is looked at alone,
// whatever else is sent. Cookies are not read: only GraphQL takes one.
func CredentialsOf(r *http.Request, devicesMayCall bool) apikey.Credentials {
	sent := apikey.Credentials{
		Bearer:       r.Header.Values("Authorization"),
		DeviceTokens: r.Header.Values("Token"),
		SellerHeader: r.Header.Get("X-Seller-Id"),
	}
	if devicesMayCall && len(sent.DeviceTokens) > 0 {
		sent.Bearer = nil
	}
	return sent
}
