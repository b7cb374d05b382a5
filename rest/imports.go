package rest

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/access"
)

const importsPath = "/api/access-lists/{listId}/entries/imports"

// progressBound is how long the sender of a file may pause (decisions 1.7).
const progressBound = 30 * time.Second

// patiently is for domain.LongOperations. It lifts the server's deadlines: that for the answer, and for a file that for the body.
func patiently(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		control := http.NewResponseController(w)
		// Only a connection that knows no deadlines refuses, and that is what is wanted.
		_ = control.SetWriteDeadline(time.Time{})
		if isFile(r) {
			r.Body = &progress{ReadCloser: r.Body, control: control}
		}
		next.ServeHTTP(w, r)
	})
}

// progress is a body whose deadline moves on with each read.
type progress struct {
	io.ReadCloser
	control *http.ResponseController
	// broken is why the body did not come to its end.
	broken error
}

// Read reads what comes within the bound.
func (p *progress) Read(into []byte) (int, error) {
	_ = p.control.SetReadDeadline(time.Now().Add(progressBound))
	n, err := p.ReadCloser.Read(into)
	switch {
	case errors.Is(err, io.EOF):
		// The server goes on reading, to notice a client that leaves: it must not take the deadline for one.
		_ = p.control.SetReadDeadline(time.Time{})
	case err != nil:
		p.broken = domain.NewError(domain.CodeInvalidRequest, "The body could not be read to its end")
		return n, p.broken
	}
	return n, err
}

// brokenOff tells why a file did not come to its end. Its request ends with it, and what was done with the file fails for that
// reason, as if the database were away.
func brokenOff(body io.ReadCloser) error {
	if file, ok := body.(*progress); ok {
		return file.broken
	}
	return nil
}

// formats are the media types of a file of entries.
var formats = map[string]func(io.Reader) access.Source{
	"text/csv":             access.CSV,
	"application/x-ndjson": access.NDJSON,
}

func isFile(r *http.Request) bool {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && formats[media] != nil
}

// sourceOf chooses how the body is read.
func sourceOf(r *http.Request) (access.Source, error) {
	media, parameters, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	charset := parameters["charset"]
	if err != nil || formats[media] == nil || (charset != "" && !strings.EqualFold(charset, "utf-8")) || isPacked(r.Header) {
		return nil, domain.NewError(domain.CodeUnsupportedMediaType,
			"The body must be uncompressed text/csv or application/x-ndjson in UTF-8, and Content-Type must say which")
	}
	return formats[media](r.Body), nil
}

// previewImport stages the file in the body while it comes in.
func previewImport(s Services) endpoint {
	return inList(func(r *http.Request, listID string) (any, error) {
		query := readListQuery(r, "mode", "preset")
		if err := query.problems.Err(); err != nil {
			return nil, err
		}
		source, err := sourceOf(r)
		if err != nil {
			return nil, err
		}
		options := access.ImportOptions{Mode: access.ImportMode(query.text("mode")), Preset: access.Preset(query.text("preset"))}
		staged, err := s.EntryImports.Preview(r.Context(), listID, options, source)
		if broken := brokenOff(r.Body); broken != nil {
			return nil, broken
		}
		return staged, err
	})
}

func commitImport(s Services) endpoint {
	return inList(func(r *http.Request, listID string) (any, error) {
		return withIDAndBody(func(ctx context.Context, id string, input access.Commit) (*access.Report, error) {
			return s.Mutation.CommitEntryImport(ctx, listID, id, &input)
		})(r)
	})
}
