package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"ticketgate/domain/webhook"
)

// errNoMatch ends `webhook verify` with exit code 1, after the causes were printed.
var errNoMatch = errors.New("the signature does not match")

// maxVerified is the maximum size of a body in bytes.
const maxVerified = 16 << 20

func (s *shell) webhookCommand() *cobra.Command {
	parent := &cobra.Command{
		Use: "webhook", Short: "Send test events to a webhook, and debug its signature", Args: noArguments,
		RunE: func(command *cobra.Command, _ []string) error { return command.Help() },
	}
	parent.AddCommand(s.webhookTestCommand(), s.webhookVerifyCommand())
	return parent
}

func (s *shell) webhookVerifyCommand() *cobra.Command {
	var signature, key string
	command := &cobra.Command{
		Use:   "verify BODY",
		Short: "Verify the signature of a body in a file",
		Long: "Verifies the value of " + webhook.SignatureHeader + " against the exact bytes of the file. If BODY is -, the standard " +
			"input is read.\n" +
			"If it does not match, prints which common mistake explains it. Nothing is sent anywhere.\n\n" +
			"Exit codes: 0 the signature matches, 1 it does not match, 2 invalid usage or unreadable file.",
		Example: "  ticketgate webhook verify body.json --signature 5f3a… --hmac-key my-key",
		Args:    oneArgument("the file with the body"),
		RunE: func(command *cobra.Command, arguments []string) error {
			return s.verify(command.Context(), arguments[0], signature, key)
		},
	}
	command.Flags().StringVar(&signature, "signature", "", "the value of "+webhook.SignatureHeader+", or what your program computed")
	command.Flags().StringVar(&key, "hmac-key", "", "the webhook's hmacKey")
	return command
}

// verify checks a signature over a file and prints the result. If the signature does not match, it prints possible
// causes and returns errNoMatch.
func (s *shell) verify(ctx context.Context, name, signature, key string) error {
	body, err := readBody(name)
	if err != nil {
		return usageError{err} // a script would read any other exit code as a forged call
	}
	verdict := webhook.CheckSignature(ctx, string(body), signature, key)
	if verdict.Matches {
		s.sayf("the signature matches\n")
	} else {
		s.sayf("the signature does not match; expected %s\n", verdict.Expected)
	}
	for _, found := range verdict.Found {
		s.sayf("  %s: %s\n", found.Cause, found.Advice)
	}
	if !verdict.Matches {
		return errNoMatch
	}
	return nil
}

// readBody reads a file that is at most as long as the longest webhook body. The name - is standard input.
func readBody(name string) (body []byte, err error) {
	file, _, err := openFile(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	body, err = io.ReadAll(io.LimitReader(file, maxVerified+1))
	if err == nil && len(body) > maxVerified {
		err = fmt.Errorf("%s must be at most %d bytes, as all webhook bodies are", name, maxVerified)
	}
	return body, err
}
