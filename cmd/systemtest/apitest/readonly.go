package apitest

import (
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/ticketgate/program"
	"ticketgate/rest/resttest"
)

// ReadOnly returns the same program on the same database, but with connections on which every transaction is read-only.
func (h *Server) ReadOnly(t *testing.T) *Server {
	t.Helper()
	if h.Program.Config.Pooled {
		t.Skip("a pooler does not support read-only sessions")
	}
	config, log := *h.Program.Config, slog.New(slog.DiscardHandler)
	separator := "?"
	if strings.Contains(h.Database, "?") {
		separator = "&"
	}
	store, err := program.OpenStore(&config, h.Database+separator+"default_transaction_read_only=on", h.Program.Instrumentation())
	systemtest.Must(t, err)
	t.Cleanup(func() { _ = store.Close() })
	server := httptest.NewServer(program.NewHandler(&config, store, log, h.Program.Instrumentation()))
	t.Cleanup(server.Close)
	reading := *h
	reading.URL, reading.REST = server.URL, resttest.New(t, server.URL)
	return &reading
}
