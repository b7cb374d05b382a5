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

// The states in order. The first four occur in the cluster that the seller leaves, the last one in the other cluster.
const (
	// MoveLeaving means that the seller's rows are being copied. The seller is still served here.
	MoveLeaving MoveState = "leaving"
	// MoveQuiet is MoveLeaving without new delivery attempts.
	MoveQuiet MoveState = "quiet"
	// MoveFenced means that no cluster serves the seller: calls and writes of its rows are refused.
	MoveFenced MoveState = "fenced"
	// MoveAway follows the switch.
	MoveAway MoveState = "away"
	// MoveArriving is the state in the other cluster before the switch.
	MoveArriving MoveState = "arriving"
)

// refused are the states in which calls are refused.
const refused = "('fenced', 'away', 'arriving')"

// staying excludes the rows of sellers that are moving to another cluster. Periodic jobs leave those alone.
const staying = "NOT EXISTS (SELECT FROM seller_moves v WHERE v.seller_id = ?TableAlias.seller_id AND v.state <> 'leaving')"

// sellerMoveRow is a row of seller_moves.
type sellerMoveRow struct {
	bun.BaseModel `bun:"table:seller_moves,alias:v"`

	SellerID ids.Seller `bun:"seller_id,pk"`
	State    MoveState  `bun:"state"`
	Cluster  string     `bun:"cluster"`
}

var sellerMoves = &source[sellerMoveRow]{}

// moveColumns are read with each credential check, so that no process serves a seller that is elsewhere.
type moveColumns struct {
	MoveState   *MoveState
	MoveCluster *string
}

const moveFields = "v.state AS move_state, v.cluster AS move_cluster"

// elsewhere returns the reason to refuse calls for the seller, or nil.
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

// elsewhere returns why a seller was not found: another cluster serves it, or otherwise the given error.
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

// movedAway is the error for writes of a fenced seller's rows. It names no cluster, because the request may already
// have had an effect.
func movedAway(error) *domain.Error { return domain.Elsewhere("") }

func accountsAtHome(error) *domain.Error {
	return domain.InvalidState("Accounts can't be changed on this cluster; send the request without x-seller-id")
}

// Place is the result of a router's question about a seller, key or device. Cluster is the name of the serving
// cluster, if known.
type Place struct {
	Here    bool   `json:"here"`
	Cluster string `json:"cluster,omitempty"`
}

// CredentialEpoch returns the latest epoch that this process knows. It changes with each change of a credential and
// each step of a move.
func (c *Credentials) CredentialEpoch() int64 { return c.lease.known() }

// PlaceOfSeller returns the place of a seller. A seller without a move is here, even if it doesn't exist.
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

// PlaceOfKey returns the place of an API key, given the digest of its secret.
func (s *Store) PlaceOfKey(ctx context.Context, digest secrets.Digest) (Place, error) {
	found, err := keyCredentials.where("x.digest = $", digest[:]).row(ctx, s, s.sql, keyName)
	if err != nil {
		return notHere(err)
	}
	return s.PlaceOfSeller(ctx, ids.Seller(found.SellerID))
}

// PlaceOfDevice returns the place of a device, given the digest of its token.
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
