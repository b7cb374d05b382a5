package jobs

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"syscall"

	"ticketgate/domain/webhook"
)

var failureTexts = map[webhook.Failure]string{
	webhook.FailureDNS: "The listener's name could not be resolved",
	// Both have the same text, so that sellers can't probe the internal network.
	webhook.FailureRefusedAddress:  "Could not connect to the listener",
	webhook.FailureConnect:         "Could not connect to the listener",
	webhook.FailureTLS:             "The TLS handshake with the listener failed",
	webhook.FailureTimeout:         "The listener did not respond in time",
	webhook.FailureClosedEarly:     "The listener closed the connection before it responded",
	webhook.FailureInvalidResponse: "The listener's response is not valid HTTP",
	webhook.FailureInterrupted:     "The call was interrupted before the listener responded",
}

// OutboundError explains why a call got no response. Its text contains no addresses or internals and may be shown to
// sellers. The wrapped cause is for the log.
type OutboundError struct {
	Kind  webhook.Failure
	cause error
}

func (e *OutboundError) Error() string {
	switch {
	case e.Kind == webhook.FailureInvalidURL:
		return e.cause.Error()
	case e.Kind == webhook.FailureTLS:
		return failureTexts[webhook.FailureTLS] + certificateFault(e.cause)
	case e.Kind == webhook.FailureInvalidResponse && headTooLarge(e.cause):
		return fmt.Sprintf("The headers of the listener's response are larger than %d bytes", maxHeaderBytes)
	}
	return failureTexts[e.Kind]
}

// headTooLarge reports whether the response head exceeds the limit. net/http exports neither error.
func headTooLarge(err error) bool {
	if err == nil {
		return false
	}
	words := err.Error()
	return strings.Contains(words, "server response headers exceeded") || strings.Contains(words, "response header list larger")
}

// Unwrap returns the underlying error, for the log.
func (e *OutboundError) Unwrap() error { return e.cause }

// certificateFault describes what is wrong with a certificate. The library's texts are not used, because they list the
// certificate's other names and addresses.
func certificateFault(err error) string {
	var (
		invalid   x509.CertificateInvalidError
		host      x509.HostnameError
		authority x509.UnknownAuthorityError
	)
	switch {
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return ": its certificate has expired or is not valid yet"
	case errors.As(err, &host):
		return ": its certificate is for another host"
	case errors.As(err, &authority):
		return ": its certificate is not from a trusted authority, or an intermediate certificate is missing"
	}
	return ""
}

// outboundError classifies an error of the transport. An *OutboundError is returned unchanged.
func outboundError(err error) *OutboundError {
	var own *OutboundError
	switch {
	case errors.As(err, &own):
		return own
	case errors.Is(err, context.DeadlineExceeded):
		return &OutboundError{Kind: webhook.FailureTimeout, cause: err}
	case errors.Is(err, context.Canceled):
		return &OutboundError{Kind: webhook.FailureInterrupted, cause: err}
	case closedEarly(err):
		return &OutboundError{Kind: webhook.FailureClosedEarly, cause: err}
	}
	return &OutboundError{Kind: webhook.FailureInvalidResponse, cause: err}
}

// closedWords are net/http's texts for connections closed by the listener for which it exports no error.
var closedWords = []string{"server closed idle connection", "server sent GOAWAY", "client connection lost"}

// closedEarly reports whether the listener closed the connection or, with HTTP/2, the stream.
func closedEarly(err error) bool {
	return connectionClosed(err) || strings.Contains(err.Error(), "received from peer")
}

func connectionClosed(err error) bool {
	for _, end := range []error{io.EOF, io.ErrUnexpectedEOF, syscall.ECONNRESET, syscall.EPIPE, net.ErrClosed, errSentAlready} {
		if errors.Is(err, end) {
			return true
		}
	}
	return slices.ContainsFunc(closedWords, func(words string) bool { return strings.Contains(err.Error(), words) })
}
