package resttest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Contract checks exchanges against an OpenAPI document.
type Contract struct {
	router  routers.Router
	schemas *schemas
}

// ParseContract parses a document, YAML or JSON, and validates the document itself including its examples.
func ParseContract(source []byte) (*Contract, error) {
	document, err := load(source)
	if err != nil {
		return nil, err
	}
	if err := document.Validate(context.Background()); err != nil {
		return nil, fmt.Errorf("the OpenAPI document is not valid: %w", err)
	}
	return contractFrom(document)
}

// ReadContract is ParseContract without validation, which takes most of the time. The tests of this package validate
// the document that all servers have.
func ReadContract(source []byte) (*Contract, error) {
	document, err := load(source)
	if err != nil {
		return nil, err
	}
	return contractFrom(document)
}

func load(source []byte) (*openapi3.T, error) {
	document, err := openapi3.NewLoader().LoadFromData(source)
	if err != nil {
		return nil, fmt.Errorf("the OpenAPI document cannot be read: %w", err)
	}
	return document, nil
}

func contractFrom(document *openapi3.T) (*Contract, error) {
	document.Servers = nil // test servers have arbitrary addresses
	router, err := gorillamux.NewRouter(document)
	if err != nil {
		return nil, fmt.Errorf("the paths of the OpenAPI document: %w", err)
	}
	schemas, err := newSchemas(document)
	if err != nil {
		return nil, fmt.Errorf("the schemas of the OpenAPI document: %w", err)
	}
	document.OpenAPI = "3.0.4" // otherwise the filter compiles a schema for each parameter and header
	return &Contract{router: router, schemas: schemas}, nil
}

// Check returns an error that says how an exchange violates the document, or nil. The sent body is passed separately,
// because sending consumed it.
func (c *Contract) Check(request *http.Request, sent []byte, answer Answer) error {
	request = plain(request, sent)
	route, values, err := c.router.FindRoute(request)
	if err != nil {
		return c.checkUndocumented(answer)
	}
	options := &openapi3filter.Options{
		MultiError: true, IncludeResponseStatus: true, SkipSettingDefaults: true, ExcludeRequestBody: true,
		ExcludeResponseBody: true, AuthenticationFunc: fitsScheme,
	}
	input := &openapi3filter.RequestValidationInput{Request: request, PathParams: values, Route: route, Options: options}
	output := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: input, Status: answer.Status, Header: answer.Header, Options: options,
	}
	if err := openapi3filter.ValidateResponse(request.Context(), output); err != nil {
		return fmt.Errorf("the response violates the document: %w", err)
	}
	at := []string{"paths", route.Path, strings.ToLower(route.Method)}
	if err := c.checkAnswered(at, route.Operation, answer); err != nil {
		return fmt.Errorf("the response violates the document: %w", err)
	}
	if answer.Status >= http.StatusBadRequest {
		return nil
	}
	err = openapi3filter.ValidateRequest(request.Context(), input)
	if err == nil {
		err = c.checkSent(at, route.Operation, request, sent)
	}
	if err != nil {
		return fmt.Errorf("the server accepted a request that the document does not allow: %w", err)
	}
	return nil
}

// checkAnswered checks the body of a response.
func (c *Contract) checkAnswered(at []string, operation *openapi3.Operation, answer Answer) error {
	status := strconv.Itoa(answer.Status)
	documented := operation.Responses.Value(status)
	if documented == nil {
		return errors.New("the document does not list this status")
	}
	at = append(at, "responses", status)
	if shared, found := strings.CutPrefix(documented.Ref, "#/components/responses/"); found {
		at = []string{"components", "responses", shared}
	}
	return c.checkBody(at, documented.Value.Content, answer.Header.Get("Content-Type"), answer.Body)
}

// checkSent checks the body of a request.
func (c *Contract) checkSent(at []string, operation *openapi3.Operation, request *http.Request, sent []byte) error {
	if operation.RequestBody == nil || (len(sent) == 0 && !operation.RequestBody.Value.Required) {
		return nil
	}
	return c.checkBody(append(at, "requestBody"), operation.RequestBody.Value.Content, request.Header.Get("Content-Type"), sent)
}

// checkBody checks a body against the schema of its content type. A body that is not JSON has no schema.
func (c *Contract) checkBody(at []string, documented openapi3.Content, contentType string, body []byte) error {
	if len(documented) == 0 {
		return nil
	}
	plain, _, err := mime.ParseMediaType(contentType)
	if err != nil || documented[plain] == nil {
		return fmt.Errorf("the document does not list the content type %q", contentType)
	}
	if plain != "application/json" {
		return nil
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("the body is not JSON: %w", err)
	}
	return c.schemas.check(value, append(at, "content", plain, "schema")...)
}

// checkUndocumented checks that the response to an unknown path or method is a valid error.
func (c *Contract) checkUndocumented(answer Answer) error {
	if answer.Status < http.StatusBadRequest {
		return fmt.Errorf("the document has no such path and method, but the response is %d", answer.Status)
	}
	body, err := jsonschema.UnmarshalJSON(bytes.NewReader(answer.Body))
	if err != nil {
		return fmt.Errorf("the error is not JSON: %w", err)
	}
	if err := c.schemas.check(body, "components", "schemas", "Error"); err != nil {
		return fmt.Errorf("the error violates the document: %w", err)
	}
	return nil
}

// plain returns the request with the document's spelling of the path: the server ignores repeated and trailing slashes
// (PATH-1).
func plain(request *http.Request, sent []byte) *http.Request {
	request = request.Clone(request.Context())
	request.Body = io.NopCloser(bytes.NewReader(sent))
	spelled := "/" + strings.Join(strings.FieldsFunc(request.URL.EscapedPath(), func(c rune) bool { return c == '/' }), "/")
	if path, err := url.PathUnescape(spelled); err == nil {
		request.URL.Path, request.URL.RawPath = path, spelled
	}
	return request
}

// fitsScheme reports whether the request has a credential of the kind that a security scheme describes.
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

// kindOfSecret matches the prefixes of secrets and of the schemes' formats. The platform's token has no prefix
// (AUTH-7).
var kindOfSecret = regexp.MustCompile(`^(key|sess|dev)_`)
