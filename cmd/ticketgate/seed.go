package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"ticketgate/domain"
	"ticketgate/domain/apikey"
	"ticketgate/domain/tenant"
	"ticketgate/graph"
)

// world is what a seed makes, with every secret that opens it: they are shown here and never again.
type world struct {
	Organizations []seededOrganization `json:"organizations"`
	Sellers       []seededSeller       `json:"sellers"`
}

type seededOrganization struct {
	ID  domain.OrgID `json:"id"`
	Key string       `json:"key"`
}

type seededSeller struct {
	SellerID       domain.SellerID `json:"sellerId"`
	OrganizationID domain.OrgID    `json:"organizationId"`
	Name           string          `json:"name"`
	Country        string          `json:"country"`
	SIREN          bool            `json:"siren"`
	Webhooks       bool            `json:"webhooks"`
	AdminEmail     string          `json:"adminEmail"`
	AdminPassword  string          `json:"adminPassword"`
	ViewerEmail    string          `json:"viewerEmail"`
	ViewerPassword string          `json:"viewerPassword"`
	APIKey         string          `json:"apiKey"`

	seededGate //nolint:embeddedstructfieldcheck // printed after what stands before it
}

// plannedSeller is one row of the world: its organization by place in the list.
type plannedSeller struct {
	organization  int
	name, country string
	siren, hooks  bool
}

var (
	plannedOrganizations = []string{"Spectacles de Paris", "Konzerthaus Berlin"}
	plannedSellers       = []plannedSeller{
		{0, "Théâtre du Canal", "FR", true, true},
		{0, "Festival des Quais", "FR", false, true},
		{1, "Konzerthaus am Ufer", "DE", false, true},
		{0, "Petit Cabaret", "FR", false, false},
	}
)

var errSeedInProd = errors.New("seed makes demo data and prints what opens it, which " + settingMode + "=prod refuses")

