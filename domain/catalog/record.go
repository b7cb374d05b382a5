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

// SellerOf returns a seller's organization and features, or NOT_FOUND.
type SellerOf func(context.Context, ids.Seller) (ids.Org, domain.Features, error)

// newID returns the given _id for a new record, or a generated one if it is nil.
func newID(errs *domain.FieldErrors, given *string, now time.Time) string {
	if given == nil {
		return ids.New(now)
	}
	errs.Reference("_id", *given)
	return *given
}

// plausible reports whether an id is well-formed.
func plausible(id string) bool {
	var errs domain.FieldErrors
	errs.Reference("", id)
	return !errs.Any()
}

// checkUnused adds an error if the given _id is already in use by the seller (CATALOG-2).
func checkUnused[T any](
	ctx context.Context, get func(context.Context, ids.Seller, string) (T, error), seller ids.Seller, given *string,
	errs *domain.FieldErrors,
) error {
	if given == nil || !plausible(*given) {
		return nil
	}
	_, err := get(ctx, seller, *given)
	if domain.HasCode(err, domain.CodeNotFound) {
		return nil
	}
	if err == nil {
		errs.Add("_id", "is already in use")
	}
	return err
}

// checkEvent adds an error if the event does not exist.
func checkEvent(
	ctx context.Context, from Reader, seller ids.Seller, id *string, errs *domain.FieldErrors,
) error {
	if id == nil || !plausible(*id) {
		return nil
	}
	known, err := from.EventsByID(ctx, seller, []string{*id})
	if _, exists := known[*id]; err == nil && !exists {
		errs.Add("eventId", "does not exist")
	}
	return err
}

// applyMeta replaces meta completely. It may be any object of at most 16 KiB and depth 8.
func applyMeta(errs *domain.FieldErrors, sent optional.Value[ecmajson.Value], old ecmajson.Value) ecmajson.Value {
	meta := sent.Apply(old)
	decode.Free(errs, "meta", meta)
	return meta
}

// sentMeta returns the meta of a new record, in which omitted and null are the same.
func sentMeta(meta ecmajson.Value) optional.Value[ecmajson.Value] { return optional.Some(meta) }

// maxTextLength is the maximum length of an optional text, in characters.
const maxTextLength = 200

// applyText replaces an optional text if it was sent. It trims white space. An empty text becomes nil.
func applyText(errs *domain.FieldErrors, path string, sent optional.Value[string], old *string) *string {
	if !sent.Set {
		return old
	}
	text := texts.Trim(sent.Or(""))
	if text == "" {
		return nil
	}
	errs.ShortLine(path, text, maxTextLength)
	return &text
}

// applyReference replaces the id of another record if it was sent.
func applyReference(errs *domain.FieldErrors, path string, sent optional.Value[string], old *string) *string {
	id := sent.ApplyPointer(old)
	if id != nil && sent.Set {
		errs.Reference(path, *id)
	}
	return id
}

// publish publishes a record under its resource name (SALE-11).
func publish(ctx context.Context, tx domain.Tx, seller ids.Seller, kind domain.EventType, name string, record any) error {
	data, err := printed(map[string]any{name: record})
	if err != nil {
		return err
	}
	_, err = tx.Publish(ctx, domain.Event{SellerID: seller, Type: kind, Data: data})
	return err
}

// same reports whether a change had no effect, so that nothing is written or published (CATALOG-4). If a record can't
// be marshaled, it reports false, and publishing returns the error.
func same(before, after any) bool {
	old, errOld := printed(before)
	changed, errChanged := printed(after)
	return errOld == nil && errChanged == nil && bytes.Equal(old, changed)
}

// printed returns the canonical JSON of a record, as it is published (SALE-11).
func printed(record any) ([]byte, error) {
	text, err := json.Marshal(record)
	if err != nil {
		return nil, err
	}
	return ecmajson.Canonical(text)
}
