package program

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"ticketgate/db"
)

// The files that hold the secrets which dev makes for itself (decisions 4.2).
const (
	SecretKeyFile   = "secret-key"
	SystemTokenFile = "system-token"
)

// MakeSecrets fills in the secret key and the system token that were not set: those of the data folder, made once.
// In prod both were set, or the settings were refused.
func (c *Config) MakeSecrets() error {
	if len(c.SecretKeys) == 0 {
		text, err := secretOf(c.DataDir, SecretKeyFile)
		if err != nil {
			return err
		}
		keys, ok := secretKeys(text)
		if !ok {
			return fmt.Errorf("%s holds no secret key (%s)", filepath.Join(c.DataDir, SecretKeyFile), rightOf(SettingSecretKey))
		}
		c.SecretKeys = keys
	}
	if len(c.SystemTokens) == 0 {
		text, err := secretOf(c.DataDir, SystemTokenFile)
		if err != nil {
			return err
		}
		tokens, ok := systemTokens(text)
		if !ok {
			return fmt.Errorf("%s holds no system token (%s)", filepath.Join(c.DataDir, SystemTokenFile), rightOf(SettingSystemToken))
		}
		c.SystemTokens = tokens
	}
	return nil
}

// secretOf reads a secret of the data folder, and makes it when there is none. Of two processes that make it at the
// same time one wins and both read the same.
func secretOf(folder, name string) (string, error) {
	at := filepath.Join(folder, name)
	text, err := os.ReadFile(at) //nolint:gosec // the operator's data folder
	if errors.Is(err, fs.ErrNotExist) {
		if err := makeSecret(folder, at); err != nil {
			return "", fmt.Errorf("%s must be a folder that can be written: %w", settingDataDir, err)
		}
		text, err = os.ReadFile(at) //nolint:gosec // as above
	}
	if err != nil {
		return "", fmt.Errorf("read a secret of the data folder: %w", err)
	}
	return strings.TrimSpace(string(text)), nil
}

// makeSecret writes a new secret beside its place and links it there: complete, or not at all.
func makeSecret(folder, at string) error {
	mode := os.FileMode(0o700)
	if os.Geteuid() == 0 {
		mode = 0o711 // the private PostgreSQL runs as another user, who has to pass through
	}
	if err := os.MkdirAll(folder, mode); err != nil {
		return err
	}
	file, err := os.CreateTemp(folder, ".secret-") // mode 0600
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(file.Name()) }()
	var random [db.SealingKeyLength]byte
	_, _ = rand.Read(random[:]) // never fails: crypto/rand ends the program instead
	_, err = file.WriteString(base64.StdEncoding.EncodeToString(random[:]) + "\n")
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	if err := os.Link(file.Name(), at); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}
