package mail

import (
	"context"
	"crypto/tls"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"time"

	gomail "github.com/wneessen/go-mail"
)

// timeout bounds the sending of an email, from connecting to the server's last response. It is shorter than a job's
// time limit.
const timeout = 10 * time.Second

// Server is an SMTP server, configured by a URL such as smtps://user:password@mail.example.com.
type Server struct {
	host           string
	port           int
	user, password string
	// implicit selects TLS from the start instead of STARTTLS.
	implicit bool
	// Trust is the TLS configuration. If it is nil, the system's certificate authorities are trusted.
	Trust *tls.Config
}

// Ports of mail submission.
const (
	startTLSPort = 587
	implicitPort = 465
)

// ParseServer parses a URL with the scheme smtp (STARTTLS, port 587) or smtps (TLS from the start, port 465). The
// second result reports whether it is valid.
func ParseServer(text string) (Server, bool) {
	parsed, err := url.Parse(text)
	if err != nil || !namesServerAlone(parsed) {
		return Server{}, false
	}
	server := Server{host: parsed.Hostname(), port: startTLSPort, implicit: parsed.Scheme == "smtps"}
	if server.implicit {
		server.port = implicitPort
	}
	if port := parsed.Port(); port != "" {
		if server.port, err = strconv.Atoi(port); err != nil || server.port < 1 || server.port > 65535 {
			return Server{}, false
		}
	}
	if parsed.User != nil {
		server.user = parsed.User.Username()
		password, set := parsed.User.Password()
		if server.password = password; server.user == "" || !set || password == "" {
			return Server{}, false
		}
	}
	return server, true
}

// namesServerAlone reports whether a URL has an SMTP scheme and a host, and nothing after the port.
func namesServerAlone(u *url.URL) bool {
	return (u.Scheme == "smtp" || u.Scheme == "smtps") && u.Hostname() != "" && (u.Path == "" || u.Path == "/") &&
		u.RawQuery == "" && !u.ForceQuery && u.Fragment == ""
}

// Address returns host and port, without credentials.
func (s Server) Address() string { return net.JoinHostPort(s.host, strconv.Itoa(s.port)) }

// Check connects to the server, signs in and disconnects.
func (s Server) Check(ctx context.Context) error {
	client, err := s.client()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	if err := client.DialWithContext(ctx); err != nil {
		return err
	}
	return client.Close()
}

// client returns an SMTP client. To any server other than this machine's, it uses TLS with a verified certificate.
func (s Server) client() (*gomail.Client, error) {
	options := []gomail.Option{gomail.WithPort(s.port), gomail.WithTimeout(timeout)}
	if s.Trust != nil {
		trust := s.Trust.Clone()
		trust.ServerName = s.host
		options = append(options, gomail.WithTLSConfig(trust))
	}
	switch {
	case s.implicit:
		options = append(options, gomail.WithSSL())
	case s.isLocal():
		options = append(options, gomail.WithTLSPolicy(gomail.TLSOpportunistic))
	default:
		options = append(options, gomail.WithTLSPolicy(gomail.TLSMandatory))
	}
	if s.user != "" {
		options = append(options, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover),
			gomail.WithUsername(s.user), gomail.WithPassword(s.password))
	}
	return gomail.NewClient(s.host, options...)
}

// isLocal reports whether the server runs on this machine.
func (s Server) isLocal() bool {
	if s.host == "localhost" {
		return true
	}
	address, err := netip.ParseAddr(s.host)
	return err == nil && address.Unmap().IsLoopback()
}
