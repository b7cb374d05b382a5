package program

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/domain/domaintest"
)

func TestSecretsAreGeneratedOnce(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "new", "data")
	configs := make([]Config, 8)
	var starts sync.WaitGroup
	for i := range configs {
		starts.Go(func() {
			configs[i] = Config{DataDir: folder}
			if err := configs[i].MakeSecrets(); err != nil {
				t.Error(err)
			}
		})
	}
	starts.Wait()
	for i := range configs {
		domaintest.Equal(t, fmt.Sprintf("the settings of start %d", i), configs[i], configs[0])
		if len(configs[i].SecretKeys) != 1 || len(configs[i].SystemTokens) != 1 {
			t.Errorf("start %d has %d keys and %d tokens, want one of each", i, len(configs[i].SecretKeys), len(configs[i].SystemTokens))
		}
	}
	if string(configs[0].SecretKeys[0]) == configs[0].SystemTokens[0] {
		t.Error("key and token are equal")
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 2 {
		t.Errorf("got %v, %v, want the two secrets and no temporary files", entries, err)
	}
}

func TestConfiguredSecretsCreateNoFile(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "data")
	config := Config{DataDir: folder, SecretKeys: [][]byte{make([]byte, 32)}, SystemTokens: []string{systemtest.SystemToken}}
	if err := config.MakeSecrets(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(folder); !os.IsNotExist(err) {
		t.Errorf("the folder was created: %v", err)
	}
}

func TestDamagedSecretFileErrorOmitsContents(t *testing.T) {
	t.Parallel()
	for _, name := range []string{SecretKeyFile, SystemTokenFile} {
		folder := t.TempDir()
		if err := os.WriteFile(filepath.Join(folder, name), []byte("damaged contents\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		config := Config{DataDir: folder}
		err := config.MakeSecrets()
		if err == nil || !strings.Contains(err.Error(), name) || strings.Contains(err.Error(), "damaged") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
