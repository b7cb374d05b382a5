package resttest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
)

// Contract is what an OpenAPI document promises.
type Contract struct {
	document *openapi3.T
	router   routers.Router
	// kept are the refusals that were found right: a matrix of callers gets each of them many times, and the library
	// compiles the schemas of an answer anew every time.
	kept sync.Map
}

// ParseContract reads a document, YAML or JSON, and says what is wrong with the document itself, examples included.
func ParseContract(source []byte) (*Contract, error) {
	document, err := openapi3.NewLoader().LoadFromData(source)
	if err != nil {
		return nil, fmt.Errorf("the OpenAPI document can't be read: %w", err)
	}
	if err := document.Validate(context.Background()); err != nil {
		return nil, fmt.Errorf("the OpenAPI document is not valid: %w", err)
	}
	document.Servers = nil // a test's server has whatever address it got
	router, err := gorillamux.NewRouter(document)
	if err != nil {
		return nil, fmt.Errorf("the paths of the OpenAPI document: %w", err)
	}
	return &Contract{document: document, router: router}, nil
}

// Check says how an exchange breaks the document. The body that was sent is handed over, since sending used it up.
func (c *Contract) Check(request *http.Request, sent []byte, answer Answer) error {
	request = plain(request, sent)
	route, values, err := c.router.FindRoute(request)
	if err != nil {
		return c.checkUndocumented(answer)
	}
	refusal := refusalOf(route, answer)
	if _, found := c.kept.Load(refusal); found {
		return nil
	}
	options := &openapi3filter.Options{
		MultiError: true, IncludeResponseStatus: true, SkipSettingDefaults: true, AuthenticationFunc: fitsScheme,
	}
	input := &openapi3filter.RequestValidationInput{Request: request, PathParams: values, Route: route, Options: options}
	output := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: input, Status: answer.Status, Header: answer.Header,
		Body: io.NopCloser(bytes.NewReader(answer.Body)), Options: options,
	}
	if err := openapi3filter.ValidateResponse(request.Context(), output); err != nil {
		return fmt.Errorf("the answer breaks the document: %w", err)
	}
	// The library passes over redirects, documented or not.
	if route.Operation.Responses.Status(answer.Status) == nil {
		return errors.New("the document does not have this status")
	}
	if answer.Status >= http.StatusBadRequest {
		c.kept.Store(refusal, true)
		return nil
	}
	if err := openapi3filter.ValidateRequest(request.Context(), input); err != nil {
		return fmt.Errorf("the server accepted what the document does not allow: %w", err)
	}
	return nil
}

// ofRequest is the one member of a refusal that differs from request to request.
var ofRequest = regexp.MustCompile(`"requestId":"[0-9a-f]+"`)

// refusalOf is all of an answer that the document says something about.
func refusalOf(route *routers.Route, answer Answer) string {
	return fmt.Sprintln(route.Method, route.Path, answer.Status, slices.Sorted(maps.Keys(answer.Header)),
		answer.Header.Get("Content-Type"), string(ofRequest.ReplaceAll(answer.Body, nil)))
}

// checkUndocumented holds the answer to an unknown path or method against the shape of every error.
func (c *Contract) checkUndocumented(answer Answer) error {
	if answer.Status < http.StatusBadRequest {
		return fmt.Errorf("the document has no such path and method, and yet the answer is %d", answer.Status)
	}
	var body any
	if err := decode(answer.Body, &body); err != nil {
		return fmt.Errorf("the error is no JSON: %w", err)
	}
	shape := c.document.Components.Schemas["Error"]
	if shape == nil {
		return errors.New("the document has no schema Error")
	}
	if err := shape.Value.VisitJSON(body, openapi3.EnableJSONSchema2020(), openapi3.MultiErrors()); err != nil {
		return fmt.Errorf("the error breaks the document: %w", err)
	}
	return nil
}

// plain is the request as the document's paths spell it: the server takes repeated and final slashes
// (decisions 1.8).
func plain(request *http.Request, sent []byte) *http.Request {
	request = request.Clone(request.Context())
	request.Body = io.NopCloser(bytes.NewReader(sent))
	spelled := "/" + strings.Join(strings.FieldsFunc(request.URL.EscapedPath(), func(c rune) bool { return c == '/' }), "/")
	if path, err := url.PathUnescape(spelled); err == nil {
		request.URL.Path, request.URL.RawPath = path, spelled
	}
	return request
}

// fitsScheme tells whether the request brings a credential of the kind that a scheme of the document describes.
func fitsScheme(_ context.Context, input *openapi3filter.AuthenticationInput) error {
	header := input.RequestValidationInput.Request.Header
	if input.SecurityScheme.Type == "apiKey" {
		if header.Get(input.SecurityScheme.Name) == "" {
			return fmt.Errorf("no header %s", input.SecurityScheme.Name)
		}
		return nil
	}
	token, ok := strings.CutPrefix(header.Get("Authorization"), "Bearer ")
	if !ok || kindOfSecret.FindString(token) != kindOfSecret.FindString(input.SecurityScheme.BearerFormat) {
		return fmt.Errorf("no %s in the header Authorization", input.SecuritySchemeName)
	}
	return nil
}

// kindOfSecret is how secrets, and the formats of the document's schemes, begin; the platform's own token has no such
// beginning (decisions 4.2).
var kindOfSecret = regexp.MustCompile(`^(key|sess|dev)_`)
