package domain

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAuditLogKeepsNoQueries(t *testing.T) {
	t.Parallel()
	type target struct {
		URL string `json:"url"`
	}
	type state struct {
		Name    string   `json:"name"`
		URL     string   `json:"url"`
		Target  target   `json:"target"`
		Origins []string `json:"origins"`
	}
	change := Change{}.Diff(
		state{"Who?", "https://a.org/p?token=1", target{"https://b.org"}, nil},
		state{"See https://x.org?y=1", "https://a.org/p?token=2", target{"HTTP://b.org/?token=3"}, []string{"https://c.org/q?a=b?c"}},
	)
	before := map[string]any{
		"name": "Who?", "url": "https://a.org/p", "target": map[string]any{"url": "https://b.org"}, "origins": nil,
	}
	after := map[string]any{
		"name": "See https://x.org?y=1", "url": "https://a.org/p", "target": map[string]any{"url": "HTTP://b.org/"},
		"origins": []any{"https://c.org/q"},
	}
	if difference := cmp.Diff(before, change.Before); difference != "" {
		t.Errorf("before: got %v; difference (-want +got):\n%s", change.Before, difference)
	}
	if difference := cmp.Diff(after, change.After); difference != "" {
		t.Errorf("after: got %v; difference (-want +got):\n%s", change.After, difference)
	}
	if !change.Changed() {
		t.Error("Changed is false")
	}
}
