package graph

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/identification"
	"ticketgate/domain/ids"
	"ticketgate/domain/tenant"
	"ticketgate/graph/generated"
	"ticketgate/graph/relay"
)

func (r *mutationResolver) Login(ctx context.Context, input tenant.LoginInput) (tenant.LoginResult, error) {
	result, err := r.Sessions.Login(ctx, input)
	return signedIn(ctx, result, err)
}

func (r *mutationResolver) Logout(ctx context.Context) (bool, error) {
	return ok(signedOut(ctx, r.Sessions.Logout(ctx)))
}

func (r *mutationResolver) LogoutEverywhere(ctx context.Context) (int, error) {
	ended, err := r.Sessions.LogoutEverywhere(ctx)
	return ended, signedOut(ctx, err)
}

func (r *mutationResolver) ChangePassword(ctx context.Context, input tenant.PasswordChange) (tenant.LoginResult, error) {
	result, err := r.Sessions.ChangePassword(ctx, input)
	return signedIn(ctx, result, err)
}

func (r *mutationResolver) CreateOrganization(ctx context.Context, input tenant.NewOrganization) (tenant.Organization, error) {
	return r.Organizations.Create(ctx, input)
}

func (r *mutationResolver) CreateSeller(ctx context.Context, input tenant.NewSeller) (tenant.Seller, error) {
	return r.Sellers.Create(ctx, input)
}

func (r *mutationResolver) UpdateSeller(ctx context.Context, input tenant.SellerChange) (tenant.Seller, error) {
	return r.Sellers.Update(ctx, input)
}

func (r *mutationResolver) AddMember(ctx context.Context, input tenant.NewMember) (tenant.AddedMember, error) {
	return r.Invitations.Invite(ctx, input)
}

func (r *mutationResolver) ResendInvitation(ctx context.Context, input tenant.InvitationRef) (tenant.IssuedInvitation, error) {
	return r.Invitations.Resend(ctx, input)
}

func (r *mutationResolver) WithdrawInvitation(ctx context.Context, input tenant.InvitationRef) (tenant.Invitation, error) {
	return r.Invitations.Withdraw(ctx, input)
}

func (r *mutationResolver) AcceptInvitation(ctx context.Context, input tenant.Acceptance) (tenant.Accepted, error) {
	accepted, err := r.Invitations.Accept(ctx, input)
	keepSession(ctx, accepted.LoginResult, err)
	return accepted, err
}

func (r *mutationResolver) UpdateMember(ctx context.Context, input tenant.MemberChange) (tenant.Member, error) {
	return r.Members.Update(ctx, input)
}

func (r *mutationResolver) RemoveMember(ctx context.Context, input tenant.MemberRemoval) (tenant.Member, error) {
	return r.Members.Remove(ctx, input)
}

func (r *mutationResolver) LeaveMembership(ctx context.Context, input tenant.Departure) (tenant.Member, error) {
	return r.Members.Leave(ctx, input)
}

func (r *mutationResolver) IssuePasswordReset(ctx context.Context, input tenant.ResetRequest) (tenant.IssuedReset, error) {
	return r.Invitations.IssueReset(ctx, input)
}

func (r *mutationResolver) ResetPassword(ctx context.Context, input tenant.PasswordReset) (bool, error) {
	return ok(r.Invitations.ResetPassword(ctx, input))
}

func (r *organizationResolver) Sellers(ctx context.Context, obj *tenant.Organization, first *int, after *string, order domain.ListOrder) (*relay.Connection[tenant.Seller], error) {
	return toMany(ctx, obj, idOfOrganization, nested[struct{}]{first, after, order, nil}, r.Resolver.Sellers.OfOrganizations, tenant.Seller.Cursor)
}

func (r *organizationResolver) Members(ctx context.Context, obj *tenant.Organization, first *int, after *string, order domain.ListOrder) (*relay.Connection[tenant.Member], error) {
	return toMany(ctx, obj, idOfOrganization, nested[struct{}]{first, after, order, nil}, r.Resolver.Members.OfOrganizations, tenant.Member.Cursor)
}

func (r *queryResolver) Me(ctx context.Context) (tenant.Me, error) {
	me, err := r.Users.Me(ctx)
	noteRead(ctx, &level{objects: placesOf(me)})
	return me, err
}

func (r *queryResolver) Sessions(ctx context.Context) ([]tenant.Session, error) {
	return r.Resolver.Sessions.List(ctx)
}

func (r *queryResolver) Organizations(ctx context.Context, first *int, after *string, order domain.ListOrder) (relay.Connection[tenant.Organization], error) {
	return connectAll(ctx, first, after, order, r.Resolver.Organizations.List, func(o tenant.Organization) string { return string(o.ID) })
}

func (r *queryResolver) Sellers(ctx context.Context, first *int, after *string, order domain.ListOrder) (relay.Connection[tenant.Seller], error) {
	return connectAll(ctx, first, after, order, r.Resolver.Sellers.List, func(s tenant.Seller) string { return string(s.ID) })
}

func (r *queryResolver) Seller(ctx context.Context, id string) (*tenant.Seller, error) {
	return ptr(r.Resolver.Sellers.Get(ctx, ids.Seller(id)))
}

func (r *queryResolver) Members(ctx context.Context, first *int, after *string, order domain.ListOrder, place *tenant.Place) (relay.Connection[tenant.Member], error) {
	return connect(ctx, first, after, order, place, r.Resolver.Members.List, func(m tenant.Member) string { return m.ID })
}

func (r *queryResolver) Invitations(ctx context.Context, first *int, after *string, order domain.ListOrder, place *tenant.Place) (relay.Connection[tenant.Invitation], error) {
	return connect(ctx, first, after, order, place, r.Resolver.Invitations.List, func(i tenant.Invitation) string { return i.ID })
}

func (r *queryResolver) Invitation(ctx context.Context, code string) (tenant.Offer, error) {
	return r.Resolver.Invitations.Get(ctx, code)
}

func (r *sellerResolver) IdentificationConfig(ctx context.Context, obj *tenant.Seller) ([][]identification.Requirement, error) {
	return requirementsOf(obj.IdentificationConfig), nil
}

func (r *sellerResolver) Organization(ctx context.Context, obj *tenant.Seller) (*tenant.Organization, error) {
	return toOne(ctx, obj, organizationOfSeller, r.Organizations.ByID)
}

func (r *sellerResolver) Members(ctx context.Context, obj *tenant.Seller, first *int, after *string, order domain.ListOrder) (*relay.Connection[tenant.Member], error) {
	return toMany(ctx, obj, (*tenant.Seller).EdgeKey, nested[struct{}]{first, after, order, nil}, r.Resolver.Members.OfSellers, tenant.Member.Cursor)
}

func (r *Resolver) Organization() generated.OrganizationResolver { return &organizationResolver{r} }

func (r *Resolver) Seller() generated.SellerResolver { return &sellerResolver{r} }

type (
	organizationResolver struct{ *Resolver }
	sellerResolver       struct{ *Resolver }
)
