package program

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
)

func TestProdRefusesSecretsThatCanBeGuessed(t *testing.T) {
	t.Parallel()
	ascending := make([]byte, 32)
	for i := range ascending {
		ascending[i] = byte(i)
	}
	encoded := func(key string) string { return base64.StdEncoding.EncodeToString([]byte(key)) }
	for name, row := range map[string]struct{ setting, value, command string }{
		"a key of zeros":                 {SettingSecretKey, encoded(strings.Repeat("\x00", 32)), "openssl rand -base64 32"},
		"a key of one byte":              {SettingSecretKey, encoded(strings.Repeat("\xa7", 32)), "openssl rand -base64 32"},
		"a key of a short pattern":       {SettingSecretKey, encoded(strings.Repeat("abcdefg!", 4)), "openssl rand -base64 32"},
		"a key of a long pattern":        {SettingSecretKey, encoded("0123456789abcdef0123456789abcdef"), "openssl rand -base64 32"},
		"a key that counts":              {SettingSecretKey, encoded(string(ascending)), "openssl rand -base64 32"},
		"a key of few bytes":             {SettingSecretKey, encoded("aabacadaabbabcbdacabcbdcadacbcbd"), "openssl rand -base64 32"},
		"a guessable key before good":    {SettingSecretKey, encoded(strings.Repeat("\x00", 32)) + "," + systemtest.ProdSecretKey, "openssl rand -base64 32"},
		"a token of one character":       {SettingSystemToken, strings.Repeat("x", 40), "openssl rand -hex 32"},
		"a token of a pattern":           {SettingSystemToken, strings.Repeat("token-", 7), "openssl rand -hex 32"},
		"a token that counts":            {SettingSystemToken, "abcdefghijklmnopqrstuvwxyz0123456789", "openssl rand -hex 32"},
		"a token that counts down":       {SettingSystemToken, "zyxwvutsrqponmlkjihgfedcba9876543210", "openssl rand -hex 32"},
		"a token of few characters":      {SettingSystemToken, "aabacadaabbabcbdacabcbdcadacbcbd", "openssl rand -hex 32"},
		"a token that contains password": {SettingSystemToken, "MyPassword-for-the-shop-of-my-aunt!", "openssl rand -hex 32"},
		"a second token":                 {SettingSystemToken, systemtest.ProdSystemToken + "," + strings.Repeat("x", 40), "openssl rand -hex 32"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, _, err := Load(append(systemtest.ProdWithout(row.setting), row.setting+"="+row.value))
			if err == nil || !strings.HasPrefix(err.Error(), row.setting+" can be guessed") || !strings.Contains(err.Error(), row.command) {
				t.Errorf("got %v", err)
			}
			if err != nil && strings.Contains(err.Error(), row.value) {
				t.Errorf("the message contains the value: %v", err)
			}
			if _, _, err := Load([]string{row.setting + "=" + row.value}); err != nil {
				t.Errorf("dev refused it: %v", err)
			}
		})
	}
	for range 2000 {
		var drawn [32]byte
		_, _ = rand.Read(drawn[:])
		if why := guessable(string(drawn[:]), minKeyBytes); why != "" {
			t.Fatalf("random key %x: %s", drawn, why)
		}
		if why := guessable(hex.EncodeToString(drawn[:]), minTokenBytes); why != "" {
			t.Fatalf("random token %x: %s", drawn, why)
		}
	}
	replaced := append(systemtest.ProdWithout(SettingSecretKey), SettingSecretKey+"="+systemtest.ProdSecretKey+","+encoded(strings.Repeat("\x00", 32)))
	if _, _, err := Load(replaced); err != nil {
		t.Errorf("a guessable key can't be replaced: %v", err)
	}
}
