package db

import (
	"cmp"
	"context"
	"time"

	"github.com/uptrace/bun"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/tenant"
	"ticketgate/domain/texts"
)

// membershipRow is a row of memberships. It has either a seller or an organization.
type membershipRow struct {
	bun.BaseModel `bun:"table:memberships,alias:m"`

	ID             string    `bun:"id,pk"`
	UserID         string    `bun:"user_id"`
	SellerID       string    `bun:"seller_id,nullzero"`
	OrganizationID string    `bun:"organization_id,nullzero"`
	Role           uint8     `bun:"role"`
	CreatedAt      time.Time `bun:"created_at"`
}

// memberRow is a membership joined with its user.
type memberRow struct {
	membershipRow

	Email         string    `bun:"email"`
	Name          string    `bun:"name"`
	UserCreatedAt time.Time `bun:"user_created_at"`
}

func (r memberRow) toDomain() (tenant.Member, error) {
	return tenant.Member{
		ID:        r.ID,
		User:      tenant.User{ID: r.UserID, Email: r.Email, Name: r.Name, CreatedAt: moment.New(r.UserCreatedAt)},
		Place:     tenant.Place{SellerID: ids.Seller(r.SellerID), OrganizationID: ids.Org(r.OrganizationID)},
		Role:      domain.Role(r.Role),
		CreatedAt: moment.New(r.CreatedAt),
	}, nil
}

var (
	memberships = &source[membershipRow]{}
	// members includes the user of each membership.
	members = &source[memberRow]{
		columns: "m.id, m.user_id, m.seller_id, m.organization_id, m.role, m.created_at, u.email, u.name, u.created_at AS user_created_at",
		table:   "memberships AS m", joins: []string{"JOIN users u ON u.id = m.user_id"},
	}
	// placedMemberships includes the seller or organization of each membership.
	placedMemberships = &source[placedRow]{
		columns: `m.id, m.user_id, m.seller_id, m.organization_id, m.role, m.created_at,
			coalesce(s.organization_id, o.id) AS of_organization, coalesce(s.name, o.name) AS place_name,
			coalesce(s.country, '') AS country, coalesce(s.webhooks, false) AS webhooks, coalesce(s.siren, false) AS siren,
			coalesce(s.created_at, o.created_at) AS place_created_at, coalesce(s.updated_at, o.created_at) AS place_updated_at,
			s.identification_config, s.invoicing_url, s.sealed_invoicing_key, s.checkout_origins, s.meta`,
		table: "memberships AS m",
		joins: []string{"LEFT JOIN sellers s ON s.id = m.seller_id", "LEFT JOIN organizations o ON o.id = m.organization_id"},
	}
)

// membersOf selects the members of a seller or an organization, without those of an organization's sellers.
func membersOf(place tenant.Place) *query[memberRow] {
	if place.SellerID != "" {
		return members.where("m.seller_id = $", string(place.SellerID))
	}
	return members.where("m.organization_id = $", string(place.OrganizationID))
}

// Members lists the members of a place.
func (t tenants) Members(ctx context.Context, place tenant.Place, page domain.Page) (domain.List[tenant.Member], error) {
	return listing[memberRow, tenant.Member]{
		query: membersOf(place), id: "m.id", item: memberRow.toDomain,
	}.page(ctx, t.Store, page)
}

// MembersOfPlaces reads one page of members for each place. The places are either all sellers or all organizations.
func (t tenants) MembersOfPlaces(
	ctx context.Context, places []tenant.Place, page domain.Page,
) (map[tenant.Place]domain.List[tenant.Member], error) {
	q, condition := members.where("m.seller_id IS NOT NULL"), "m.seller_id = parent.id"
	if places[0].SellerID == "" {
		q, condition = members.where("m.seller_id IS NULL"), "m.organization_id = parent.id"
	}
	ids, named := make([]string, len(places)), map[string]tenant.Place{}
	for i, place := range places {
		ids[i] = cmp.Or(string(place.SellerID), string(place.OrganizationID))
		named[ids[i]] = place
	}
	found, err := listing[memberRow, tenant.Member]{query: q, id: "m.id", item: memberRow.toDomain}.
		within(ctx, t.Store, condition, ids, page)
	lists := make(map[tenant.Place]domain.List[tenant.Member], len(found))
	for id, list := range found {
		lists[named[id]] = list
	}
	return lists, err
}

// UsersByID returns users within reach by id.
func (t tenants) UsersByID(ctx context.Context, reach tenant.MemberReach, ids []string) (map[string]tenant.User, error) {
	// It counts, because with EXISTS the planner would hash all memberships (LIMIT-3).
	found, err := users.all().withIDs(ids).
		where(`$ OR u.id = $ OR (SELECT count(*) FROM memberships m LEFT JOIN sellers s ON s.id = m.seller_id
			WHERE m.user_id = u.id AND (m.seller_id = ANY($) OR m.organization_id = ANY($) OR s.organization_id = ANY($))) > 0`,
			reach.All, reach.UserID, plain(reach.Sellers), plain(reach.Organizations), plain(reach.Organizations)).
		rows(ctx, t.Store, t.sql)
	byID := make(map[string]tenant.User, len(found))
	for _, r := range found {
		byID[r.ID] = tenant.User{ID: r.ID, Email: r.Email, Name: r.Name, CreatedAt: moment.New(r.CreatedAt)}
	}
	return byID, err
}

