package graph

import (
	"encoding/json"
	"testing"
)

func TestCostIsPrintedAsJSON(t *testing.T) {
	t.Parallel()
	for _, extensions := range []map[string]any{
		{costExtension: Cost{Requested: 1103, Limit: maxCost, objects: 100, repeats: true}},
		{costExtension: Cost{}, "omittedErrors": 3},
	} {
		want, err := json.Marshal(extensions)
		if got := printedExtensions(extensions); err != nil || string(got) != string(want) {
			t.Errorf("printed %s, want %s, %v", got, want, err)
		}
	}
}
