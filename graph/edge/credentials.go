package edge

import (
	"context"
	"net/http"

	"ticketgate/domain"
	"ticketgate/domain/apikey"
)

// Authenticator authenticates a caller by its credentials.
type Authenticator interface {
	Authenticate(ctx context.Context, credentials apikey.Credentials) (*domain.Actor, error)
}

// CredentialsOf returns the credentials in a request's headers. If devicesMayCall is set and a device token is sent, all
// others are ignored. Cookies are not read, because only GraphQL accepts one.
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
