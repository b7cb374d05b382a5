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
		"a small body": "small", "a body of the most that is in memory": strings.Repeat("x", edge.MaxBody),
		"a large body": strings.Repeat("0123456789", edge.MaxBody/4), "no body": "",
	} {
		spool := edge.NewSpool(strings.NewReader(text))
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

func TestASpoolTellsWhatWentWrong(t *testing.T) {
	t.Setenv("TMPDIR", "/nonexistent")
	broken := errors.New("the sender has gone")
	in, _ := edge.NewSpool(io.MultiReader(strings.NewReader("begin"), iotest.ErrReader(broken))).Open()
	if _, err := io.ReadAll(in); !errors.Is(err, broken) {
		t.Errorf("a body that breaks off: %v", err)
	}
	in, _ = edge.NewSpool(strings.NewReader(strings.Repeat("x", edge.MaxBody+1))).Open()
	if _, err := io.ReadAll(in); !domain.HasCode(err, domain.CodeUnavailable) {
		t.Errorf("no folder for temporary files: %v", err)
	}
}
