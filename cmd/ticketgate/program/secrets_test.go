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

func TestSecretsAreMadeOnce(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "new", "data")
	made := make([]Config, 8)
	var starts sync.WaitGroup
	for i := range made {
		starts.Go(func() {
			made[i] = Config{DataDir: folder}
			if err := made[i].MakeSecrets(); err != nil {
				t.Error(err)
			}
		})
	}
	starts.Wait()
	for i := range made {
		domaintest.Equal(t, fmt.Sprintf("the settings of start %d", i), made[i], made[0])
		if len(made[i].SecretKeys) != 1 || len(made[i].SystemTokens) != 1 {
			t.Errorf("start %d has %d keys and %d tokens, want one of each", i, len(made[i].SecretKeys), len(made[i].SystemTokens))
		}
	}
	if string(made[0].SecretKeys[0]) == made[0].SystemTokens[0] {
		t.Error("key and token are equal")
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 2 {
		t.Errorf("got %v, %v, want the two secrets and no temporary files", entries, err)
	}
}

func TestSecretsThatAreSetMakeNoFile(t *testing.T) {
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

func TestADamagedSecretFileIsNamedWithoutItsContents(t *testing.T) {
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
