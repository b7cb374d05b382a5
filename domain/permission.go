package domain

import (
	"io"
	"math/bits"
	"strconv"

	"ticketgate/domain/moment"
)

// Permission is a resource:action string that an API key can hold.
type Permission string

// permissions lists every permission of a seller key, in the order of the API reference.
var permissions = [...]Permission{
	"accessLists:create", "accessLists:list", "accessLists:update", "accessUsers:create", "accessUsers:list",
	"accessUsers:update", "attributes:create", "attributes:update", "bundles:create", "bundles:list",
	"bundles:update", "checkouts:list", "couponSeries:create", "couponSeries:list", "couponSeries:update",
	"coupons:create", "coupons:list", "coupons:update", "customerPaymentMethods:create",
	"customerPaymentMethods:list", "customerPaymentMethods:update", "customers:create", "customers:list",
	"customers:update", "dataFields:create", "dataFields:update", "distributors:list",
	"fundraise:donations:create", "fundraise:donations:list", "entitlements:create", "entitlements:list",
	"entitlements:update", "eventSeries:create", "eventSeries:list", "eventSeries:update", "events:create",
	"events:list", "events:update", "feeSchemes:create", "feeSchemes:list", "feeSchemes:update",
	"fundraise:campaigns:create", "fundraise:campaigns:list", "fundraise:campaigns:update",
	"fundraise:funds:create", "fundraise:funds:list", "fundraise:funds:update", "invoices:create",
	"invoices:list", "invoices:update", "marketing:campaigns:create", "marketing:campaigns:list",
	"marketing:campaigns:update", "packageConfigs:create", "packageConfigs:list", "packageConfigs:update",
	"packages:list", "paymentGateways:create", "paymentGateways:list", "paymentGateways:update",
	"paymentPlans:list", "paymentPlans:update", "paymentStrategies:create", "paymentStrategies:list",
	"paymentStrategies:update", "perks:create", "perks:list", "perks:update", "fundraise:pledges:create",
	"fundraise:pledges:list", "posDevices:create", "posDevices:list", "posDevices:update", "priceTables:create",
	"priceTables:list", "priceTables:update", "products:create", "products:list", "products:update",
	"purchaseIntents:create", "purchaseIntents:list", "purchaseIntentsStrategies:create",
	"purchaseIntentsStrategies:list", "purchaseIntentsStrategies:update", "purchaseIntents:update",
	"rebookingStrategies:create", "rebookingStrategies:list", "rebookingStrategies:update",
	"salesChannelGroups:create", "salesChannelGroups:list", "salesChannels:create", "salesChannels:list",
	"scanGroups:create", "scanGroups:list", "scanGroups:update", "scanZones:create", "scanZones:list",
	"scanZones:update", "scans:create", "scans:list", "subscriptionCycles:create", "subscriptionCycles:list",
	"subscriptionCycles:update", "subscriptionPlans:create", "subscriptionPlans:list", "subscriptionPlans:update",
	"subscriptions:list", "subscriptions:update", "tickets:create", "tickets:list", "tickets:update",
	"transactions:create", "transactions:list", "transactions:update", "transfers:list", "transfers:update",
	"vouchers:create", "vouchers:list", "vouchers:update", "webhooks:create", "webhooks:list", "webhooks:update",
}

// permissionIndex maps each permission to its bit in a PermissionSet.
var permissionIndex = func() map[Permission]int {
	index := make(map[Permission]int, len(permissions))
	for i, permission := range permissions {
		index[permission] = i
	}
	return index
}()

// Permissions returns every permission of a seller key, in the order of the API reference.
func Permissions() []Permission { return append([]Permission(nil), permissions[:]...) }

// Valid reports whether a seller key can hold the permission. Wildcards are not valid.
func (p Permission) Valid() bool {
	_, ok := permissionIndex[p]
	return ok
}

// MarshalGQL writes the permission as a JSON string.
func (p Permission) MarshalGQL(w io.Writer) { _, _ = io.WriteString(w, strconv.Quote(string(p))) }

// UnmarshalGQL accepts any string. Null is the empty permission. The operation checks that the permission exists and
// reports its path.
func (p *Permission) UnmarshalGQL(v any) error {
	if v == nil {
		*p = ""
		return nil
	}
	text, ok := v.(string)
	if !ok {
		return moment.MisfitError("must be a permission such as " + string(permissions[0]))
	}
	*p = Permission(text)
	return nil
}

// PermissionSet holds permissions as bits, so that a check neither searches nor allocates.
type PermissionSet [(len(permissions) + 63) / 64]uint64

// NewPermissionSet returns the set of the permissions in list, without invalid ones.
func NewPermissionSet(list []Permission) PermissionSet {
	var set PermissionSet
	for _, permission := range list {
		set.add(permission)
	}
	return set
}

// add adds a valid permission and ignores an invalid one.
func (s *PermissionSet) add(p Permission) {
	if i, ok := permissionIndex[p]; ok {
		s[i/64] |= 1 << (i % 64)
	}
}

// list returns the permissions of the set in the order of the API reference, or nil if it is empty.
func (s PermissionSet) list() []Permission {
	var held []Permission
	for word, rest := range s {
		for ; rest != 0; rest &= rest - 1 {
			held = append(held, permissions[word*64+bits.TrailingZeros64(rest)])
		}
	}
	return held
}

// Has reports whether the set holds the permission.
func (s PermissionSet) Has(p Permission) bool {
	i, ok := permissionIndex[p]
	return ok && s[i/64]&(1<<(i%64)) != 0
}
