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

// LimitMemory sets the soft memory limit (LIMIT-12). Without our own setting, GOMEMLIMIT, which Go has read already, applies.
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
		limit = math.MaxInt64 // none
	}
	debug.SetMemoryLimit(limit)
	if limit != math.MaxInt64 {
		log.InfoContext(ctx, "memory limit", "mebibytes", limit>>20, "from", from)
	}
}

// groupLimit returns the memory limit of this process's control group in bytes: the lowest of its own limit and those of its
// parents. It returns 0 if there is none. It reads both versions; missing or unreadable files mean no limit.
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
		// In a container the path may be the host's and not exist: then the mount itself is the group.
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

// limitIn reads one limit. It returns 0 for "max" and for version 1's largest number, which mean no limit.
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

// CollectLess runs the garbage collector less often: requests are up to a third faster, and the heap of an idle server stays
// a few megabytes. While large bodies are held, garbage would take hundreds of megabytes, so Go's default applies (LIMIT-12).
// A GOGC in the environment takes precedence.
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
