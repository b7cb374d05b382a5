package graph

import (
	"context"

	"ticketgate/graph/relay"
)

func (r *queryResolver) Node(ctx context.Context, id string, typeArg relay.NodeType) (relay.Node, error) {
	return r.nodes()[typeArg](ctx, id)
}
