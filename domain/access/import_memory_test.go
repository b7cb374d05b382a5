package access_test

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"ticketgate/domain/access"
	"ticketgate/domain/domaintest"
)

// growing is a file that is generated while it is read. Each row has a code and a note of two thousand characters. It
// measures the memory in use at intervals.
type growing struct {
	rows, made int
	rest       []byte
	inUse      []uint64
}

// Read returns as many rows as fit.
func (g *growing) Read(into []byte) (int, error) {
	const every = 1000
	if len(g.rest) == 0 {
		if g.made == g.rows {
			return 0, io.EOF
		}
		if g.made%every == 0 {
			g.inUse = append(g.inUse, heapInUse())
		}
		g.rest = fmt.Appendf(nil, "CODE-%06d,%s\n", g.made, strings.Repeat("note ", 400))
		g.made++
	}
	n := copy(into, g.rest)
	g.rest = g.rest[n:]
	return n, nil
}

func heapInUse() uint64 {
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	return memory.HeapAlloc
}

// The rows of a file are never in memory together: reading sixteen megabytes uses no more memory than reading two.
// The test must not run in parallel, since it would measure the memory of other tests.
func TestAFileIsStagedWithBoundedMemory(t *testing.T) { //nolint:paralleltest // see above
	w := newFixture(t)
	list := w.list("A")
	const rows = 8000
	var readings []*growing
	staged := domaintest.Must(w.imports.Preview(w.As(seller), list.ID, access.ImportOptions{}, func() (access.Source, error) {
		readings = append(readings, &growing{rows: rows})
		return access.CSV(io.MultiReader(strings.NewReader("externalCode,meta.note\n"), readings[len(readings)-1])), nil
	}))(t)
	if staged.Counts.New != rows || len(readings) != 2 {
		t.Fatalf("got counts %+v and %d readings", staged.Counts, len(readings))
	}
	const fourMiB = 4 << 20
	for _, file := range readings {
		for i, inUse := range file.inUse[2:] {
			if inUse > file.inUse[1]+fourMiB {
				t.Errorf("after %d rows %d KiB are in use, but after 1000 rows %d KiB", (i+2)*1000, inUse>>10, file.inUse[1]>>10)
			}
		}
	}
}

// The server's statistics may underestimate the rows of an import. If each row were compared with the whole list, it
// would take minutes.
func TestAnImportIsComparedQuicklyWithoutStatistics(t *testing.T) {
	w := newFixture(t)
	list := w.list("A")
	owner := w.Owner(t)
	domaintest.Must(owner.ExecContext(t.Context(), "ANALYZE entry_import_rows, access_entries"))(t)
	var file strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&file, "CODE-%d\n", i)
	}
	for _, mode := range []access.ImportMode{access.Add, access.FullSet} {
		staged := w.preview(list, access.ImportOptions{Mode: mode}, file.String())
		if staged.Counts.Rows != 10_000 || staged.Counts.Bad+staged.Counts.Removed != 0 {
			t.Fatalf("got counts %+v", staged.Counts)
		}
		done := w.commit(list, staged, access.Commit{})
		if done.Result.Added != staged.Counts.New {
			t.Errorf("got result %+v", done.Result)
		}
	}
	if n := w.Count("SELECT count(*) FROM access_entries WHERE list_id = $1", list.ID); n != 10_000 {
		t.Errorf("got %d entries, want 10000", n)
	}
}
