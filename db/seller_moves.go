package db

import (
	"context"

	"github.com/uptrace/bun"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/secrets"
)

// MoveState is the state of a seller's move to another cluster, see docs/splitting.md.
type MoveState string

// The states of a move in order. The first four are states in the cluster that the seller leaves. The last is the state
// in the other cluster.
const (
	// MoveLeaving means that the seller's rows are being copied. This cluster still serves the seller.
	MoveLeaving MoveState = "leaving"
	// MoveQuiet is like MoveLeaving, but no new delivery attempts are made.
	MoveQuiet MoveState = "quiet"
	// MoveFenced means that no cluster serves the seller: calls and writes of its rows are refused.
	MoveFenced MoveState = "fenced"
	// MoveAway means that the other cluster serves the seller.
	MoveAway MoveState = "away"
	// MoveArriving means that this cluster does not serve the seller yet.
	MoveArriving MoveState = "arriving"
)

// refused are the states in which calls are refused.
const refused = "('fenced', 'away', 'arriving')"

// staying excludes the rows of sellers that are moving to another cluster, which periodic jobs must not change.
const staying = "NOT EXISTS (SELECT FROM seller_moves v WHERE v.seller_id = ?TableAlias.seller_id AND v.state <> 'leaving')"

// sellerMoveRow is a row of seller_moves.
type sellerMoveRow struct {
	bun.BaseModel `bun:"table:seller_moves,alias:v"`

	SellerID ids.Seller `bun:"seller_id,pk"`
	State    MoveState  `bun:"state"`
	Cluster  string     `bun:"cluster"`
}

var sellerMoves = &source[sellerMoveRow]{}

// moveColumns are read with every credential check, so that no process serves a seller that another cluster serves.
type moveColumns struct {
	MoveState   *MoveState
	MoveCluster *string
}

const moveFields = "v.state AS move_state, v.cluster AS move_cluster"

// elsewhere returns an error if calls for the seller must be refused, and otherwise nil.
func (c moveColumns) elsewhere() error {
	if c.MoveState == nil {
		return nil
	}
	switch *c.MoveState {
	case MoveAway, MoveArriving:
		return domain.Elsewhere(value(c.MoveCluster))
	case MoveFenced:
		return domain.Elsewhere("")
	case MoveLeaving, MoveQuiet:
	}
	return nil
}

// elsewhere returns the error for a seller that was not found: that another cluster serves it or, if none does,
// otherwise.
func (s *Store) elsewhere(ctx context.Context, on conn, seller ids.Seller, otherwise error) error {
	found, err := sellerMoves.of(seller).rows(ctx, s, on)
	if err != nil {
		return err
	}
	for _, move := range found {
		if err := (moveColumns{&move.State, &move.Cluster}).elsewhere(); err != nil {
			return err
		}
	}
	return otherwise
}

// movedAway returns the error for a write that the fence refused. It does not name the other cluster, so that the
// request is not repeated there: it may already have had an effect.
func movedAway(error) *domain.Error { return domain.Elsewhere("") }

func accountsAtHome(error) *domain.Error {
	return domain.InvalidState("Accounts cannot be changed on this cluster; send the request without x-seller-id")
}

// Place tells a router where a seller, key or device is served. Cluster is the name of the cluster that serves it, if
// known.
type Place struct {
	Here    bool   `json:"here"`
	Cluster string `json:"cluster,omitempty"`
}

// CredentialEpoch returns the latest epoch that this process knows. Each change of a credential and each step of a move
// changes it.
func (c *Credentials) CredentialEpoch() int64 { return c.lease.known() }

// PlaceOfSeller returns the place of a seller. Without a move it is here, even if the seller does not exist.
func (s *Store) PlaceOfSeller(ctx context.Context, seller ids.Seller) (Place, error) {
	found, err := sellerMoves.of(seller).rows(ctx, s, s.sql)
	if err != nil || len(found) == 0 {
		return Place{Here: err == nil}, err
	}
	if state := found[0].State; state == MoveAway || state == MoveArriving {
		return Place{Cluster: found[0].Cluster}, nil
	}
	return Place{Here: true}, nil
}

// PlaceOfKey returns the place of an API key by the digest of its secret.
func (s *Store) PlaceOfKey(ctx context.Context, digest secrets.Digest) (Place, error) {
	found, err := keyCredentials.where("x.digest = $", digest[:]).row(ctx, s, s.sql, keyName)
	if err != nil {
		return notHere(err)
	}
	return s.PlaceOfSeller(ctx, ids.Seller(found.SellerID))
}

// PlaceOfDevice returns the place of a device by the digest of its token.
func (s *Store) PlaceOfDevice(ctx context.Context, digest secrets.Digest) (Place, error) {
	found, err := deviceCredentials.where("d.token_digest = $", digest[:]).row(ctx, s, s.sql, deviceName)
	if err != nil {
		return notHere(err)
	}
	return s.PlaceOfSeller(ctx, ids.Seller(found.SellerID))
}

func notHere(err error) (Place, error) {
	if domain.HasCode(err, domain.CodeNotFound) {
		err = nil
	}
	return Place{}, err
}
