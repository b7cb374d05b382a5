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

// Checkouts implements the operations on checkouts.
type Checkouts struct {
	Store   CheckoutStore
	Catalog catalog.Reader
	// Seller returns a seller, or NOT_FOUND.
	Seller func(context.Context, ids.Seller) (tenant.Seller, error)
	Now    func() time.Time
}

// Create creates a checkout. The returned secret is shown only this once. Anonymous callers are allowed, within the
// rate limit. A session needs role MANAGER. A browser page must be at one of the seller's origins (SALE-7).
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
	created, err := s.created(ctx, seller.ID, input)
	if err != nil {
		return Checkout{}, err
	}
	err = s.Store.InTx(ctx, func(tx CheckoutTx) error {
		tx.SetResponse(created)
		return tx.InsertCheckout(ctx, created, secrets.DigestOf(created.Secret))
	})
	if err != nil {
		return Checkout{}, err
	}
	return created, nil
}

// sellerOf returns the seller named by the input, or the seller that the caller acts for. For an API key and the platform,
// the two must agree.
func (s Checkouts) sellerOf(ctx context.Context, actor *domain.Actor, named ids.Seller) (tenant.Seller, error) {
	const path = "sellerId"
	free := actor.SellerID == "" || actor.Kind == domain.UserActor || actor.Kind == domain.DeviceActor
	switch {
	case named == "" && actor.SellerID == "":
		return tenant.Seller{}, domain.Invalid(path, "is required")
	case named == "":
		named = actor.SellerID
	case !free && named != actor.SellerID:
		return tenant.Seller{}, domain.Invalid(path, "must be the seller of the credential or of the header x-seller-id")
	}
	var errs domain.FieldErrors
	if errs.Reference(path, string(named)); errs.Any() {
		return tenant.Seller{}, errs.Err()
	}
	seller, err := s.Seller(ctx, named)
	// An organization key acts only for sellers of its organization, even where anonymous callers are allowed.
	foreign := actor.Kind == domain.OrganizationKeyActor && seller.OrganizationID != actor.OrgID
	if domain.HasCode(err, domain.CodeNotFound) || (err == nil && foreign) {
		return tenant.Seller{}, domain.Invalid(path, "does not exist")
	}
	return seller, err
}

// created returns the checkout for input, or an error that names everything wrong with the input.
func (s Checkouts) created(ctx context.Context, seller ids.Seller, input NewCheckout) (Checkout, error) {
	now := s.Now()
	var errs domain.FieldErrors
	checkout := Checkout{
		ID: ids.New(now), SellerID: seller, Status: CheckoutNew, PreferredLanguage: input.PreferredLanguage,
		ExpiresAt: moment.New(now.Add(CheckoutLifetime)), CreatedAt: moment.New(now), UpdatedAt: moment.New(now),
		Secret: secrets.New(secrets.Checkout),
	}
	var err error
	if checkout.Order, err = wantedIn(input.EventID, input.Items, input.Tickets, &errs).priced(ctx, s.Catalog, seller, now); err != nil {
		return Checkout{}, err
	}
	checkout.RegularPrice = checkout.RealPrice
	if input.CustomerID != nil {
		errs.Reference("customerId", *input.CustomerID)
		checkout.CustomerID = input.CustomerID
	}
	if language, known := LanguageOf(domain.CallOf(ctx).Language); checkout.PreferredLanguage == nil && known {
		checkout.PreferredLanguage = &language
	}
	checkLanguage(&errs, checkout.PreferredLanguage)
	return checkout, errs.Err()
}

// allowOrigin rejects a browser page whose origin the seller does not list. Other callers send no origin (SALE-7).
func allowOrigin(ctx context.Context, seller tenant.Seller) error {
	if origin := domain.CallOf(ctx).Origin; origin == "" || seller.AllowsOrigin(origin) {
		return nil
	}
	return domain.NewError(domain.CodeCrossOrigin, "The origin of this page is not in the seller's checkoutOrigins")
}

// List returns a page of the seller's checkouts, oldest first. Requires checkouts:list, or a session with role VIEWER.
func (s Checkouts) List(ctx context.Context, filter CheckoutFilter, page domain.Page) (domain.List[Checkout], error) {
	return domain.ReadPage(ctx, domain.ListCheckouts, s.Store.Checkouts, filter, page)
}

// Get returns a checkout. Requires checkouts:list, or a session with role VIEWER.
func (s Checkouts) Get(ctx context.Context, id string) (Checkout, error) {
	return domain.Read(ctx, domain.GetCheckout, s.Store.Checkout, id)
}

// Form returns the details that a shop must ask for, whatever the checkout's status. Requires checkouts:list, a session
// with role VIEWER, or the checkout's secret. The locale selects the language of the form's texts. If empty, the form
// has no texts.
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
