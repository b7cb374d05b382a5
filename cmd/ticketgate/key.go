package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"ticketgate/cmd/ticketgate/platform"
	"ticketgate/domain"
	"ticketgate/domain/apikey"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
	"ticketgate/graph"
)

// keyOptions are the flags of the key commands.
type keyOptions struct {
	seller, organization string
	name, expires        string
	permissions          []string
	fullAccess           bool
	overlap              time.Duration
}

func (s *shell) keyCommand() *cobra.Command {
	parent := &cobra.Command{
		Use:   "key",
		Short: "Create, list, deactivate and rotate API keys",
		Long: "Works directly on the configured database, whether or not `serve` is running. Choose the owner of the keys with --seller\n" +
			"or --organization. A secret is printed once. Changes apply to all processes when the command returns.",
		Example: "  ticketgate key create --seller 6a… --name Shop --full-access\n  ticketgate key list --organization 6a…",
		Args:    noArguments,
		RunE:    func(command *cobra.Command, _ []string) error { return command.Help() },
	}
	parent.AddCommand(s.keyCreateCommand(), s.keyListCommand(), s.keyDeactivateCommand(), s.keyRotateCommand())
	return parent
}

// keyAction returns a key command with the flags that identify the owner.
func (s *shell) keyAction(
	use, short, example string, arguments cobra.PositionalArgs,
	act func(ctx context.Context, do *graph.Resolver, options *keyOptions, arguments []string) error,
) (*cobra.Command, *keyOptions) {
	options := &keyOptions{}
	command := &cobra.Command{
		Use: use, Short: short, Example: example, Args: arguments,
		RunE: func(command *cobra.Command, arguments []string) error {
			if (options.seller == "") == (options.organization == "") {
				return usageError{errors.New("exactly one of --seller and --organization is required")}
			}
			return s.withOperations(command.Context(), func(ctx context.Context, do *graph.Resolver) error {
				if options.seller != "" {
					seller, err := do.Sellers.Get(ctx, ids.Seller(options.seller))
					if err != nil {
						return err
					}
					ctx = platform.ContextFor(ctx, seller)
				}
				return act(ctx, do, options, arguments)
			})
		},
	}
	command.Flags().StringVar(&options.seller, "seller", "", "the id of the seller that owns the keys")
	command.Flags().StringVar(&options.organization, "organization", "", "the id of the organization that owns the keys")
	return command, options
}

func (s *shell) keyCreateCommand() *cobra.Command {
	command, options := s.keyAction("create", "Create a key and print its secret",
		"  ticketgate key create --seller 6a… --name Gate --permission accessLists:list --expires 2027-01-31T00:00:00Z",
		noArguments, s.createKey)
	flags := command.Flags()
	flags.StringVar(&options.name, "name", "", "the name of the key")
	flags.StringVar(&options.expires, "expires", "", "when the key expires, as an RFC 3339 date-time at most one year ahead")
	flags.BoolVar(&options.fullAccess, "full-access", false, "grant every permission (keys of sellers only)")
	flags.StringSliceVar(&options.permissions, "permission", nil, "grant one permission (keys of sellers only); can be repeated")
	return command
}

// createKey creates a key of the seller or organization, and prints its secret.
func (s *shell) createKey(ctx context.Context, do *graph.Resolver, options *keyOptions, _ []string) error {
	input := apikey.NewKey{Name: options.name}
	if options.organization != "" {
		input.OrgID = new(ids.Org(options.organization))
	}
	if options.fullAccess {
		input.FullSellerAccess = optional.Some(true)
	}
	if len(options.permissions) > 0 {
		permissions := make([]domain.Permission, len(options.permissions))
		for i, name := range options.permissions {
			permissions[i] = domain.Permission(name)
		}
		input.Permissions = optional.Some(permissions)
	}
	if options.expires != "" {
		expires, err := moment.Parse(options.expires)
		if err != nil {
			return usageError{fmt.Errorf("--expires %w", err)}
		}
		input.ExpiresAt = optional.Some(expires)
	}
	key, err := do.Keys.Create(ctx, input)
	if err != nil {
		return err
	}
	return s.printSecret(key)
}

func (s *shell) keyListCommand() *cobra.Command {
	command, _ := s.keyAction("list", "List the keys without their secrets", "  ticketgate key list --seller 6a…", noArguments,
		func(ctx context.Context, do *graph.Resolver, options *keyOptions, _ []string) error {
			var organization *ids.Org
			if options.organization != "" {
				id := ids.Org(options.organization)
				organization = &id
			}
			list, err := do.Keys.List(ctx, organization)
			for _, key := range list {
				s.sayf("%s  %-8s  %s  %s\n", key.ID, stateOf(key), key.Hint, key.Name)
			}
			return err
		})
	return command
}

func stateOf(key apikey.Key) string {
	switch {
	case !key.Active:
		return "inactive"
	case key.ExpiredAt(time.Now()):
		return "expired"
	}
	return "active"
}

func (s *shell) keyDeactivateCommand() *cobra.Command {
	command, _ := s.keyAction("deactivate KEY-ID", "Deactivate a key with immediate effect", "  ticketgate key deactivate 6a… --seller 6a…",
		oneArgument("the key's id"),
		func(ctx context.Context, do *graph.Resolver, _ *keyOptions, arguments []string) error {
			key, err := do.Keys.Update(ctx, arguments[0], apikey.Change{Active: optional.Some(false)})
			if err != nil {
				return err
			}
			s.sayf("key       %s is inactive on every process\n", key.ID)
			return nil
		})
	return command
}

func (s *shell) keyRotateCommand() *cobra.Command {
	command, options := s.keyAction("rotate KEY-ID", "Rotate the secret of a key and print the new one",
		"  ticketgate key rotate 6a… --seller 6a… --overlap 1h", oneArgument("the key's id"),
		func(ctx context.Context, do *graph.Resolver, options *keyOptions, arguments []string) error {
			seconds := int(options.overlap / time.Second)
			key, err := do.Keys.Rotate(ctx, apikey.Rotation{ID: arguments[0], OverlapSeconds: optional.Some(seconds)})
			if err != nil {
				return err
			}
			return s.printSecret(key)
		})
	command.Flags().DurationVar(&options.overlap, "overlap", 0, "how long the old secret remains valid, such as 1h")
	return command
}

func (s *shell) printSecret(key apikey.Key) error {
	s.sayf("key       %s (version %d)\nsecret    %s\n", key.ID, key.Version, key.Secret)
	return nil
}