func (s *shell) seedCommand() *cobra.Command {
	var asJSON bool
	command := &cobra.Command{
		Use:   "seed",
		Short: "Make a fresh demo world and print what opens it",
		Long: "Makes two organizations and four sellers, each with an ADMIN, a VIEWER, an API key with full access and a gate: an\n" +
			"event, a ticket, a card in an access list and a device. A fresh world at every call. It works beside\n" +
			"a running `serve`. Passwords and keys are printed here and never again.",
		Example: "  ticketgate seed\n  ticketgate seed --json | tail -1",
		Args:    noArguments,
		RunE: func(command *cobra.Command, _ []string) error {
			config, _, err := settled(command.Context(), s.environment, s.stderr)
			if err != nil {
				return err
			}
			if config.Prod {
				return errSeedInProd
			}
			return s.withOperations(command.Context(), func(ctx context.Context, do *graph.Resolver) error {
				made, err := seedWorld(ctx, do)
				if err != nil {
					return err
				}
				if asJSON {
					return writeJSON(s.stdout, made)
				}
				s.sayf("%s", made)
				return nil
			})
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print one JSON object on one line")
	return command
}

// seedDemo seeds an installation that has no organization yet, and prints what opens it on stderr.
func (s *shell) seedDemo(ctx context.Context, program *Program) error {
	ctx, do := asPlatform(ctx), newOperations(program.Config, program.store)
	existing, err := do.Organizations.List(ctx, domain.Page{Limit: 1})
	if err != nil {
		return err
	}
	if len(existing.Items) > 0 {
		program.Log.InfoContext(ctx, "there is data already, so no demo data was added; `ticketgate seed` makes more")
		return nil
	}
	made, err := seedWorld(ctx, do)
	if err != nil {
		return err
	}
	_, _ = io.WriteString(s.stderr, made.String()) // a terminal that was closed is no failure
	debug.FreeOSMemory()                           // hashing eight passwords took 19 MiB each, which an idle server need not hold
	return nil
}

// seedWorld makes a world through the operations, as the platform.
func seedWorld(ctx context.Context, do *graph.Resolver) (world, error) {
	var made world
	for _, name := range plannedOrganizations {
		organization, err := seedOrganization(ctx, do, name)
		if err != nil {
			return world{}, fmt.Errorf("organization %s: %w", name, err)
		}
		made.Organizations = append(made.Organizations, organization)
	}
	for _, planned := range plannedSellers {
		seller, err := seedSeller(ctx, do, made.Organizations[planned.organization].ID, planned)
		if err != nil {
			return world{}, fmt.Errorf("seller %s: %w", planned.name, err)
		}
		made.Sellers = append(made.Sellers, seller)
	}
	return made, nil
}

func seedOrganization(ctx context.Context, do *graph.Resolver, name string) (seededOrganization, error) {
	organization, err := do.Organizations.Create(ctx, tenant.NewOrganization{Name: name})
	if err != nil {
		return seededOrganization{}, err
	}
	key, err := do.Keys.Create(ctx, apikey.NewKey{Name: "Seeded", OrgID: new(organization.ID)})
	return seededOrganization{ID: organization.ID, Key: key.Secret}, err
}

func seedSeller(ctx context.Context, do *graph.Resolver, org domain.OrgID, planned plannedSeller) (seededSeller, error) {
	seller, err := do.Sellers.Create(ctx, tenant.NewSeller{
		OrganizationID: org, Name: planned.name, Country: planned.country, SIREN: planned.siren, Webhooks: planned.hooks,
	})
	if err != nil {
		return seededSeller{}, err
	}
	made := seededSeller{
		SellerID: seller.ID, OrganizationID: org, Name: seller.Name, Country: seller.Country,
		SIREN: seller.SIREN, Webhooks: seller.Webhooks,
	}
	ctx = forSeller(ctx, seller)
	if made.AdminEmail, made.AdminPassword, err = seedMember(ctx, do, domain.Admin); err != nil {
		return seededSeller{}, err
	}
	if made.ViewerEmail, made.ViewerPassword, err = seedMember(ctx, do, domain.Viewer); err != nil {
		return seededSeller{}, err
	}
	key, err := do.Keys.Create(ctx, apikey.NewKey{Name: "Seeded", FullSellerAccess: domain.Some(true)})
	if err != nil {
		return seededSeller{}, err
	}
	made.APIKey = key.Secret
	made.seededGate, err = seedGate(ctx, do, seller.ID)
	return made, err
}

// seedMember makes a user with an e-mail that nobody has, and a password that is made for it.
func seedMember(ctx context.Context, do *graph.Resolver, role domain.Role) (email, password string, err error) {
	var random [6]byte
	_, _ = rand.Read(random[:]) // never fails: crypto/rand ends the program instead
	names := map[domain.Role]string{domain.Admin: "admin", domain.Viewer: "viewer"}
	email = fmt.Sprintf("%s-%s@demo.ticketgate.example", names[role], hex.EncodeToString(random[:]))
	settled, err := do.Invitations.Settle(ctx, tenant.NewMember{Email: email, Role: role})
	return email, settled.Password, err
}

// String shows the world to a person.
func (w world) String() string {
	var text strings.Builder
	text.WriteString("Demo data was made. These passwords and keys are shown once:\n")
	for _, organization := range w.Organizations {
		fmt.Fprintf(&text, "\norganization %s\n  key       %s\n", organization.ID, organization.Key)
	}
	for _, seller := range w.Sellers {
		fmt.Fprintf(&text, "\nseller %s  %s (%s)%s\n", seller.SellerID, seller.Name, seller.Country, seller.features())
		fmt.Fprintf(&text, "  admin     %s  %s\n", seller.AdminEmail, seller.AdminPassword)
		fmt.Fprintf(&text, "  viewer    %s  %s\n", seller.ViewerEmail, seller.ViewerPassword)
		fmt.Fprintf(&text, "  API key   %s\n", seller.APIKey)
		fmt.Fprintf(&text, "  device    %s\n", seller.DeviceToken)
		fmt.Fprintf(&text, "  event     %s  code %s  barcode %s\n", seller.EventID, seller.ExternalCode, seller.Barcode)
	}
	return text.String() + "\n"
}

func (s seededSeller) features() string {
	text := ", without webhooks"
	if s.Webhooks {
		text = ", with webhooks"
	}
	if s.SIREN {
		text += " and SIREN"
	}
	return text
}
