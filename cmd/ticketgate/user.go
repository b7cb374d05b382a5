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
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/tenant"
	"ticketgate/graph"
)

// userOptions are the flags of the user commands.
type userOptions struct {
	name, role, seller, organization, newOrganization, user string
	passwordFromStdin                                       bool
}

func (o userOptions) place() tenant.Place {
	return tenant.Place{SellerID: ids.Seller(o.seller), OrganizationID: ids.Org(o.organization)}
}

// placeFlags adds the flags for a place and for a role at that place.
func (o *userOptions) placeFlags(command *cobra.Command) {
	flags := command.Flags()
	flags.StringVar(&o.role, "role", "", "VIEWER, MANAGER, DEVELOPER or ADMIN, at the seller or organization")
	flags.StringVar(&o.seller, "seller", "", "the id of the seller that the role applies to")
	flags.StringVar(&o.organization, "organization", "", "the id of the organization that the role applies to")
}

func (s *shell) userCommand() *cobra.Command {
	parent := &cobra.Command{
		Use:   "user",
		Short: "Create or invite a dashboard user, or reset a password",
		Long: "Works directly on the configured database, whether or not `serve` is running. A generated password or a link is printed\n" +
			"once. With TICKETGATE_SMTP_URL, links are sent by email instead. With --password-stdin, the password is read from the\n" +
			"first line of the standard input.",
		Example: "  ticketgate user create ann@tickets.example.org --new-organization 'Ann and friends'\n" +
			"  ticketgate user invite bob@tickets.example.org --seller 6a… --role VIEWER\n" +
			"  ticketgate user reset-password ann@tickets.example.org",
		Args: noArguments,
		RunE: func(command *cobra.Command, _ []string) error { return command.Help() },
	}
	parent.AddCommand(s.userCreateCommand(), s.userInviteCommand(), s.userResetCommand())
	return parent
}

func (s *shell) userInviteCommand() *cobra.Command {
	var options userOptions
	command := &cobra.Command{
		Use:   "invite EMAIL",
		Short: "Invite a user to a seller or an organization",
		Long: "Prints a link that works once, within seven days, or sends it by email if TICKETGATE_SMTP_URL is set. The invited user\n" +
			"joins with an account of their own. A pending invitation of the same address is replaced.",
		Example: "  ticketgate user invite bob@tickets.example.org --seller 6a… --role VIEWER",
		Args:    oneArgument("the email address"),
		RunE: func(command *cobra.Command, arguments []string) error {
			role, err := domain.ParseRole(options.role)
			if err != nil {
				return usageError{fmt.Errorf("--role %w", err)}
			}
			return s.withOperations(command.Context(), func(ctx context.Context, do *graph.Resolver) error {
				addedMember, err := do.Invitations.Invite(ctx, tenant.NewMember{Place: options.place(), Email: arguments[0], Role: role})
				if err != nil {
					return err
				}
				s.printLink(addedMember.Invitation.Email, addedMember.Invitation.Link, addedMember.Invitation.ExpiresAt)
				return nil
			})
		},
	}
	options.placeFlags(command)
	return command
}

func (s *shell) userCreateCommand() *cobra.Command {
	var options userOptions
	command := &cobra.Command{
		Use:   "create EMAIL",
		Short: "Create a user, optionally with a role at a seller or an organization",
		Example: "  ticketgate user create ann@tickets.example.org --name Ann --new-organization 'Ann and friends'\n" +
			"  ticketgate user create bob@tickets.example.org --seller 6a… --role VIEWER",
		Args: oneArgument("the user's email address"),
		RunE: func(command *cobra.Command, arguments []string) error {
			return s.withOperations(command.Context(), func(ctx context.Context, do *graph.Resolver) error {
				return s.createUser(ctx, do, arguments[0], options)
			})
		},
	}
	flags := command.Flags()
	flags.StringVar(&options.name, "name", "", "the user's name (default: the email address)")
	options.placeFlags(command)
	flags.StringVar(&options.newOrganization, "new-organization", "", "create an organization of this name with the user as its ADMIN")
	flags.BoolVar(&options.passwordFromStdin, "password-stdin", false, "read the password from the standard input")
	return command
}

// createUser creates a user: as the administrator of a new organization, without a place, or with a role at the
// given place.
func (s *shell) createUser(ctx context.Context, do *graph.Resolver, email string, options userOptions) error {
	password, err := options.password()
	if err != nil {
		return err
	}
	if options.newOrganization != "" {
		if options.seller+options.organization+options.role != "" {
			return usageError{errors.New(
				"--new-organization can't be combined with --seller, --organization or --role: the user becomes its ADMIN")}
		}
		return s.createFirstAdmin(ctx, do, email, password, options)
	}
	if options.seller == "" && options.organization == "" {
		if options.role != "" {
			return usageError{errors.New("--role requires --seller or --organization")}
		}
		credentials, err := do.Users.Create(ctx, tenant.NewUser{Email: email, Name: options.name, Password: password})
		if err != nil {
			return err
		}
		return s.printUser(credentials.User, credentials.Password)
	}
	role, err := domain.ParseRole(options.role)
	if err != nil {
		return usageError{fmt.Errorf("--role %w", err)}
	}
	return s.settle(ctx, do, tenant.NewMember{
		Place: options.place(), Email: email, Name: options.name, Role: role, Password: password,
	})
}

