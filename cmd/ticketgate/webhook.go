package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"ticketgate/domain/webhook"
)

// errNoMatch ends `webhook verify` with exit code 1; what is wrong was printed.
var errNoMatch = errors.New("the signature does not match")

// maxVerified bounds the body that is read, in bytes.
const maxVerified = 16 << 20

func (s *shell) webhookCommand() *cobra.Command {
	parent := &cobra.Command{
		Use: "webhook", Short: "Say why a webhook's signature does not match", Args: noArguments,
		RunE: func(command *cobra.Command, _ []string) error { return command.Help() },
	}
	var signature, key string
	command := &cobra.Command{
		Use:   "verify BODY",
		Short: "Verify a signature over the body in a file, and say what is wrong with it",
		Long: "Verifies the value of " + webhook.SignatureHeader + " over a body exactly as it is in the file; BODY - is the standard " +
			"input.\n" +
			"Where it does not match, says what was done to the signature, the key or the body. Nothing is sent anywhere.\n\n" +
			"Exit codes: 0 it matches, 1 it does not, 2 wrongly typed or the file cannot be read.",
		Example: "  ticketgate webhook verify body.json --signature 5f3a… --hmac-key my-key",
		Args:    oneArgument("the file with the body"),
		RunE: func(command *cobra.Command, arguments []string) error {
			return s.verify(command.Context(), arguments[0], signature, key)
		},
	}
	command.Flags().StringVar(&signature, "signature", "", "the value of "+webhook.SignatureHeader+", or what your program computed")
	command.Flags().StringVar(&key, "hmac-key", "", "the webhook's hmacKey")
	parent.AddCommand(command)
	return parent
}

func (s *shell) verify(ctx context.Context, name, signature, key string) error {
	body, err := readBody(name)
	if err != nil {
		return usageError{err} // a script takes any other failure for a forged call
	}
	verdict := webhook.CheckSignature(ctx, string(body), signature, key)
	if verdict.Matches {
		s.sayf("the signature matches\n")
	} else {
		s.sayf("the signature does not match; right is %s\n", verdict.Expected)
	}
	for _, found := range verdict.Found {
		s.sayf("  %s: %s\n", found.Cause, found.Advice)
	}
	if !verdict.Matches {
		return errNoMatch
	}
	return nil
}

func readBody(name string) (body []byte, err error) {
	file, _, err := openFile(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	body, err = io.ReadAll(io.LimitReader(file, maxVerified+1))
	if err == nil && len(body) > maxVerified {
		err = fmt.Errorf("%s is longer than %d bytes: no webhook's body is", name, maxVerified)
	}
	return body, err
}
