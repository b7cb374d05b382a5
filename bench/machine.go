package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// loadAverage returns the machine's load average over the last minute, or "unknown" if the system does not provide it.
func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	minute, _, _ := strings.Cut(string(text), " ")
	return minute
}

// residentMemory returns the resident memory of a process in megabytes. It works only on Linux.
func residentMemory(pid int) (float64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, fmt.Errorf("resident memory is read from /proc: %w", err)
	}
	return residentIn(string(text))
}

// residentIn parses the resident memory in a status file of /proc. Its kB are kibibytes.
func residentIn(status string) (float64, error) {
	for line := range strings.Lines(status) {
		if rest, found := strings.CutPrefix(line, "VmRSS:"); found {
			kibibytes, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 64)
			return kibibytes * 1024 / 1e6, err
		}
	}
	return 0, errors.New("no VmRSS in the process's status")
}

// tick is the unit of processor time in /proc. It is the same on every Linux that Go supports.
const tick = 10 * time.Millisecond

// processorTime returns the processor time that a process has used so far, or 0 if the system does not provide it.
func processorTime(pid int) time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	return processorTimeIn(string(text))
}

// processorTimeIn returns the sum of the fields for user and system time.
func processorTimeIn(stat string) time.Duration {
	const user, system = 14, 15
	return ticksIn(stat, user) + ticksIn(stat, system)
}

// familyTime returns the processor time of a process with its running and ended children, such as all processes of
// PostgreSQL.
func familyTime(pid int) time.Duration {
	paths, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is valid
	var sum time.Duration
	for _, path := range paths {
		text, err := os.ReadFile(path) //nolint:gosec // a path of the system
		if err == nil {
			sum += timeInFamily(string(text), pid)
		}
	}
	return sum
}

// timeInFamily returns the contribution of one process to familyTime, which is 0 unless it is the parent or a child.
// Fields 16 and 17 count children that have ended.
func timeInFamily(stat string, parent int) time.Duration {
	const ppid, endedUser, endedSystem = 4, 16, 17
	switch number := strconv.Itoa(parent); {
	case strings.HasPrefix(stat, number+" "):
		return processorTimeIn(stat) + ticksIn(stat, endedUser) + ticksIn(stat, endedSystem)
	case fieldIn(stat, ppid) == number:
		return processorTimeIn(stat)
	}
	return 0
}

// ticksIn returns a field that counts processor time, or 0 if it is missing.
func ticksIn(stat string, number int) time.Duration {
	ticks, err := strconv.ParseInt(fieldIn(stat, number), 10, 64)
	if err != nil {
		return 0
	}
	return time.Duration(ticks) * tick
}

// fieldIn returns a field by number, starting at 1. The second field, the program's name, may contain spaces and
// parentheses.
func fieldIn(stat string, number int) string {
	const third = 3
	fields := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
	if number-third >= len(fields) {
		return ""
	}
	return fields[number-third]
}
