package graph

import (
	"strings"
	"testing"
)

func TestPublicSchemaOmitsGoDirectives(t *testing.T) {
	t.Parallel()
	public := publicSchema()
	for name := range public.Directives {
		if strings.HasPrefix(name, "go") {
			t.Errorf("@%s is shown", name)
		}
	}
	if public.Directives["deprecated"] == nil || public.Types["Event"] == nil {
		t.Error("the schema lacks a part that clients need")
	}
}
