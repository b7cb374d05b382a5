package program

import (
	"bytes"
	"strings"
	"testing"
)

func TestTheLogCantControlTheTerminal(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"text", "json"} {
		var log bytes.Buffer
		NewLog(&Config{LogFormat: format}, &log).Error("said", "name", "\x1b]0;pwn\x07\u009b\u202e\u2028\x7f", "kept", "é\u200d")
		if strings.ContainsAny(log.String(), "\x1b\x07\u009b\u202e\u2028\x7f") || !strings.Contains(log.String(), "é") {
			t.Errorf("%s: %q", format, &log)
		}
	}
}
