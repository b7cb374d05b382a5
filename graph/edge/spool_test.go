package edge_test

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"ticketgate/domain"
	"ticketgate/graph/edge"
)

func TestSpool(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	for name, text := range map[string]string{
		"a small body": "small", "the largest body kept in memory": strings.Repeat("x", edge.MaxBody),
		"a large body": strings.Repeat("0123456789", edge.MaxBody/4), "no body": "",
	} {
		spool := edge.NewSpool(t.Context(), strings.NewReader(text), edge.MaxFile)
		for i := range 3 {
			in, err := spool.Open()
			if err != nil {
				t.Fatal(err)
			}
			if got, err := io.ReadAll(in); err != nil || string(got) != text {
				t.Errorf("%s: reading %d gave %d bytes of %d, %v", name, i+1, len(got), len(text), err)
			}
			if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
				t.Errorf("%s: the file has a name: %v, %v", name, left, err)
			}
		}
		if err := spool.Close(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestASpoolReportsErrors(t *testing.T) {
	t.Setenv("TMPDIR", "/nonexistent")
	broken := errors.New("the sender disconnected")
	in, _ := edge.NewSpool(t.Context(), io.MultiReader(strings.NewReader("begin"), iotest.ErrReader(broken)), edge.MaxFile).Open()
	if _, err := io.ReadAll(in); !errors.Is(err, broken) {
		t.Errorf("an incomplete body: %v", err)
	}
	in, _ = edge.NewSpool(t.Context(), strings.NewReader(strings.Repeat("x", edge.MaxBody+1)), edge.MaxFile).Open()
	if _, err := io.ReadAll(in); !domain.HasCode(err, domain.CodeUnavailable) {
		t.Errorf("no folder for temporary files: %v", err)
	}
}

func TestSpoolStoresAtMostItsLimit(t *testing.T) {
	t.Parallel()
	const limit = edge.MaxBody + 10
	for length, want := range map[int]domain.Code{limit: "", limit + 1: domain.CodePayloadTooLarge} {
		spool := edge.NewSpool(t.Context(), strings.NewReader(strings.Repeat("x", length)), limit)
		in, err := spool.Open()
		if err == nil {
			_, err = io.ReadAll(in)
		}
		if (want == "") != (err == nil) || (want != "" && !domain.HasCode(err, want)) {
			t.Errorf("%d bytes: %v", length, err)
		}
		if err := spool.Close(); err != nil {
			t.Error(err)
		}
	}
}
