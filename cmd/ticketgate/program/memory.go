package program

import (
	"context"
	"io/fs"
	"log/slog"
	"math"
	"os"
	pathname "path"
	"runtime/debug"
	"strconv"
	"strings"
)

// LimitMemory sets the soft memory limit (LIMIT-12). Without the setting, GOMEMLIMIT applies, which Go has already
// read.
func LimitMemory(ctx context.Context, config *Config, log *slog.Logger) {
	var limit int64
	from := "TICKETGATE_MEMORY_LIMIT"
	switch {
	case config.MemoryLimit != nil:
		limit = *config.MemoryLimit
	case os.Getenv("GOMEMLIMIT") != "":
		return
	default:
		limit, from = groupLimit(os.DirFS("/"))/10*9, "the control group" //nolint:mnd // a tenth is for memory that Go does not manage
	}
	if limit == 0 {
		limit = math.MaxInt64 // no limit
	}
	debug.SetMemoryLimit(limit)
	if limit != math.MaxInt64 {
		log.InfoContext(ctx, "memory limit", "mebibytes", limit>>20, "from", from)
	}
}

// groupLimit returns the memory limit of this process's control group in bytes: the lowest of the group and its
// parents, or 0 if there is none. It supports both versions of control groups. Missing or unreadable files mean no
// limit.
func groupLimit(root fs.FS) int64 {
	text, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return 0
	}
	least := int64(0)
	for line := range strings.Lines(string(text)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 { //nolint:mnd // number, controllers, path
			continue
		}
		mount, name := "sys/fs/cgroup", "memory.max"
		switch {
		case parts[0] == "0" && parts[1] == "":
		case strings.Contains(","+parts[1]+",", ",memory,"):
			mount, name = "sys/fs/cgroup/memory", "memory.limit_in_bytes"
		default:
			continue
		}
		// In a container, the path may be that of the host, which does not exist here. The mount itself is then the
		// group.
		for group := pathname.Join("/", parts[2]); ; group = pathname.Dir(group) {
			if limit := limitIn(root, pathname.Join(mount, group, name)); limit > 0 && (least == 0 || limit < least) {
				least = limit
			}
			if group == "/" {
				break
			}
		}
	}
	return least
}

// limitIn reads one limit. It returns 0 if there is none, which is "max" in version 2 and a very large number in
// version 1.
func limitIn(root fs.FS, name string) int64 {
	const none = 1 << 60
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return 0
	}
	limit, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil || limit >= none {
		return 0
	}
	return limit
}

// CollectLess runs the garbage collector less often than by default. Requests are up to a third faster, and the heap of
// an idle server stays at a few megabytes. While large bodies are held, Go's default applies, because garbage would
// otherwise take hundreds of megabytes (LIMIT-12). GOGC in the environment takes precedence.
func CollectLess(largeBodies bool) {
	const ordinary, large = 400, 100
	switch {
	case os.Getenv("GOGC") != "":
	case largeBodies:
		debug.SetGCPercent(large)
	default:
		debug.SetGCPercent(ordinary)
	}
}
