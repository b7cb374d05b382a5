package rest

import (
	"context"
	"io"
	"net/http"

	"ticketgate/domain"
	"ticketgate/domain/access"
	"ticketgate/graph/edge"
)

const importsPath = "/api/access-lists/{listId}/entries/imports"

// patiently removes the server's deadlines for long work: the write deadline at once, and the read deadline once the
// body is read. The read deadline of a file is extended while the file arrives.
func patiently(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		edge.Unbounded(w, r.ContentLength == 0)
		if isFile(r) {
			r.Body = edge.NewProgress(w, r)
		} else {
			r.Body = edge.NewWhole(w, r)
		}
		next.ServeHTTP(w, r)
	})
}

// brokenOff returns an error that says why a file was not received in full. The request ends with it, and work on the
// file fails with it as if the database were unavailable.
func brokenOff(body io.ReadCloser) error {
	if file, ok := body.(*edge.Progress); ok {
		return file.Broken()
	}
	return nil
}

// formats maps the media types of a file of entries to their readers.
var formats = map[string]func(io.Reader) access.Source{
	"text/csv":             access.CSV,
	"application/x-ndjson": access.NDJSON,
}

func isFile(r *http.Request) bool {
	media, ok := edge.MediaType(r.Header)
	return ok && formats[media] != nil
}

// formatOf returns the reader for the request's media type.
func formatOf(r *http.Request) (func(io.Reader) access.Source, error) {
	media, ok := edge.MediaType(r.Header)
	if !ok || formats[media] == nil {
		return nil, domain.NewError(domain.CodeUnsupportedMediaType,
			"The body must be uncompressed text/csv or application/x-ndjson in UTF-8, and Content-Type must say which")
	}
	return formats[media], nil
}

// previewImport reads the file in the body as it arrives and then stages it.
func previewImport(s Services) endpoint {
	return inList(func(r *http.Request, listID string) (any, error) {
		query := readQuery(r, "mode", "preset", "trimCodes", "keepSuspicious")
		trim, keep := query.boolean("trimCodes"), query.boolean("keepSuspicious")
		input := access.ImportChange{
			ListID: listID, Mode: new(access.ImportMode(query.text("mode"))), Preset: new(access.Preset(query.text("preset"))),
			TrimCodes: &trim, KeepSuspicious: &keep,
		}
		if err := query.errs.Err(); err != nil {
			return nil, err
		}
		format, err := formatOf(r)
		if err != nil {
			return nil, err
		}
		spool := edge.NewSpool(r.Context(), r.Body, edge.MaxFile)
		defer func() { _ = spool.Close() }()
		input.File = func() (access.Source, error) {
			text, err := spool.Open()
			return format(text), err
		}
		staged, err := s.Mutation.PreviewEntryImport(r.Context(), input)
		if broken := brokenOff(r.Body); broken != nil {
			return nil, broken
		}
		return staged, err
	})
}

func commitImport(s Services) endpoint {
	return inList(func(r *http.Request, listID string) (any, error) {
		return withIDAndBody(s, func(m mutation, ctx context.Context, id string, input access.Commit) (access.Report, error) {
			return m.CommitEntryImport(ctx, listID, id, &input)
		})(r)
	})
}
