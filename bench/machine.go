package main

import (
	"errors"
	"fmt"
	"os"
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

// processorTimeIn reads fields 14 and 15. The second one, the program's name, may hold spaces and parentheses.
func processorTimeIn(stat string) time.Duration {
	fields := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
	const user, system = 14 - 3, 15 - 3
	if len(fields) <= system {
		return 0
	}
	var sum time.Duration
	for _, field := range []string{fields[user], fields[system]} {
		ticks, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return 0
		}
		sum += time.Duration(ticks) * tick
	}
	return sum
}
