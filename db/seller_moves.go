package db

import (
	"context"

	"github.com/uptrace/bun"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/secrets"
)

// MoveState is how far a seller is on the way to another cluster, see docs/splitting.md.
type MoveState string

// The states, in their order. The first four are those of the cluster that a seller leaves, the last is that of the other one.
const (
	// MoveLeaving is while the seller's rows are copied: it is served here.
	MoveLeaving MoveState = "leaving"
	// MoveQuiet is MoveLeaving without new attempts of deliveries.
	MoveQuiet MoveState = "quiet"
	// MoveFenced is while nobody serves the seller: calls are refused, and so are writes of its rows.
	MoveFenced MoveState = "fenced"
	// MoveAway is after the switch.
	MoveAway MoveState = "away"
	// MoveArriving is on the other cluster before the switch.
	MoveArriving MoveState = "arriving"
)

// refused are the states in which calls are refused.
const refused = "('fenced', 'away', 'arriving')"

// staying is the condition for rows whose seller isn't on the way to another cluster: periodic jobs leave the others alone.
const staying = "NOT EXISTS (SELECT FROM seller_moves v WHERE v.seller_id = ?TableAlias.seller_id AND v.state <> 'leaving')"

// sellerMoveRow is a row of seller_moves.
type sellerMoveRow struct {
	bun.BaseModel `bun:"table:seller_moves,alias:v"`

	SellerID ids.Seller `bun:"seller_id,pk"`
	State    MoveState  `bun:"state"`
	Cluster  string     `bun:"cluster"`
}

var sellerMoves = &source[sellerMoveRow]{}

// moveColumns are read with what a check of a credential needs, so that no process serves a seller that is elsewhere.
type moveColumns struct {
	MoveState   *MoveState
	MoveCluster *string
}

const moveFields = "v.state AS move_state, v.cluster AS move_cluster"

// elsewhere returns why calls for the seller are refused; nil if they are not.
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

// elsewhere returns the reason why a seller was not found: another cluster serves it, or what is given.
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

// movedAway is what a write of a fenced seller's rows is answered. It names no cluster: the request may have done something before.
func movedAway(error) *domain.Error { return domain.Elsewhere("") }

func accountsAtHome(error) *domain.Error {
	return domain.InvalidState("Accounts can't be changed on this cluster; send the request without x-seller-id")
}

// Place says whether this cluster serves what a router asks for. Cluster names the one that does if this one knows it.
type Place struct {
	Here    bool   `json:"here"`
	Cluster string `json:"cluster,omitempty"`
}

// CredentialEpoch is the latest epoch that this process knows. It changes with each change of a credential and each step of a move.
func (c *Credentials) CredentialEpoch() int64 { return c.lease.known() }

// PlaceOfSeller says where a seller is. A seller without a move is here, whether it exists or not.
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

// PlaceOfKey says where an API key is, by the digest of its secret.
func (s *Store) PlaceOfKey(ctx context.Context, digest secrets.Digest) (Place, error) {
	found, err := keyCredentials.where("x.digest = $", digest[:]).row(ctx, s, s.sql, keyName)
	if err != nil {
		return notHere(err)
	}
	return s.PlaceOfSeller(ctx, ids.Seller(found.SellerID))
}

// PlaceOfDevice says where a device is, by the digest of its token.
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
