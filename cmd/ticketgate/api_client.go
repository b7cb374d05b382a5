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

// apiClient calls documented paths of the API with an API key, as an integrator's program would.
type apiClient struct {
	base, key string
	calls     *http.Client
}

func newAPIClient(base, key string) apiClient {
	return apiClient{
		base: strings.TrimRight(base, "/"), key: key,
		// There is no overall timeout, because files may have any length. Redirects are not followed, so that the key
		// never reaches another host.
		calls: &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
	}
}

// keyFlagHelp is the part of the --key help that all commands share.
const keyFlagHelp = "prefer TICKETGATE_API_KEY, which other users of the machine can't see"

// apiKey returns the value of the flag or, if it is empty, the key of the environment. It returns an empty string if
// neither is set.
func (s *shell) apiKey(flag string) string {
	for _, variable := range s.environment {
		if value, ok := strings.CutPrefix(variable, "TICKETGATE_API_KEY="); ok && flag == "" {
			return value
		}
	}
	return flag
}

// call makes one call and decodes the response into answer. For an error response, it returns an error with the API's
// message.
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
		return fmt.Errorf("%s %s: unexpected response: %w", method, request.URL.Redacted(), err)
	}
	return nil
}

// unreached returns an error for a failed call. It leaves out the URLs and layers of Go's errors, which don't help an
// operator who mistyped a port.
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
		return fmt.Errorf("the call to the API at %s was interrupted: %w", at, err)
	case errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Errorf("no server is listening at %s; start one with `ticketgate serve`, or pass the API's address with --url", at)
	}
	return fmt.Errorf("the API can't be reached at %s: %w; check --url", at, dialed.Err)
}

// checkAPI returns an error if the value of --url can't be the address of an API.
func checkAPI(base string) error {
	parsed, err := url.Parse(base)
	if err != nil || (parsed.Scheme != "http" && parsed.Scheme != "https") || parsed.Host == "" {
		return usageError{fmt.Errorf(
			"--url must be the API's address with http:// or https://, such as http://127.0.0.1:8080, not %q", base)}
	}
	return nil
}

// checkSegment returns an error if an id would change the path that it becomes part of: proxies resolve dot segments.
func checkSegment(what, id string) error {
	if slices.Contains([]string{"", ".", ".."}, id) {
		return usageError{fmt.Errorf("%s must be an id, not %q", what, id)}
	}
	return nil
}

// apiError is an INVALID_STATE error of the API, which means that nothing was changed.
type apiError struct{ message string }

func (e apiError) Error() string { return errRefused.Error() + ": " + e.message }

func (e apiError) Unwrap() error { return errRefused }

// refusalOf returns the error that an error response describes. INVALID_STATE becomes an apiError.
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
		return fmt.Errorf("the API returned %s", response.Status)
	case body.Code == domain.CodeInvalidState:
		return apiError{body.Message}
	}
	return fmt.Errorf("%s (request %s)", body.Message, body.RequestID)
}
