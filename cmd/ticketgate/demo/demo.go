// Package demo creates demo data: two organizations and four sellers, each with the data for trying scans.
package demo

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"strings"

	"ticketgate/cmd/ticketgate/platform"
	"ticketgate/domain"
	"ticketgate/domain/access"
	"ticketgate/domain/apikey"
	"ticketgate/domain/catalog"
	"ticketgate/domain/ids"
	"ticketgate/domain/optional"
	"ticketgate/domain/scan"
	"ticketgate/domain/tenant"
	"ticketgate/domain/ticket"
)

// Operations are the operations that Seed needs.
type Operations struct {
	Organizations tenant.Organizations
	Sellers       tenant.Sellers
	Invitations   tenant.Invitations
	Keys          apikey.Keys
	Events        catalog.Events
	TicketTypes   catalog.TicketTypes
	Customers     catalog.Customers
	Tickets       ticket.Tickets
	AccessLists   access.Lists
	AccessEntries access.Entries
	ScanGroups    scan.Groups
	Devices       scan.Devices
}

// Data is the result of Seed. It includes all secrets, which can't be shown again.
type Data struct {
	Organizations []Organization `json:"organizations"`
	Sellers       []Seller       `json:"sellers"`
}

// Organization is a demo organization with its API key.
type Organization struct {
	ID  ids.Org `json:"id"`
	Key string  `json:"key"`
}

// Seller is a demo seller with its credentials.
type Seller struct {
	SellerID       ids.Seller `json:"sellerId"`
	OrganizationID ids.Org    `json:"organizationId"`
	Name           string     `json:"name"`
	Country        string     `json:"country"`
	SIREN          bool       `json:"siren"`
	Webhooks       bool       `json:"webhooks"`
	AdminEmail     string     `json:"adminEmail"`
	AdminPassword  string     `json:"adminPassword"`
	ViewerEmail    string     `json:"viewerEmail"`
	ViewerPassword string     `json:"viewerPassword"`
	APIKey         string     `json:"apiKey"`

	Gate //nolint:embeddedstructfieldcheck // its fields are printed after the others
}

// plannedSeller is a seller to create. organization is an index of plannedOrganizations.
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

// Seed creates the demo data. The actor of ctx must be the platform.
func Seed(ctx context.Context, do Operations) (Data, error) {
	var data Data
	for _, name := range plannedOrganizations {
		organization, err := seedOrganization(ctx, do, name)
		if err != nil {
			return Data{}, fmt.Errorf("organization %s: %w", name, err)
		}
		data.Organizations = append(data.Organizations, organization)
	}
	for _, planned := range plannedSellers {
		seller, err := seedSeller(ctx, do, data.Organizations[planned.organization].ID, planned)
		if err != nil {
			return Data{}, fmt.Errorf("seller %s: %w", planned.name, err)
		}
		data.Sellers = append(data.Sellers, seller)
	}
	return data, nil
}

func seedOrganization(ctx context.Context, do Operations, name string) (Organization, error) {
	organization, err := do.Organizations.Create(ctx, tenant.NewOrganization{Name: name})
	if err != nil {
		return Organization{}, err
	}
	key, err := do.Keys.Create(ctx, apikey.NewKey{Name: "Seeded", OrgID: new(organization.ID)})
	return Organization{ID: organization.ID, Key: key.Secret}, err
}

// seedSeller creates a seller with two users, a key with full access, and the records of a gate.
func seedSeller(ctx context.Context, do Operations, org ids.Org, planned plannedSeller) (Seller, error) {
	seller, err := do.Sellers.Create(ctx, tenant.NewSeller{
		OrganizationID: org, Name: planned.name, Country: planned.country, SIREN: planned.siren, Webhooks: planned.hooks,
	})
	if err != nil {
		return Seller{}, err
	}
	created := Seller{
		SellerID: seller.ID, OrganizationID: org, Name: seller.Name, Country: seller.Country,
		SIREN: seller.SIREN, Webhooks: seller.Webhooks,
	}
	ctx = platform.ContextFor(ctx, seller)
	if created.AdminEmail, created.AdminPassword, err = seedMember(ctx, do, domain.Admin); err != nil {
		return Seller{}, err
	}
	if created.ViewerEmail, created.ViewerPassword, err = seedMember(ctx, do, domain.Viewer); err != nil {
		return Seller{}, err
	}
	key, err := do.Keys.Create(ctx, apikey.NewKey{Name: "Seeded", FullSellerAccess: optional.Some(true)})
	if err != nil {
		return Seller{}, err
	}
	created.APIKey = key.Secret
	created.Gate, err = seedGate(ctx, do, seller.ID)
	return created, err
}

// seedMember creates a user with an unused email address and a generated password.
func seedMember(ctx context.Context, do Operations, role domain.Role) (email, password string, err error) {
	var random [6]byte
	_, _ = rand.Read(random[:]) // never fails: crypto/rand ends the program instead
	names := map[domain.Role]string{domain.Admin: "admin", domain.Viewer: "viewer"}
	email = fmt.Sprintf("%s-%s@demo.ticketgate.example", names[role], hex.EncodeToString(random[:]))
	settled, err := do.Invitations.Settle(ctx, tenant.NewMember{Email: email, Role: role})
	return email, settled.Password, err
}

// String formats the data for display in a terminal.
func (w Data) String() string {
	var text strings.Builder
	text.WriteString("Demo data created. These passwords and keys are shown once:\n")
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

func (s Seller) features() string {
	text := ", without webhooks"
	if s.Webhooks {
		text = ", with webhooks"
	}
	if s.SIREN {
		text += " and SIREN"
	}
	return text
}
