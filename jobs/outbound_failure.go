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
	// One text for both, so that the text can't be used to find out what
	// exists on the inside.
	webhook.FailureRefusedAddress:  "No connection to the listener could be made",
	webhook.FailureConnect:         "No connection to the listener could be made",
	webhook.FailureTLS:             "The TLS handshake with the listener failed",
	webhook.FailureTimeout:         "The listener did not answer in time",
	webhook.FailureClosedEarly:     "The listener closed the connection before it answered",
	webhook.FailureInvalidResponse: "The listener's answer is not valid HTTP",
	webhook.FailureInterrupted:     "The call was interrupted before the listener answered",
}

// OutboundError is why a call got no answer. Its text may be shown to sellers:
// it names no address and no internals. The cause is for the log.
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
		return fmt.Sprintf("The head of the listener's answer is larger than %d bytes", maxHeaderBytes)
	}
	return failureTexts[e.Kind]
}

// headTooLarge tells that net/http read no further; it exports neither error.
func headTooLarge(err error) bool {
	if err == nil {
		return false
	}
	words := err.Error()
	return strings.Contains(words, "server response headers exceeded") || strings.Contains(words, "response header list larger")
}

// Unwrap gives the log the error that the network or a library reported.
func (e *OutboundError) Unwrap() error { return e.cause }

// certificateFault says in own words what is wrong with a certificate: the
// library's words list the other names and addresses that it is valid for.
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

// outboundError classifies what the transport returned. Steps that are ours have
// put their kind into the error already.
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

// closedWords are how net/http says that the listener has closed a connection where it exports no error and wraps none that
// is.
var closedWords = []string{"server closed idle connection", "server sent GOAWAY", "client connection lost"}

// closedEarly tells that the listener closed a connection or, over HTTP/2, its part of one.
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
