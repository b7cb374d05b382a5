package catalog

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/decode"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ids"
	"ticketgate/domain/optional"
	"ticketgate/domain/texts"
)

// SellerOf finds a seller's organization and features, or NOT_FOUND: tenant.LookUp is one.
type SellerOf func(context.Context, ids.Seller) (ids.Org, domain.Features, error)

// newID is the _id that a caller gave a new record, or one of ours.
func newID(problems *domain.Problems, given *string, now time.Time) string {
	if given == nil {
		return ids.New(now)
	}
	problems.Reference("_id", *given)
	return *given
}

// plausible reports whether an id from outside can name anything.
func plausible(id string) bool {
	var problems domain.Problems
	problems.Reference("", id)
	return !problems.Any()
}

// checkUnused notes the _id that a caller gave a new record if a record of the seller has it already.
func checkUnused[T any](
	ctx context.Context, get func(context.Context, ids.Seller, string) (T, error), seller ids.Seller, given *string,
	problems *domain.Problems,
) error {
	if given == nil || !plausible(*given) {
		return nil
	}
	_, err := get(ctx, seller, *given)
	if domain.HasCode(err, domain.CodeNotFound) {
		return nil
	}
	if err == nil {
		problems.Add("_id", "is already in use")
	}
	return err
}

// checkEvent notes an event that the seller doesn't have.
func checkEvent(
	ctx context.Context, from Reader, seller ids.Seller, id *string, problems *domain.Problems,
) error {
	if id == nil || !plausible(*id) {
		return nil
	}
	known, err := from.EventsByID(ctx, seller, []string{*id})
	if _, exists := known[*id]; err == nil && !exists {
		problems.Add("eventId", "does not exist")
	}
	return err
}

// applyMeta replaces meta whole; it is any object of at most 16 KiB and depth 8 (decisions 1.6).
func applyMeta(problems *domain.Problems, sent optional.Value[ecmajson.Value], old ecmajson.Value) ecmajson.Value {
	meta := sent.Apply(old)
	decode.Free(problems, "meta", meta)
	return meta
}

// sentMeta is the meta of a new record, in which absent and null are the same.
func sentMeta(meta ecmajson.Value) optional.Value[ecmajson.Value] { return optional.Some(meta) }

// maxTextLength bounds a short text that is no name, in characters.
const maxTextLength = 200

// applyText puts an optional text that was sent in place of the old one. White space at its ends goes; nothing but
// white space is no text.
func applyText(problems *domain.Problems, path string, sent optional.Value[string], old *string) *string {
	if !sent.Set {
		return old
	}
	text := texts.Trim(sent.Or(""))
	if text == "" {
		return nil
	}
	problems.ShortLine(path, text, maxTextLength)
	return &text
}

// applyReference puts the id of another record in place of the old one.
func applyReference(problems *domain.Problems, path string, sent optional.Value[string], old *string) *string {
	id := sent.ApplyPointer(old)
	if id != nil && sent.Set {
		problems.Reference(path, *id)
	}
	return id
}

// publish tells of a record under its singular name (decisions 7.5).
func publish(ctx context.Context, tx domain.Tx, seller ids.Seller, kind domain.EventType, name string, record any) error {
	data, err := printed(map[string]any{name: record})
	if err != nil {
		return err
	}
	_, err = tx.Publish(ctx, domain.Event{SellerID: seller, Type: kind, Data: data})
	return err
}

// same reports whether a change has changed nothing: nothing is written or published then (decisions 7.10). What can't be printed
// can't be published either, which says so.
func same(before, after any) bool {
	old, errOld := printed(before)
	changed, errChanged := printed(after)
	return errOld == nil && errChanged == nil && bytes.Equal(old, changed)
}

// printed is a record as webhooks show it (decisions 7.2).
func printed(record any) ([]byte, error) {
	text, err := json.Marshal(record)
	if err != nil {
		return nil, err
	}
	return ecmajson.Canonical(text)
}
