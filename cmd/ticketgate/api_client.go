package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"syscall"

	"ticketgate/domain"
)

// apiClient calls the API's documented paths with a key, as any integrator's program would.
type apiClient struct {
	base, key string
	calls     *http.Client
}

func newAPIClient(base, key string) apiClient {
	return apiClient{
		base: strings.TrimRight(base, "/"), key: key,
		// No bound for the whole: a file may be of any length. The key goes to no other host.
		calls: &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
	}
}

// keyFlagHelp is what every command says of its --key.
const keyFlagHelp = "better in TICKETGATE_API_KEY, where others can't see it"

// apiKey is the key of the flag, or else that of the environment; empty when there is none.
func (s *shell) apiKey(flag string) string {
	for _, variable := range s.environment {
		if value, ok := strings.CutPrefix(variable, "TICKETGATE_API_KEY="); ok && flag == "" {
			return value
		}
	}
	return flag
}

// call makes one call and reads its answer; an error of the API is told in its own words.
func (c apiClient) call(ctx context.Context, method, path, media string, body io.Reader, answer any) (err error) {
	request, err := http.NewRequestWithContext(ctx, method, c.base+path, body)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+c.key)
	if media != "" {
		request.Header.Set("Content-Type", media)
	}
	response, err := c.calls.Do(request)
	if err != nil {
		return c.unreached(err)
	}
	defer func() { err = errors.Join(err, response.Body.Close()) }()
	if response.StatusCode >= http.StatusMultipleChoices {
		return refusalOf(response)
	}
	if err := json.NewDecoder(response.Body).Decode(answer); err != nil {
		return fmt.Errorf("%s %s: the answer is not what was expected: %w", method, request.URL.Redacted(), err)
	}
	return nil
}

// unreached says in plain words that a call did not come to an answer, without the paths and layers of Go's own words: who
// typed a wrong port needs neither.
func (c apiClient) unreached(err error) error {
	if failed, ok := errors.AsType[*url.Error](err); ok {
		err = failed.Err
	}
	at := c.base
	if parsed, wrong := url.Parse(at); wrong == nil {
		at = parsed.Redacted()
	}
	dialed, ok := errors.AsType[*net.OpError](err)
	switch {
	case !ok || dialed.Op != "dial":
		return fmt.Errorf("the call to the API at %s broke off: %w", at, err)
	case errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Errorf("nothing answers at %s; start the server with ticketgate serve, or say with --url where the API is", at)
	}
	return fmt.Errorf("the API can't be reached at %s: %w; --url says where it is", at, dialed.Err)
}

// checkAPI refuses a --url that can't be the API's.
func checkAPI(base string) error {
	parsed, err := url.Parse(base)
	if err != nil || (parsed.Scheme != "http" && parsed.Scheme != "https") || parsed.Host == "" {
		return usageError{fmt.Errorf(
			"--url must be the API's address with http:// or https://, such as http://127.0.0.1:8080, not %q", base)}
	}
	return nil
}

// checkSegment refuses for an id what would make another path of the one that it stands in: proxies take dots for steps.
func checkSegment(what, id string) error {
	if slices.Contains([]string{"", ".", ".."}, id) {
		return usageError{fmt.Errorf("%s must be an id, not %q", what, id)}
	}
	return nil
}

// apiError is the API's word on why it left things as they are.
type apiError struct{ message string }

func (e apiError) Error() string { return errRefused.Error() + ": " + e.message }

func (e apiError) Unwrap() error { return errRefused }

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
		return apiError{body.Message}
	}
	return fmt.Errorf("%s (request %s)", body.Message, body.RequestID)
}
