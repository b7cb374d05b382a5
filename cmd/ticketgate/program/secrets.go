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

// Names of the files with the secrets that dev generates (OPS-2).
const (
	SecretKeyFile   = "secret-key"
	SystemTokenFile = "system-token"
)

// MakeSecrets sets an unset secret key and system token from files in the data folder, and generates them on first use.
// In prod both settings are required.
func (c *Config) MakeSecrets() error {
	if err := c.MakeSecretKey(); err != nil {
		return err
	}
	if len(c.SystemTokens) == 0 {
		text, err := secretOf(c.DataDir, SystemTokenFile)
		if err != nil {
			return err
		}
		tokens, ok := systemTokens(text)
		if !ok {
			file := filepath.Join(c.DataDir, SystemTokenFile)
			return fmt.Errorf("%s does not contain a system token (%s)", file, rightOf(SettingSystemToken))
		}
		c.SystemTokens = tokens
	}
	return nil
}

// MakeSecretKey is like MakeSecrets, for the secret key alone.
func (c *Config) MakeSecretKey() error {
	if len(c.SecretKeys) > 0 {
		return nil
	}
	text, err := secretOf(c.DataDir, SecretKeyFile)
	if err != nil {
		return err
	}
	keys, ok := secretKeys(text)
	if !ok {
		return fmt.Errorf("%s does not contain a secret key (%s)", filepath.Join(c.DataDir, SecretKeyFile), rightOf(SettingSecretKey))
	}
	c.SecretKeys = keys
	return nil
}

// secretOf reads a secret from the data folder. If it does not exist, it is generated. Two processes that do so at the
// same time get the same secret.
func secretOf(folder, name string) (string, error) {
	at := filepath.Join(folder, name)
	text, err := os.ReadFile(at) //nolint:gosec // the operator's data folder
	if errors.Is(err, fs.ErrNotExist) {
		if err := makeSecret(folder, at); err != nil {
			return "", fmt.Errorf("%s must be a writable folder: %w", settingDataDir, err)
		}
		text, err = os.ReadFile(at) //nolint:gosec // the operator's data folder
	}
	if err != nil {
		return "", fmt.Errorf("read a secret of the data folder: %w", err)
	}
	return strings.TrimSpace(string(text)), nil
}

// makeSecret writes a secret to a temporary file and links it, so that the file is always complete.
func makeSecret(folder, at string) error {
	mode := os.FileMode(0o700)
	if os.Geteuid() == 0 {
		mode = 0o711 // the private PostgreSQL runs as another user, who needs access to its subfolder
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
