//go:build linux

package embedded_test

import (
	"path/filepath"
	"testing"

	"ticketgate/db/embedded"
)

func TestStartTemporary(t *testing.T) {
	t.Run("removes processes and files at Stop", func(t *testing.T) {
		s, err := embedded.StartTemporary(t.Context())
		check(t, err)
		t.Cleanup(func() { stop(t, s) })
		cluster := value(t, s.SuperuserURL("postgres"), "select current_setting('data_directory')")
		if !isThere(cluster) {
			t.Fatalf("no cluster in %s", cluster)
		}
		stop(t, s)
		mustBeQuiet(t, cluster, s.OwnerURL())
		if isThere(filepath.Dir(cluster)) {
			t.Errorf("%s still exists", filepath.Dir(cluster))
		}
	})
	t.Run("removes processes and files when the test is killed", func(t *testing.T) {
		p := launch(t, "temporary", nil)
		url := p.mustServe(t)
		socket := socketDirOf(t, url)
		supervisor := childOf(t, p.cmd.Process.Pid)
		cluster := clusterOfSupervisor(t, supervisor)
		gone := watch(t, supervisor)
		check(t, p.cmd.Process.Kill())
		gone.await(t, "the supervisor")
		mustBeQuiet(t, cluster, url)
		if isThere(filepath.Dir(cluster)) || isThere(socket) {
			t.Errorf("%s or %s still exists", filepath.Dir(cluster), socket)
		}
	})
}

func BenchmarkColdStart(b *testing.B) {
	for b.Loop() {
		s, err := embedded.StartTemporary(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		if err := s.Stop(b.Context()); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}
