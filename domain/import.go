package domain

import "context"

// UpdateRefusal returns why an operation that creates records may not change existing ones, or "" if it may (IMPORT-6).
// Call it only if such a record exists: the result counts in the key's usage.
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
	return "This record already exists; changing it requires the permission \"" + string(needed) + "\""
}

// LinkedRefusal returns why creating a record may not change existing records, or "" if it may (IMPORT-9). Each of the
// permissions in allowing suffices. The message names the first. what describes what the new record does. The result
// counts in the key's usage.
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
	return what + "; this requires the permission \"" + string(allowing[0]) + "\""
}
