package jobs

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"ticketgate/domain/webhook"
)

// authority signs the certificates of one test.
type authority struct {
	t    *testing.T
	key  *ecdsa.PrivateKey
	cert *x509.Certificate
}

func newAuthority(t *testing.T) *authority {
	a := &authority{t: t}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test authority"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-48 * time.Hour), NotAfter: time.Now().Add(48 * time.Hour), KeyUsage: x509.KeyUsageCertSign,
	}
	var der []byte
	der, a.key = a.sign(template, nil)
	a.cert, _ = x509.ParseCertificate(der)
	return a
}

// sign returns a certificate with a key of its own. It is self-signed if parent is nil.
func (a *authority) sign(template, parent *x509.Certificate) ([]byte, *ecdsa.PrivateKey) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		a.t.Fatal(err)
	}
	signer := key
	if parent == nil {
		parent = template
	} else {
		signer = a.key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, signer)
	if err != nil {
		a.t.Fatal(err)
	}
	return der, key
}

func (a *authority) leaf(name string, from, until time.Duration, parent *x509.Certificate) tls.Certificate {
	der, key := a.sign(&x509.Certificate{
		SerialNumber: big.NewInt(2), DNSNames: []string{name}, NotBefore: time.Now().Add(from), NotAfter: time.Now().Add(until),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}, parent)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

func (a *authority) trustedBy(o *Outbound) {
	o.tlsConfig.RootCAs = x509.NewCertPool()
	o.tlsConfig.RootCAs.AddCert(a.cert)
}

// tlsListener responds with 200 under the name hook.acme-tickets.com and resets the connection at /reset. requests
// receives the requests.
func tlsListener(t *testing.T, config *tls.Config) (sender *Sender, requests chan *http.Request) {
	requests = make(chan *http.Request, 4)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		requests <- r
		if r.URL.Path == "/reset" {
			panic(http.ErrAbortHandler)
		}
	}))
	server.TLS = config
	server.EnableHTTP2 = true
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	sender = newSender(t)
	sender.Timeout = 5 * time.Second
	sender.Outbound.resolver = answering("127.0.0.1")
	sender.Outbound.dial = (&recordingDial{to: listenerAddress(server)}).dial
	return sender, requests
}

func TestCertificatesAreCheckedStrictly(t *testing.T) {
	a, other := newAuthority(t), newAuthority(t)
	const host, day = "hook.acme-tickets.com", 24 * time.Hour
	for _, c := range []struct {
		name   string
		config *tls.Config
		says   string
	}{
		{"expired", &tls.Config{Certificates: []tls.Certificate{a.leaf(host, -day, -time.Hour, a.cert)}}, "expired"},
		{"not valid yet", &tls.Config{Certificates: []tls.Certificate{a.leaf(host, time.Hour, day, a.cert)}}, "not valid yet"},
		{"for another host", &tls.Config{Certificates: []tls.Certificate{a.leaf("other.acme-tickets.com", -day, day, a.cert)}}, "another host"},
		{"self-signed", &tls.Config{Certificates: []tls.Certificate{a.leaf(host, -day, day, nil)}}, "trusted authority"},
		{"of another authority", &tls.Config{Certificates: []tls.Certificate{other.leaf(host, -day, day, other.cert)}}, "trusted authority"},
		{"TLS 1.1", &tls.Config{Certificates: []tls.Certificate{a.leaf(host, -day, day, a.cert)}, MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}, "TLS handshake"},
	} {
		t.Run(c.name, func(t *testing.T) {
			sender, requests := tlsListener(t, c.config)
			a.trustedBy(sender.Outbound)
			result := sender.Send(t.Context(), Request{URL: "https://" + host + "/", Key: []byte("k"), Body: []byte("{}")})
			if result.Failure != webhook.FailureTLS || !strings.Contains(result.Detail, c.says) || strings.Contains(result.Detail, "acme") {
				t.Errorf("ended as %+v", result)
			}
			if len(requests) != 0 {
				t.Error("the signature was sent to a listener that did not prove its name")
			}
		})
	}
}

func TestHTTP2AndNamesWithAFinalDot(t *testing.T) {
	a := newAuthority(t)
	config := &tls.Config{Certificates: []tls.Certificate{a.leaf("hook.acme-tickets.com", -time.Hour, time.Hour, a.cert)}}
	sender, requests := tlsListener(t, config)
	a.trustedBy(sender.Outbound)
	for range 2 {
		result := sender.Send(t.Context(), Request{URL: "https://hook.acme-tickets.com./hook", Body: []byte("{}")})
		if !result.Delivered() {
			t.Fatalf("ended as %+v", result)
		}
		r := <-requests
		if r.ProtoMajor != 2 || r.Host != "hook.acme-tickets.com" || r.TLS.ServerName != "hook.acme-tickets.com" {
			t.Errorf("HTTP/%d to %q, SNI %q", r.ProtoMajor, r.Host, r.TLS.ServerName)
		}
	}
}

func TestListenersWithoutALPNGetHTTP1(t *testing.T) {
	a := newAuthority(t)
	config := &tls.Config{Certificates: []tls.Certificate{a.leaf("hook.acme-tickets.com", -time.Hour, time.Hour, a.cert)}, NextProtos: []string{"http/1.1"}}
	sender, requests := tlsListener(t, config)
	a.trustedBy(sender.Outbound)
	if result := sender.Send(t.Context(), Request{URL: "https://hook.acme-tickets.com/"}); !result.Delivered() {
		t.Fatalf("ended as %+v", result)
	}
	if r := <-requests; r.ProtoMajor != 1 {
		t.Errorf("spoke HTTP/%d", r.ProtoMajor)
	}
}

func TestHTTP2ListenerClosesStream(t *testing.T) {
	a := newAuthority(t)
	sender, requests := tlsListener(t, &tls.Config{
		Certificates: []tls.Certificate{a.leaf("hook.acme-tickets.com", -time.Hour, time.Hour, a.cert)},
	})
	a.trustedBy(sender.Outbound)
	result := sender.Send(t.Context(), Request{URL: "https://hook.acme-tickets.com/reset", Body: []byte("{}")})
	if r := <-requests; result.Failure != webhook.FailureClosedEarly || r.ProtoMajor != 2 {
		t.Errorf("over HTTP/%d ended as %+v", r.ProtoMajor, result)
	}
}

func TestTLSOnOneSideOnly(t *testing.T) {
	url, _ := peer(t, func(c *net.TCPConn) {
		c.Read(make([]byte, 1))
		io.WriteString(c, "HTTP/1.1 400 Bad Request\r\n\r\n")
		hangs(c)
	})
	result := newSender(t).Send(t.Context(), Request{URL: strings.Replace(url, "http:", "https:", 1)})
	if result.Failure != webhook.FailureTLS {
		t.Errorf("https to a plain listener ended as %+v", result)
	}
	url, _ = peer(t, func(*net.TCPConn) {})
	result = newSender(t).Send(t.Context(), Request{URL: strings.Replace(url, "http:", "https:", 1)})
	if result.Failure != webhook.FailureClosedEarly {
		t.Errorf("https to a listener that closes ended as %+v", result)
	}
	url, _ = peer(t, func(c *net.TCPConn) { hangs(c) })
	result = newSender(t).Send(t.Context(), Request{URL: strings.Replace(url, "http:", "https:", 1)})
	if result.Failure != webhook.FailureTimeout || result.Detail != "timeout after 300 ms" {
		t.Errorf("https to a listener that hangs ended as %+v", result)
	}
}
