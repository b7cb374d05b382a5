package apikey

import "time"

// quietly returns a copy of the authenticator that records no use, so that checking an open subscription keeps no
// session alive.
func (a *Authenticator) quietly() *Authenticator {
	quiet := *a
	quiet.Store = quietStore{a.Store}
	return &quiet
}

// quietStore discards recorded uses.
type quietStore struct{ CredentialStore }

// NoteKeyUse implements CredentialStore.
func (quietStore) NoteKeyUse(string, time.Time) {}

// NoteDeviceUse implements CredentialStore.
func (quietStore) NoteDeviceUse(string, time.Time) {}

// NoteSessionUse implements CredentialStore.
func (quietStore) NoteSessionUse(string, time.Time) {}
