package sale

import (
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/catalog"
	"ticketgate/domain/identification"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/secrets"
	"ticketgate/domain/tenant"
)

// Checkouts is what can be done with checkouts.
type Checkouts struct {
	Store   CheckoutStore
	Catalog catalog.Reader
	// Seller finds a seller, or NOT_FOUND.
	Seller func(context.Context, ids.Seller) (tenant.Seller, error)
	Now    func() time.Time
}

// Create makes a checkout and returns its secret, once. Everybody may, as often as the rate allows; a session needs MANAGER,
// and a page must be at one of the seller's origins (decisions 4.4, 8.4).
func (s Checkouts) Create(ctx context.Context, input NewCheckout) (Checkout, error) {
	actor, err := domain.Authorize(ctx, domain.CreateCheckout)
	if err != nil {
		return Checkout{}, err
	}
	seller, err := s.sellerOf(ctx, actor, input.SellerID)
	if err != nil {
		return Checkout{}, withFields(err, input.check())
	}
	if err := allowOrigin(ctx, seller); err != nil {
		return Checkout{}, err
	}
	made, err := s.made(ctx, seller.ID, input)
	if err != nil {
		return Checkout{}, err
	}
	err = s.Store.InTx(ctx, func(tx CheckoutTx) error {
		tx.Answer(made)
		return tx.InsertCheckout(ctx, made, secrets.DigestOf(made.Secret))
	})
	if err != nil {
		return Checkout{}, err
	}
	return made, nil
}

// sellerOf finds the seller that the input names or the call acts on. A key and the platform act on the seller that they
// name elsewhere (decisions 4.4).
func (s Checkouts) sellerOf(ctx context.Context, actor *domain.Actor, named ids.Seller) (tenant.Seller, error) {
	const path = "sellerId"
	free := actor.SellerID == "" || actor.Kind == domain.UserActor || actor.Kind == domain.DeviceActor
	switch {
	case named == "" && actor.SellerID == "":
		return tenant.Seller{}, domain.Invalid(path, "is required: it says who sells")
	case named == "":
		named = actor.SellerID
	case !free && named != actor.SellerID:
		return tenant.Seller{}, domain.Invalid(path, "must be the seller of the credential or of the header x-seller-id")
	}
	var problems domain.Problems
	if problems.Reference(path, string(named)); problems.Any() {
		return tenant.Seller{}, problems.Err()
	}
	seller, err := s.Seller(ctx, named)
	// A key of an organization acts on its sellers alone, also where everybody may.
	foreign := actor.Kind == domain.OrganizationKeyActor && seller.OrganizationID != actor.OrgID
	if domain.HasCode(err, domain.CodeNotFound) || (err == nil && foreign) {
		return tenant.Seller{}, domain.Invalid(path, "does not name a seller")
	}
	return seller, err
}

// made is the checkout that the input asks for, or everything that is wrong with it.
func (s Checkouts) made(ctx context.Context, seller ids.Seller, input NewCheckout) (Checkout, error) {
	now := s.Now()
	var problems domain.Problems
	made := Checkout{
		ID: ids.New(now), SellerID: seller, Status: CheckoutNew, PreferredLanguage: input.PreferredLanguage,
		ExpiresAt: moment.New(now.Add(CheckoutLifetime)), CreatedAt: moment.New(now), UpdatedAt: moment.New(now),
		Secret: secrets.New(secrets.Checkout),
	}
	var err error
	if made.Order, err = wantedIn(input.EventID, input.Items, input.Tickets, &problems).priced(ctx, s.Catalog, seller, now); err != nil {
		return Checkout{}, err
	}
	made.RegularPrice = made.RealPrice
	if input.CustomerID != nil {
		problems.Reference("customerId", *input.CustomerID)
		made.CustomerID = input.CustomerID
	}
	if language, known := LanguageOf(domain.CallOf(ctx).Language); made.PreferredLanguage == nil && known {
		made.PreferredLanguage = &language
	}
	checkLanguage(&problems, made.PreferredLanguage)
	return made, problems.Err()
}

// allowOrigin refuses a page that the seller does not list. What no page sends has no origin (decisions 8.4).
func allowOrigin(ctx context.Context, seller tenant.Seller) error {
	if origin := domain.CallOf(ctx).Origin; origin == "" || seller.AllowsOrigin(origin) {
		return nil
	}
	return domain.NewError(domain.CodeCrossOrigin, "This page's origin is not among the seller's checkoutOrigins")
}

// List returns the seller's checkouts, oldest first: checkouts:list, or a session with VIEWER.
func (s Checkouts) List(ctx context.Context, filter CheckoutFilter, page domain.Page) (domain.List[Checkout], error) {
	return domain.ReadPage(ctx, domain.ListCheckouts, s.Store.Checkouts, filter, page)
}

// Get returns one checkout: checkouts:list, or a session with VIEWER.
func (s Checkouts) Get(ctx context.Context, id string) (Checkout, error) {
	return domain.Read(ctx, domain.GetCheckout, s.Store.Checkout, id)
}

// Form tells a shop which details to ask for, whatever has become of the checkout: checkouts:list, a session with VIEWER, or
// the checkout's secret (spec 4.5). The locale is the language of its texts; empty asks for none.
func (s Checkouts) Form(ctx context.Context, id, secret, locale string) (identification.Form, error) {
	actor, err := domain.AuthorizeBuyer(ctx, domain.GetDetailsForm, id, secret, s.Store.SecretOfCheckout)
	if err != nil {
		return identification.Form{}, err
	}
	checkout, err := s.Store.Checkout(ctx, actor.SellerID, id)
	if err != nil {
		return identification.Form{}, err
	}
	seller, err := s.Seller(ctx, actor.SellerID)
	if err != nil {
		return identification.Form{}, err
	}
	if err := allowOrigin(ctx, seller); err != nil {
		return identification.Form{}, err
	}
	events, err := s.Catalog.EventsByID(ctx, actor.SellerID, []string{checkout.EventID})
	if err != nil {
		return identification.Form{}, err
	}
	return identification.FormOf(seller.Identification(), events[checkout.EventID].SkipAddressInfo).In(locale), nil
}
