// Package apikey manages the API keys of sellers and organizations, and authenticates requests.
//
// A key is the stored record. Its secret is the plaintext that is shown once, when the key is created. A rotation gives
// the key a new secret and can keep the old one valid for a while. The secret of a seller's default key can be shown
// again.
//
// Only dashboard users and the platform can manage API keys. API keys can't (KEY-3).
package apikey
