package mail_test

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"io"
	"mime/quotedprintable"
	"net"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/secrets"
	"ticketgate/domain/tenant"
	"ticketgate/jobs/mail"
)

// listener is an SMTP server that stores what it receives.
type listener struct {
	net.Listener

	config   *tls.Config
	implicit bool
	startTLS bool
	got      chan string
}

// listen starts an SMTP server and returns a TLS configuration that trusts its certificate.
func listen(t *testing.T, implicit, startTLS bool) (*listener, *tls.Config) {
	t.Helper()
	web := httptest.NewTLSServer(nil)
	web.Close()
	pool := x509.NewCertPool()
	pool.AddCert(web.Certificate())
	open, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &listener{
		Listener: open, config: &tls.Config{Certificates: web.TLS.Certificates, MinVersion: tls.VersionTLS12},
		implicit: implicit, startTLS: startTLS, got: make(chan string, 10),
	}
	t.Cleanup(func() { _ = l.Close() })
	go l.serve()
	return l, &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
}

func (l *listener) serve() {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		if l.implicit {
			conn = tls.Server(conn, l.config)
		}
		go l.talk(conn, l.implicit)
	}
}

// talk speaks as much SMTP as one email needs.
func (l *listener) talk(conn net.Conn, encrypted bool) {
	defer func() { _ = conn.Close() }()
	reader := bufio.NewReader(conn)
	say := func(line string) { _, _ = io.WriteString(conn, line+"\r\n") }
	say("220 test")
	for {
		line, err := reader.ReadString('\n')
		if err != nil {
			return
		}
		switch verb := strings.ToUpper(strings.Fields(line + " x")[0]); verb {
		case "EHLO":
			if l.startTLS && !encrypted {
				say("250-test")
				say("250 STARTTLS")
			} else {
				say("250-test")
				say("250 AUTH PLAIN")
			}
		case "STARTTLS":
			say("220 go on")
			conn, encrypted = tls.Server(conn, l.config), true
			reader = bufio.NewReader(conn)
		case "AUTH":
			secret, _ := base64.StdEncoding.DecodeString(strings.Fields(line)[2])
			if string(secret) != "\x00ann\x00p@ss" {
				say("535 wrong")
				continue
			}
			say("235 right")
		case "DATA":
			say("354 go on")
			var message strings.Builder
			for line != ".\r\n" {
				line, err = reader.ReadString('\n')
				if err != nil {
					return
				}
				message.WriteString(line)
			}
			l.got <- message.String()
			say("250 kept")
		case "QUIT":
			say("221 bye")
			return
		default:
			say("250 fine")
		}
	}
}

func TestInvitationsAreSent(t *testing.T) {
	t.Parallel()
	until := time.Date(2026, 12, 6, 12, 0, 0, 0, time.UTC)
	out := tenant.Outgoing{
		Email: "bob@example.com", Code: secrets.New(secrets.Invitation), Role: domain.Manager, ExpiresAt: until,
		PlaceName: "Odéon\r\nBcc: eve@example.com http://evil.example/x",
	}
	for scheme, starts := range map[string]struct{ implicit, startTLS bool }{"smtp": {startTLS: true}, "smtps": {implicit: true}} {
		t.Run(scheme, func(t *testing.T) {
			t.Parallel()
			l, trust := listen(t, starts.implicit, starts.startTLS)
			server, ok := mail.ParseServer(fmt.Sprintf("%s://ann:p%%40ss@%s", scheme, l.Addr()))
			if !ok {
				t.Fatal("ParseServer refuses the URL")
			}
			server.Trust = trust
			mailer := &mail.Mailer{Server: server, From: "Ticketgate <no-reply@example.com>", Links: tenant.Links{PublicURL: "https://tickets.example"}}
			if err := server.Check(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := mailer.Send(t.Context(), out); err != nil {
				t.Fatal(err)
			}
			head, body, _ := strings.Cut(<-l.got, "\r\n\r\n")
			text, err := io.ReadAll(quotedprintable.NewReader(strings.NewReader(body)))
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range []string{
				"https://tickets.example/invitation#" + out.Code, "as manager", "until 6 December 2026, 12:00 UTC",
				"“Odéon Bcc eve example com http evil example x”",
			} {
				if !strings.Contains(string(text), want) {
					t.Errorf("no %q in %s", want, text)
				}
			}
			for _, want := range []string{"To: <bob@example.com>", "From: \"Ticketgate\" <no-reply@example.com>", "Auto-Submitted: auto-generated"} {
				if !strings.Contains(head, want) {
					t.Errorf("no %q in %s", want, head)
				}
			}
			if strings.Contains(head, "eve@example.com") {
				t.Errorf("the name of a place adds a header: %s", head)
			}
		})
	}
}

func TestCheckRefusesUntrustedCertificatesAndWrongPasswords(t *testing.T) {
	t.Parallel()
	l, trust := listen(t, true, false)
	for name, user := range map[string]string{"an untrusted certificate": "ann:p%40ss@", "a wrong password": "ann:wrong@"} {
		server, ok := mail.ParseServer("smtps://" + user + l.Addr().String())
		if !ok {
			t.Fatal(name)
		}
		if name == "a wrong password" {
			server.Trust = trust
		}
		err := server.Check(t.Context())
		if err == nil || strings.Contains(err.Error(), "p@ss") || strings.Contains(err.Error(), "wrong@") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestParseServer(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"smtp://mail.example.com":           "mail.example.com:587",
		"smtps://mail.example.com/":         "mail.example.com:465",
		"smtp://a:b@mail.example.com:25":    "mail.example.com:25",
		"smtp://[::1]:2525":                 "[::1]:2525",
		"http://mail.example.com":           "",
		"mail.example.com:25":               "",
		"smtp://":                           "",
		"smtp://ann@mail.example.com":       "",
		"smtp://mail.example.com?tls=no":    "",
		"smtp://mail.example.com/path":      "",
		"smtp://mail.example.com:99999":     "",
		"smtp://:password@mail.example.com": "",
	} {
		server, ok := mail.ParseServer(text)
		if ok != (want != "") || (ok && server.Address() != want) {
			t.Errorf("%s: got %v, %v", text, server.Address(), ok)
		}
	}
	for text, want := range map[string]bool{
		"no-reply@example.com": true, "Ticketgate <no-reply@example.com>": true, "Ticketgate": false, "a@b\r\nBcc: c@d": false, "": false,
	} {
		if _, ok := mail.ValidSender(text); ok != want {
			t.Errorf("%q: %v", text, ok)
		}
	}
}
