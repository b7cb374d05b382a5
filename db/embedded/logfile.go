package embedded

import (
	"os"
	"strings"
	"sync"
)

const (
	maxLogBytes  = 4 << 20 // per file; there are at most two
	maxTailBytes = 2 << 10 // the end of the output, kept for error messages
)

// logFile receives the server's output, bounded in size. It never returns an error: a server must not stop because
// its log can't be written, for example because the disk is full.
type logFile struct {
	path string

	mu   sync.Mutex
	file *os.File
	size int64
	tail []byte
}

// Write appends to the file, and keeps the end of the log in memory. It never fails: if the file can't be written, the
// text is only kept in memory.
func (l *logFile) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tail = append(l.tail, p...)
	if surplus := len(l.tail) - maxTailBytes; surplus > 0 {
		l.tail = append(l.tail[:0], l.tail[surplus:]...)
	}
	if l.file == nil || l.size > maxLogBytes {
		l.reopen()
	}
	if l.file != nil {
		n, _ := l.file.Write(p)
		l.size += int64(n)
	}
	return len(p), nil
}

// reopen opens the file, after renaming a full one.
func (l *logFile) reopen() {
	if l.file != nil {
		_ = l.file.Close()
	}
	if info, err := os.Stat(l.path); err == nil && info.Size() > maxLogBytes {
		_ = os.Rename(l.path, l.path+".1")
	}
	l.file, l.size = nil, 0
	f, err := openBeside(l.path, os.O_APPEND)
	if err != nil {
		return
	}
	if info, err := f.Stat(); err == nil {
		l.size = info.Size()
	}
	l.file = f
}

// last returns the end of the output on one line.
func (l *logFile) last() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return lastLines(l.tail)
}

// lastLines returns the end of a program's output as part of a one-line error.
func lastLines(output []byte) string {
	lines := strings.Split(strings.TrimSpace(string(output)), "\n")
	return strings.Join(lines[max(0, len(lines)-6):], " | ")
}
