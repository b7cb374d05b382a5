package main

import (
	"bytes"
	"strings"
	"testing"

	"ticketgate/cmd/ticketgate/program"
)

func TestReachNamesTheAddress(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{"127.0.0.1:0": "http://127.0.0.1:", "0.0.0.0:0": "all addresses of this machine, for example http://127.0.0.1:"} {
		at, err := program.Listen(t.Context(), "--listen", address)
		if err != nil {
			t.Fatal(err)
		}
		if got := at.Reach(); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
		_ = at.Listener.Close()
	}
}

func TestAReceivedBodyCantControlTheTerminal(t *testing.T) {
	t.Parallel()
	var shown bytes.Buffer
	sayTof(&shown, "%s|%s", lines("a\x1b]0;title\x07\r\n\té\u009b\u202eb\u2028\u200dc"), "\xffx\ny")
	want := `a\u001b]0;title\u0007` + "\n\té" + `\u009b\u202eb\u2028` + "\u200dc|" + `\xffx\u000ay`
	if shown.String() != want {
		t.Errorf("got %q, want %q", &shown, want)
	}
}
