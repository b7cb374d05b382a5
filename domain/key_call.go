package domain

import "sync"

// KeyCall gathers what one call does with its API key: which permissions it used, and which it would have needed. The
// root fields of a document run beside each other, hence the lock. A nil one gathers nothing.
type KeyCall struct {
	mutex         sync.Mutex
	keyID         string
	used, missing PermissionSet
}

// By notes whose call it is.
func (c *KeyCall) By(keyID string) {
	if c == nil {
		return
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.keyID = keyID
}

// needs notes that the call needs a permission, and whether the key has it. The gate may ask more than once for the same.
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

// Gathered returns the key, empty when the call was made without one, and the permissions it used and lacked.
func (c *KeyCall) Gathered() (keyID string, used, missing []Permission) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.keyID, c.used.list(), c.missing.list()
}
