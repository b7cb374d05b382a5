package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"ticketgate/domain/access"
)

// importClient calls the import paths of one access list.
type importClient struct {
	api  apiClient
	path string
}

func newImportClient(api, key, list string) *importClient {
	return &importClient{newAPIClient(api, key), "/api/access-lists/" + url.PathEscape(list) + "/entries/imports"}
}

// stage uploads a file as a new import and returns its preview. The list does not change.
func (c *importClient) stage(ctx context.Context, file io.Reader, format string, options *importOptions) (access.Report, error) {
	query := url.Values{"preset": {options.preset}}
	if options.fullSet {
		query.Set("mode", string(access.FullSet))
	}
	if options.trimCodes {
		query.Set("trimCodes", "true")
	}
	if options.keepSuspicious {
		query.Set("keepSuspicious", "true")
	}
	return c.call(ctx, http.MethodPost, "?"+query.Encode(), format, file)
}

// commit applies a staged import to the list. If the API refuses it, the error names flags instead of fields.
func (c *importClient) commit(ctx context.Context, staged access.Report, options *importOptions) (access.Report, error) {
	how := map[string]any{"skipBad": options.skipBad, "confirmRemovals": options.confirmRemovals}
	if options.onConflict != "" {
		how["onConflict"] = options.onConflict
	}
	body, err := json.Marshal(how)
	if err != nil {
		return access.Report{}, err
	}
	done, err := c.call(ctx, http.MethodPost, "/"+staged.ID+"/commit", "application/json", bytes.NewReader(body))
	if refused, ok := errors.AsType[apiError](err); ok {
		err = apiError{inFlags.Replace(refused.message)}
	}
	return done, err
}

// inFlags replaces names of body fields in messages of the API with the names of flags.
var inFlags = strings.NewReplacer(
	"with skipBad", "with --skip-bad", "with onConflict", "with --on-conflict", "with confirmRemovals", "with --confirm-removals",
	"with trimCodes", "with --trim-codes", "with keepSuspicious", "with --keep-suspicious",
)

func (c *importClient) undo(ctx context.Context, id string) (access.Report, error) {
	return c.call(ctx, http.MethodPost, "/"+url.PathEscape(id)+"/undo", "", http.NoBody)
}

// cancel discards the staged rows. It also works after the user interrupted the command.
func (c *importClient) cancel(ctx context.Context, staged access.Report) error {
	const bound = 10 * time.Second
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), bound)
	defer cancel()
	_, err := c.call(ctx, http.MethodDelete, "/"+staged.ID, "", http.NoBody)
	return err
}

func (c *importClient) call(ctx context.Context, method, path, media string, body io.Reader) (access.Report, error) {
	var report access.Report
	err := c.api.call(ctx, method, c.path+path, media, body, &report)
	return report, err
}