// settle creates a user with a role. If the address has an account, the user is invited instead: only they can accept.
func (s *shell) settle(ctx context.Context, do *graph.Resolver, input tenant.NewMember) error {
	settled, err := do.Invitations.Settle(ctx, input)
	if tenant.AddressInUse(err) {
		addedMember, err := do.Invitations.Invite(ctx, input)
		if err != nil {
			return err
		}
		s.sayf("The address already has an account, so an invitation was created.\n")
		s.printLink(addedMember.Invitation.Email, addedMember.Invitation.Link, addedMember.Invitation.ExpiresAt)
		return nil
	}
	if err != nil {
		return err
	}
	return s.printUser(settled.Member.User, settled.Password)
}

// createFirstAdmin creates an organization and its administrator, who can create everything else in the dashboard.
func (s *shell) createFirstAdmin(ctx context.Context, do *graph.Resolver, email, password string, options userOptions) error {
	organization, err := do.Organizations.Create(ctx, tenant.NewOrganization{Name: options.newOrganization})
	if err != nil {
		return err
	}
	err = s.settle(ctx, do, tenant.NewMember{
		Place: tenant.Place{OrganizationID: organization.ID}, Email: email, Name: options.name, Role: domain.Admin, Password: password,
	})
	if err != nil {
		return fmt.Errorf("the organization was created, but its administrator was not; retry with --organization %s --role ADMIN: %w",
			organization.ID, err)
	}
	return nil
}

func (s *shell) userResetCommand() *cobra.Command {
	var options userOptions
	command := &cobra.Command{
		Use:   "reset-password EMAIL",
		Short: "Create a password reset link, or set a password with --password-stdin",
		Long: "Prints a link that works once, within 24 hours, or sends it by email if TICKETGATE_SMTP_URL is set. Setting the new\n" +
			"password ends all sessions of the user and clears failed logins. If the address has several accounts, name one with\n" +
			"--user.",
		Example: "  ticketgate user reset-password ann@tickets.example.org",
		Args:    oneArgument("the user's email address"),
		RunE: func(command *cobra.Command, arguments []string) error {
			return s.withOperations(command.Context(), func(ctx context.Context, do *graph.Resolver) error {
				return s.resetPassword(ctx, do, arguments[0], options)
			})
		},
	}
	command.Flags().StringVar(&options.user, "user", "", "the id of the user, if the address has several accounts")
	command.Flags().BoolVar(&options.passwordFromStdin, "password-stdin", false, "set the password read from the standard input")
	return command
}

// resetPassword prints a link to reset a user's password, or sets the password from standard input.
func (s *shell) resetPassword(ctx context.Context, do *graph.Resolver, email string, options userOptions) error {
	if !options.passwordFromStdin {
		issued, err := do.Invitations.IssueResetOf(ctx, email, options.user)
		if err != nil {
			return err
		}
		s.printLink(issued.User.Email, issued.Link, issued.ExpiresAt)
		return nil
	}
	password, err := options.password()
	if err != nil {
		return err
	}
	user, err := do.Users.SetPassword(ctx, tenant.NewPassword{Email: email, UserID: options.user, Password: password})
	if err != nil {
		return err
	}
	return s.printUser(user, "")
}

// password returns the password of --password-stdin. It is never an argument, which every user of the machine could see.
func (o userOptions) password() (string, error) {
	if !o.passwordFromStdin {
		return "", nil
	}
	line, err := bufio.NewReader(os.Stdin).ReadString('\n')
	if line = strings.TrimRight(line, "\r\n"); line == "" {
		return "", usageError{fmt.Errorf("--password-stdin: the standard input has no password (%w)", err)}
	}
	return line, nil
}

func (s *shell) printUser(user tenant.User, password string) error {
	s.sayf("user      %s\nemail     %s\n", user.ID, user.Email)
	if password != "" {
		s.sayf("password  %s\n", password)
	}
	return nil
}

// printLink prints a one-time link, or says that it was sent by email.
func (s *shell) printLink(email, link string, until moment.DateTime) {
	s.sayf("email     %s\n", email)
	if link == "" {
		s.sayf("link      sent by email\n")
	} else {
		s.sayf("link      %s\n", link)
	}
	s.sayf("expires   %s\n", until)
}
