package program

import (
	"context"
	"crypto/subtle"
	"encoding/hex"
	"log/slog"
	"net/http"

	"ticketgate/db"
	"ticketgate/domain"
	"ticketgate/domain/apikey"
	"ticketgate/domain/ids"
	"ticketgate/domain/secrets"
	"ticketgate/graph/edge"
)

// Whereabouts is the response of /routez. When the Epoch changes, earlier responses may no longer be correct.
type Whereabouts struct {
	db.Place
	Epoch int64 `json:"epoch"`
}

// route responds to `ticketgate route` whether this cluster serves a seller, or which seller a credential belongs to.
// It requires the system token. Credentials are given as digests, not as secrets.
func (p *Program) route(w http.ResponseWriter, r *http.Request) {
	place, err := db.Place{}, error(domain.Unauthenticated("Authentication required: send the system token"))
	if p.isSystem(r) {
		place, err = p.placeOf(r.Context(), r.URL.Query())
	}
	if err != nil {
		edge.WriteError(w, r, slog.Default(), err)
		return
	}
	edge.LogAtDebug(r) // each router asks three times a second
	w.Header().Set("Cache-Control", "no-store")
	edge.WriteJSON(w, http.StatusOK, Whereabouts{Place: place, Epoch: p.store.Credentials().CredentialEpoch()})
}

func (p *Program) isSystem(r *http.Request) bool {
	sent, ok := apikey.Bearer(r.Header.Values("Authorization"))
	matches := 0
	for _, token := range p.Config.SystemTokens {
		matches |= subtle.ConstantTimeCompare([]byte(sent), []byte(token))
	}
	return ok && matches == 1
}

// placeOf returns the place of the seller, key or device that the query names. Keys and devices are named by the
// digests of their secrets. Without a name, it returns the zero Place.
func (p *Program) placeOf(ctx context.Context, query map[string][]string) (db.Place, error) {
	for name, values := range query {
		switch name {
		case "seller":
			return p.store.PlaceOfSeller(ctx, ids.Seller(values[0]))
		case "key":
			return byDigest(ctx, values[0], p.store.PlaceOfKey)
		case "device":
			return byDigest(ctx, values[0], p.store.PlaceOfDevice)
		}
	}
	return db.Place{}, nil
}

func byDigest(
	ctx context.Context, text string, find func(context.Context, secrets.Digest) (db.Place, error),
) (db.Place, error) {
	var digest secrets.Digest
	if decoded, err := hex.DecodeString(text); err != nil || copy(digest[:], decoded) != len(digest) {
		return db.Place{}, domain.Invalid("digest", "must be a SHA-256 digest in hexadecimal")
	}
	return find(ctx, digest)
}
