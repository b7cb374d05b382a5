package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
)

// entryCreate measures adding entries to a list, one per call. The bare server adds entries to another list, each in a
// transaction of its own.
func entryCreate(ctx context.Context, r *rig) (subject, error) {
	p, s, err := r.installation(ctx)
	if err != nil {
		return subject{}, err
	}
	server, err := r.bareServer(ctx)
	if err != nil {
		return subject{}, err
	}
	measure, created, err := r.creatingEntries(ctx, p.settled(s), p, s)
	if err != nil {
		return subject{}, err
	}
	baseline, same, err := r.creatingEntries(ctx, server.settled(s), p, s)
	if err == nil {
		err = sameFields(created, same, "_id", "listId", "createdAt", "updatedAt")
	}
	return subject{measure: measure, baseline: baseline, against: ofBare + " with one insert"}, err
}

// creatingEntries returns the measurement of adding entries by a server p, and its first response. The product creates
// the list.
func (r *rig) creatingEntries(ctx context.Context, p, product *process, s seller) (measurement, []byte, error) {
	list, err := product.asSeller(s).create(ctx, "/api/access-lists", map[string]any{"name": "Benchmark"})
	if err != nil {
		return nil, nil, err
	}
	as := p.asSeller(s)
	numbered := newNumbered(as.request(http.MethodPost, "/api/access-lists/"+list+"/entries", fullEntry(numberMark)))
	first, err := as.call(ctx, http.StatusCreated, numbered.next())
	if err != nil {
		return nil, nil, err
	}
	creating := load{
		address: as.address(), connections: connections, accept: wants(http.StatusCreated),
		request: func(int) []byte { return numbered.next() },
	}
	_, err = creating.run(ctx, warmUp)
	return r.costing(p, creating.run), first, err
}

// numberMark is the placeholder for the number in a numbered request.
const numberMark = "NUMBER-00000000"

// numberPrefix is the start of numberMark.
var numberPrefix = []byte("NUMBER-")

// numbered is a request with a number that differs each time. Its length does not change.
type numbered struct {
	before, after []byte
	number        atomic.Int64
}

// newNumbered splits a request at its placeholder.
func newNumbered(request []byte) *numbered {
	before, after, _ := bytes.Cut(request, []byte(numberMark))
	return &numbered{before: before, after: after}
}

// next returns the request with the next number.
func (n *numbered) next() []byte { return n.at(n.number.Add(1)) }

// at returns the request with the given number.
func (n *numbered) at(number int64) []byte {
	request := make([]byte, 0, len(n.before)+len(numberMark)+len(n.after))
	request = append(request, n.before...)
	request = fmt.Appendf(request, "%s%08d", numberPrefix, number)
	return append(request, n.after...)
}
