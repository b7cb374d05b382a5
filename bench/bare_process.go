package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"reflect"

	"ticketgate/db/embedded"
)

// ofBare is the name of the bare server as a baseline.
const ofBare = "bare net/http, mux and pgxpool"

// bareServer starts the bare server on the rig's database. It accepts credentials that exist at that time.
func (r *rig) bareServer(ctx context.Context) (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return r.ready(r.start(ctx, []string{bareDatabase + "=" + r.database(embedded.ApplicationRole)}, self, bareMode))
}

// reading returns a warmed-up measurement of a read, and the first response. All responses must be equal, except for
// the fields in varies.
func (r *rig) reading(
	ctx context.Context, p *process, as api, request []byte, varies ...string,
) (measurement, []byte, error) {
	requests, err := as.load(ctx, request)
	if err != nil {
		return nil, nil, err
	}
	if len(varies) > 0 {
		requests.accept = wants(http.StatusOK)
	}
	first, err := as.call(ctx, http.StatusOK, request)
	if err != nil {
		return nil, nil, err
	}
	_, err = requests.run(ctx, warmUp)
	return r.costing(p, requests.run), first, err
}

// pairing is a request to the product with the equivalent request to the bare server.
type pairing struct {
	product, bare api
	request, same func(api) []byte
	varies        []string
	remark        string
}

// besideBare prepares the measurement of a request, with the bare server as its baseline.
func (r *rig) besideBare(ctx context.Context, b pairing, p, server *process) (subject, error) {
	measure, answer, err := r.reading(ctx, p, b.product, b.request(b.product), b.varies...)
	if err != nil {
		return subject{}, err
	}
	baseline, same, err := r.reading(ctx, server, b.bare, b.same(b.bare), b.varies...)
	if err == nil && !bytes.HasPrefix(answer, []byte(`{"data":`)) {
		err = sameFields(answer, same, b.varies...)
	}
	return subject{measure: measure, baseline: baseline, against: ofBare, remark: b.remark}, err
}

// sameFields returns an error if two JSON objects differ in fields other than varies.
func sameFields(item, other []byte, varies ...string) error {
	var objects [2]map[string]any
	for i, text := range [][]byte{item, other} {
		if err := json.Unmarshal(text, &objects[i]); err != nil {
			return fmt.Errorf("%w in %s", err, text)
		}
		for _, name := range varies {
			delete(objects[i], name)
		}
	}
	if !reflect.DeepEqual(objects[0], objects[1]) {
		return fmt.Errorf("the baseline returns %s, want %s", other, item)
	}
	return nil
}
