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

// loadAverage is the machine's over the last minute; where the system does not tell, it says so.
func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	minute, _, _ := strings.Cut(string(text), " ")
	return minute
}

// residentMemory of a process in megabytes, as Linux counts it.
func residentMemory(pid int) (float64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, fmt.Errorf("resident memory is read from /proc: %w", err)
	}
	return residentIn(string(text))
}

// residentIn reads the line that says so in kibibytes, which it calls kB.
func residentIn(status string) (float64, error) {
	for line := range strings.Lines(status) {
		if rest, found := strings.CutPrefix(line, "VmRSS:"); found {
			kibibytes, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 64)
			return kibibytes * 1024 / 1e6, err
		}
	}
	return 0, errors.New("no VmRSS in the process's status")
}

// tick is the unit of processor time in /proc, the same on every Linux that Go runs on.
const tick = 10 * time.Millisecond

// processorTime that a process has used so far; 0 where the system does not tell.
func processorTime(pid int) time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	return processorTimeIn(string(text))
}

// processorTimeIn reads fields 14 and 15.
func processorTimeIn(stat string) time.Duration {
	const user, system = 14, 15
	return ticksIn(stat, user) + ticksIn(stat, system)
}

// familyTime is what a process, its children that run and those that have ended have used so far: all of PostgreSQL.
func familyTime(pid int) time.Duration {
	paths, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is right
	var sum time.Duration
	for _, path := range paths {
		text, err := os.ReadFile(path) //nolint:gosec // of the system's own
		if err == nil {
			sum += timeInFamily(string(text), pid)
		}
	}
	return sum
}

// timeInFamily is what one process adds: nothing unless it is the parent or a child. Fields 16 and 17 are those of children
// that have ended.
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

// ticksIn is a field that counts processor time; 0 where there is none.
func ticksIn(stat string, number int) time.Duration {
	ticks, err := strconv.ParseInt(fieldIn(stat, number), 10, 64)
	if err != nil {
		return 0
	}
	return time.Duration(ticks) * tick
}

// fieldIn counts fields from 1. The second one, the program's name, may hold spaces and parentheses.
func fieldIn(stat string, number int) string {
	const third = 3
	fields := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
	if number-third >= len(fields) {
		return ""
	}
	return fields[number-third]
}
