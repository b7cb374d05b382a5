package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/access"
)

// importClient calls the API's paths of imports, as any integrator's program would.
type importClient struct {
	base, key string
	calls     *http.Client
}

func newImportClient(api, key, list string) *importClient {
	return &importClient{
		base: strings.TrimRight(api, "/") + "/api/access-lists/" + url.PathEscape(list) + "/entries/imports", key: key,
		// No bound for the whole: a file may be of any length. The key goes to no other host.
		calls: &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
	}
}

func (c *importClient) stage(ctx context.Context, file io.Reader, format string, options *importOptions) (access.Report, error) {
	query := url.Values{"preset": {options.preset}}
	if options.fullSet {
		query.Set("mode", string(access.FullSet))
	}
	return c.call(ctx, http.MethodPost, "?"+query.Encode(), format, file)
}

func (c *importClient) commit(ctx context.Context, staged access.Report, options *importOptions) (access.Report, error) {
	how := map[string]any{"skipBad": options.skipBad, "confirmRemovals": options.yes}
	if options.onConflict != "" {
		how["onConflict"] = options.onConflict
	}
	body, err := json.Marshal(how)
	if err != nil {
		return access.Report{}, err
	}
	return c.call(ctx, http.MethodPost, "/"+staged.ID+"/commit", "application/json", bytes.NewReader(body))
}

// cancel forgets the rows, also when the person at the terminal has interrupted the command.
func (c *importClient) cancel(ctx context.Context, staged access.Report) error {
	const bound = 10 * time.Second
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), bound)
	defer cancel()
	_, err := c.call(ctx, http.MethodDelete, "/"+staged.ID, "", http.NoBody)
	return err
}

// call makes one call; an error of the API is told in its own words.
func (c *importClient) call(ctx context.Context, method, path, media string, body io.Reader) (access.Report, error) {
	request, err := http.NewRequestWithContext(ctx, method, c.base+path, body)
	if err != nil {
		return access.Report{}, err
	}
	request.Header.Set("Authorization", "Bearer "+c.key)
	if media != "" {
		request.Header.Set("Content-Type", media)
	}
	response, err := c.calls.Do(request)
	if err != nil {
		return access.Report{}, err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode >= http.StatusMultipleChoices {
		return access.Report{}, refusalOf(response)
	}
	var report access.Report
	if err := json.NewDecoder(response.Body).Decode(&report); err != nil {
		return access.Report{}, fmt.Errorf("%s %s: the answer is no report: %w", method, request.URL.Redacted(), err)
	}
	return report, nil
}

// refusalOf is the API's error. One for the state of things leaves the list as it is.
func refusalOf(response *http.Response) error {
	const longest = 64 << 10
	var body struct {
		Message   string      `json:"message"`
		Code      domain.Code `json:"code"`
		RequestID string      `json:"requestId"`
	}
	err := json.NewDecoder(io.LimitReader(response.Body, longest)).Decode(&body)
	switch {
	case err != nil || body.Message == "":
		return fmt.Errorf("the API answered %s", response.Status)
	case body.Code == domain.CodeInvalidState:
		return fmt.Errorf("%w: %s", errRefused, body.Message)
	}
	return fmt.Errorf("%s (request %s)", body.Message, body.RequestID)
}
