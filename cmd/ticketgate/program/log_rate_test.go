package program

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"
)

func TestRefusedRequestsDoNotFloodTheLog(t *testing.T) {
	t.Parallel()
	var text bytes.Buffer
	log := boundLog(slog.NewTextHandler(&text, nil), 2).WithAttrs([]slog.Attr{slog.String("process", "1")})
	now := time.Date(2026, 11, 27, 20, 0, 0, 0, time.UTC)
	say := func(at time.Time, message string, attrs ...slog.Attr) {
		record := slog.NewRecord(at, slog.LevelInfo, message, 0)
		record.AddAttrs(attrs...)
		if err := log.Handle(context.Background(), record); err != nil {
			t.Fatal(err)
		}
	}
	lines := func(part string) int { return strings.Count(text.String(), part) }
	for range 1000 {
		say(now, "request", slog.Int("status", 401), slog.String("address", "192.0.2.1"))
		say(now, "request failed", slog.String("cause", "down"))
	}
	for range 50 {
		say(now, "request", slog.Int("status", 200), slog.String("address", "192.0.2.1"))
		say(now, "stopping")
	}
	say(now, "request", slog.Int("status", 404), slog.String("address", "192.0.2.2"))
	for part, want := range map[string]int{
		"status=401": 10, "request failed": 10, "status=200": 50, "msg=stopping": 50, "192.0.2.2": 1, "omitted_before": 0,
	} {
		if got := lines(part); got != want {
			t.Errorf("%s: %d lines, want %d", part, got, want)
		}
	}
	say(now.Add(time.Second), "request", slog.Int("status", 403), slog.String("address", "192.0.2.1"))
	if !strings.Contains(text.String(), "process=1 status=403 address=192.0.2.1 omitted_before=990") {
		t.Errorf("got %s", text.String()[max(0, text.Len()-300):])
	}
}
