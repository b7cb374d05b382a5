package domain

import "sync"

// KeyCall collects which permissions a call used and which it lacked. It is safe for concurrent use, because the root
// fields of a document run concurrently. A nil KeyCall collects nothing.
type KeyCall struct {
	mutex         sync.Mutex
	keyID         string
	used, missing PermissionSet
}

// By sets the key of the call.
func (c *KeyCall) By(keyID string) {
	if c == nil {
		return
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.keyID = keyID
}

// needs records that the call needs a permission and whether the key has it. It may be called repeatedly for the same
// permission.
func (c *KeyCall) needs(permission Permission, has bool) {
	if c == nil {
		return
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if has {
		c.used.add(permission)
	} else {
		c.missing.add(permission)
	}
}

// Gathered returns the key, "" for a call without one, and the permissions it used and lacked.
func (c *KeyCall) Gathered() (keyID string, used, missing []Permission) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.keyID, c.used.list(), c.missing.list()
}
