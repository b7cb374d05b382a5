package program

import (
	"testing"
	"testing/fstest"
)

func TestControlGroupLimitsMemory(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"no control group": {nil, 0},
		"version 2, its own": {map[string]string{
			"proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "1000\n", "sys/fs/cgroup/a/memory.max": "2000\n",
		}, 1000},
		"version 2, its parent's": {map[string]string{
			"proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "max\n", "sys/fs/cgroup/a/memory.max": "2000\n",
		}, 2000},
		"version 2, seen from a container": {map[string]string{
			"proc/self/cgroup": "0::/../outside\n", "sys/fs/cgroup/memory.max": "3000\n",
		}, 3000},
		"version 2, none": {map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "max\n"}, 0},
		"version 1": {map[string]string{
			"proc/self/cgroup": "5:cpu,cpuacct:/c\n4:memory:/m\n0::/\n",
			"sys/fs/cgroup/memory/m/memory.limit_in_bytes":    "4000\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes":      "9223372036854771712\n",
			"sys/fs/cgroup/cpu,cpuacct/memory.limit_in_bytes": "1\n",
		}, 4000},
		"version 1, none": {map[string]string{
			"proc/self/cgroup": "4:memory:/m\n", "sys/fs/cgroup/memory/m/memory.limit_in_bytes": "9223372036854771712\n",
		}, 0},
	} {
		root := fstest.MapFS{}
		for file, text := range row.files {
			root[file] = &fstest.MapFile{Data: []byte(text)}
		}
		if got := groupLimit(root); got != row.want {
			t.Errorf("%s: got %d, want %d", name, got, row.want)
		}
	}
}
