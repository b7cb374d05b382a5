package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"ticketgate/domain"
	"ticketgate/domain/tenant"
	"ticketgate/graph"
)

// userOptions are the flags of the user commands.
type userOptions struct {
	name, role, seller, organization, newOrganization string
	passwordFromStdin                                 bool
}

func (s *shell) userCommand() *cobra.Command {
	parent := &cobra.Command{
		Use:   "user",
		Short: "Make a dashboard user, or give one a new password",
		Long: "Works on the database that the settings name, also while `serve` runs. A password that is made here is printed\n" +
			"once; with --password-stdin the first line of the standard input is the password.",
		Example: "  ticketgate user create ann@tickets.example.org --new-organization 'Ann and friends'\n" +
			"  ticketgate user reset-password ann@tickets.example.org",
		Args: noArguments,
		RunE: func(command *cobra.Command, _ []string) error { return command.Help() },
	}
	parent.AddCommand(s.userCreateCommand(), s.userResetCommand())
	return parent
}

func (s *shell) userCreateCommand() *cobra.Command {
	var options userOptions
	command := &cobra.Command{
		Use:   "create E-MAIL",
		Short: "Make a user, with a role at a seller or an organization if one is named",
		Example: "  ticketgate user create ann@tickets.example.org --name Ann --new-organization 'Ann and friends'\n" +
			"  ticketgate user create bob@tickets.example.org --seller 6a… --role VIEWER",
		Args: oneArgument("the user's e-mail"),
		RunE: func(command *cobra.Command, arguments []string) error {
			return s.withOperations(command.Context(), func(ctx context.Context, do *graph.Resolver) error {
				return s.createUser(ctx, do, arguments[0], options)
			})
		},
	}
	flags := command.Flags()
	flags.StringVar(&options.name, "name", "", "the user's name; the e-mail if not given")
	flags.StringVar(&options.role, "role", "", "VIEWER, MANAGER, DEVELOPER or ADMIN at the place that --seller or --organization names")
	flags.StringVar(&options.seller, "seller", "", "the id of the seller where the role holds")
	flags.StringVar(&options.organization, "organization", "", "the id of the organization where the role holds")
	flags.StringVar(&options.newOrganization, "new-organization", "", "the name of an organization to make, with the user as its ADMIN")
	flags.BoolVar(&options.passwordFromStdin, "password-stdin", false, "read the password from the standard input")
	return command
}

func (s *shell) createUser(ctx context.Context, do *graph.Resolver, email string, options userOptions) error {
	password, err := options.password()
	if err != nil {
		return err
	}
	if options.newOrganization != "" {
		if options.seller+options.organization+options.role != "" {
			return usageError{errors.New("--new-organization goes without --seller, --organization and --role: its user is ADMIN there")}
		}
		return s.createFirstAdmin(ctx, do, email, password, options)
	}
	if options.seller == "" && options.organization == "" {
		if options.role != "" {
			return usageError{errors.New("--role needs --seller or --organization: a role holds somewhere")}
		}
		made, err := do.Users.Create(ctx, tenant.NewUser{Email: email, Name: options.name, Password: password})
		if err != nil {
			return err
		}
		return s.printUser(made.User, made.Password)
	}
	role, err := domain.ParseRole(options.role)
	if err != nil {
		return usageError{fmt.Errorf("--role %w", err)}
	}
	added, err := do.Members.Add(ctx, tenant.NewMember{
		Place: tenant.Place{SellerID: domain.SellerID(options.seller), OrganizationID: domain.OrgID(options.organization)},
		Email: email, Name: options.name, Role: role, Password: password,
	})
	if err != nil {
		return err
	}
	return s.printUser(added.Member.User, added.Password)
}

// createFirstAdmin makes an organization and its administrator, who makes everything else in the dashboard.
func (s *shell) createFirstAdmin(ctx context.Context, do *graph.Resolver, email, password string, options userOptions) error {
	made, err := do.Organizations.Create(ctx, tenant.NewOrganization{Name: options.newOrganization})
	if err != nil {
		return err
	}
	added, err := do.Members.Add(ctx, tenant.NewMember{
		Place: tenant.Place{OrganizationID: made.ID}, Email: email, Name: options.name, Role: domain.Admin, Password: password,
	})
	if err != nil {
		return fmt.Errorf("the organization was made, its administrator was not; go on with --organization %s --role ADMIN: %w",
			made.ID, err)
	}
	return s.printUser(added.Member.User, added.Password)
}

func (s *shell) userResetCommand() *cobra.Command {
	var options userOptions
	command := &cobra.Command{
		Use:     "reset-password E-MAIL",
		Short:   "Give a user a new password, end all its sessions and unlock it",
		Example: "  ticketgate user reset-password ann@tickets.example.org",
		Args:    oneArgument("the user's e-mail"),
		RunE: func(command *cobra.Command, arguments []string) error {
			return s.withOperations(command.Context(), func(ctx context.Context, do *graph.Resolver) error {
				password, err := options.password()
				if err != nil {
					return err
				}
				reset, err := do.Users.ResetPassword(ctx, tenant.NewPassword{Email: arguments[0], Password: password})
				if err != nil {
					return err
				}
				return s.printUser(reset.User, reset.Password)
			})
		},
	}
	command.Flags().BoolVar(&options.passwordFromStdin, "password-stdin", false, "read the password from the standard input")
	return command
}

// password is what --password-stdin asks for; never an argument, which every user of the machine can see.
func (o userOptions) password() (string, error) {
	if !o.passwordFromStdin {
		return "", nil
	}
	line, err := bufio.NewReader(os.Stdin).ReadString('\n')
	if line = strings.TrimRight(line, "\r\n"); line == "" {
		return "", usageError{fmt.Errorf("--password-stdin: no password on the standard input (%w)", err)}
	}
	return line, nil
}

func (s *shell) printUser(user tenant.User, password string) error {
	s.sayf("user      %s\ne-mail    %s\n", user.ID, user.Email)
	if password != "" {
		s.sayf("password  %s\n", password)
	}
	return nil
}
