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

// LimitMemory sets the soft memory limit (LIMIT-12). GOMEMLIMIT, which Go has read already, stands unless our own setting is
// given.
func LimitMemory(ctx context.Context, config *Config, log *slog.Logger) {
	var limit int64
	from := "TICKETGATE_MEMORY_LIMIT"
	switch {
	case config.MemoryLimit != nil:
		limit = *config.MemoryLimit
	case os.Getenv("GOMEMLIMIT") != "":
		return
	default:
		limit, from = groupLimit(os.DirFS("/"))/10*9, "the control group" //nolint:mnd // a tenth is for what Go does not manage
	}
	if limit == 0 {
		limit = math.MaxInt64 // none
	}
	debug.SetMemoryLimit(limit)
	if limit != math.MaxInt64 {
		log.InfoContext(ctx, "memory limit", "mebibytes", limit>>20, "from", from)
	}
}

// groupLimit returns the memory that the control group of this process may use, in bytes: the least of its own limit and
// those of the groups around it. 0 is none. It knows both versions; files that are missing or unreadable limit nothing.
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
		// In a container the path may be the machine's, which is not there: then the mount itself is the group.
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

// limitIn reads one limit. "max" is none, and so is version 1's number near the largest.
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

// CollectLess trades memory that is garbage for processor time: requests are served up to a third faster, and the heap of an
// idle server is a few megabytes either way. While megabytes of bodies are held, garbage would be hundreds of megabytes, and is
// collected as Go does by default (LIMIT-12). A GOGC in the environment applies instead.
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
