package domain

import "context"

// UpdateRefusal returns why the caller may not change records that exist in an operation that also creates some, or an empty
// text (IMPORT-6). It is asked only if there is such a record: the key's usage counts the answer.
func UpdateRefusal(ctx context.Context, actor *Actor, op Operation) string {
	needed := rules[op].Update
	if needed == "" || actor.Kind != APIKeyActor {
		return ""
	}
	has := actor.FullSellerAccess || actor.Permissions.Has(needed)
	CallOf(ctx).Key.needs(needed, has)
	if has {
		return ""
	}
	return "This record exists; to change it the key needs the permission \"" + string(needed) + "\""
}

// LinkedRefusal returns why the caller may not change records that exist by creating another one, or an empty text (IMPORT-9).
// Each of the permissions allows it, and the first is the one to ask for. What says what the new record does. As with
// UpdateRefusal, the key's usage counts the answer.
func LinkedRefusal(ctx context.Context, actor *Actor, what string, allowing ...Permission) string {
	if actor.Kind != APIKeyActor {
		return ""
	}
	key := CallOf(ctx).Key
	for _, permission := range allowing {
		if actor.FullSellerAccess || actor.Permissions.Has(permission) {
			key.needs(permission, true)
			return ""
		}
	}
	key.needs(allowing[0], false)
	return what + "; for that the key needs the permission \"" + string(allowing[0]) + "\""
}