// HasMember reports whether the membership exists and is of this place.
func (t tenants) HasMember(ctx context.Context, place tenant.Place, id string) (bool, error) {
	return membersOf(place).where("m.id = $", id).exists(ctx, t.Store, t.sql)
}

// HasMemberBelow reports whether the membership exists and is of the organization or one of its sellers.
func (t tenants) HasMemberBelow(ctx context.Context, organization ids.Org, id string) (bool, error) {
	return accountsOfMembers.where("m.id = $ AND $ IN (m.organization_id, s.organization_id)", id, string(organization)).
		exists(ctx, t.Store, t.sql)
}

// Member reads a member of this place and locks the membership.
func (t tenantTx) Member(ctx context.Context, place tenant.Place, id string) (tenant.Member, error) {
	found, err := membersOf(place).where("m.id = $", id).forUpdate("NO KEY UPDATE OF m").row(ctx, t.store, t, "Member")
	if err != nil {
		return tenant.Member{}, err
	}
	return found.toDomain()
}

// CountAdmins counts the members of a place with role ADMIN. The organization's row must be locked.
func (t tenantTx) CountAdmins(ctx context.Context, place tenant.Place) (int, error) {
	return membersOf(place).where("m.role = $", int(domain.Admin)).count(ctx, t.store, t)
}

// CountMemberships counts the memberships of a user, whose row must be locked.
func (t tenantTx) CountMemberships(ctx context.Context, userID string) (int, error) {
	return members.where("m.user_id = $", userID).count(ctx, t.store, t)
}

// MemberExists reports whether the place has a member with the email address, ignoring case.
func (t tenantTx) MemberExists(ctx context.Context, place tenant.Place, email string) (bool, error) {
	return membersOf(place).where("u.email_folded = $", texts.FoldEmail(email)).exists(ctx, t.store, t)
}

// InsertMember stores a new membership. A constraint ensures that a user is a member of a place only once.
func (t tenantTx) InsertMember(ctx context.Context, member tenant.Member) error {
	err := t.insert(ctx, &membershipRow{
		ID: member.ID, UserID: member.User.ID, SellerID: string(member.SellerID), OrganizationID: string(member.OrganizationID),
		Role: uint8(member.Role), CreatedAt: member.CreatedAt.Time,
	})
	if err != nil {
		return err
	}
	return t.bumpEpoch(ctx)
}

// SetRole changes the role of a membership. Once the transaction returns, all processes use the new role.
func (t tenantTx) SetRole(ctx context.Context, id string, role domain.Role) error {
	if err := memberships.all().withID(id).set("role = $", int(role)).updateOne(ctx, t.store, t, "Member"); err != nil {
		return err
	}
	return t.bumpEpoch(ctx)
}

// RemoveMember deletes a membership, but not its user.
func (t tenantTx) RemoveMember(ctx context.Context, id string) error {
	if err := memberships.all().withID(id).deleteOne(ctx, t.store, t, "Member"); err != nil {
		return err
	}
	return t.bumpEpoch(ctx)
}

// placedRow is a membership joined with its seller or organization.
type placedRow struct {
	membershipRow

	OfOrganization string    `bun:"of_organization"`
	PlaceName      string    `bun:"place_name"`
	Country        string    `bun:"country"`
	Webhooks       bool      `bun:"webhooks"`
	SIREN          bool      `bun:"siren"`
	PlaceCreatedAt time.Time `bun:"place_created_at"`
	PlaceUpdatedAt time.Time `bun:"place_updated_at"`

	IdentificationConfig *string  `bun:"identification_config"`
	InvoicingURL         *string  `bun:"invoicing_url"`
	SealedInvoicingKey   []byte   `bun:"sealed_invoicing_key"`
	CheckoutOrigins      []string `bun:"checkout_origins,array"`
	Meta                 *string  `bun:"meta"`
}

func (r placedRow) toDomain() (tenant.Membership, error) {
	membership := tenant.Membership{ID: r.ID, Role: domain.Role(r.Role), CreatedAt: moment.New(r.CreatedAt)}
	var err error
	if r.SellerID == "" {
		var organization tenant.Organization
		organization, err = organizationRow{ID: r.OrganizationID, Name: r.PlaceName, CreatedAt: r.PlaceCreatedAt}.toDomain()
		membership.Organization = &organization
		return membership, err
	}
	var seller tenant.Seller
	seller, err = sellerRow{
		ID: r.SellerID, OrganizationID: r.OfOrganization, Name: r.PlaceName, Country: r.Country,
		Webhooks: r.Webhooks, SIREN: r.SIREN, CreatedAt: r.PlaceCreatedAt, UpdatedAt: r.PlaceUpdatedAt,
		IdentificationConfig: r.IdentificationConfig, InvoicingURL: r.InvoicingURL,
		SealedInvoicingKey: r.SealedInvoicingKey, CheckoutOrigins: r.CheckoutOrigins, Meta: r.Meta,
	}.toDomain()
	membership.Seller = &seller
	return membership, err
}

// Memberships returns a user's memberships, oldest first. A call without a seller uses the first that has one.
func (t tenants) Memberships(ctx context.Context, userID string) ([]tenant.Membership, error) {
	return readAll(ctx, t.Store, t.sql, placedMemberships.where("m.user_id = $", userID).orderBy("m.created_at, m.id"), placedRow.toDomain)
}
