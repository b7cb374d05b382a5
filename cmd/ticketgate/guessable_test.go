package main

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"strings"
	"testing"
)

func TestProdRefusesSecretsThatCanBeGuessed(t *testing.T) {
	t.Parallel()
	ascending := make([]byte, 32)
	for i := range ascending {
		ascending[i] = byte(i)
	}
	encoded := func(key string) string { return base64.StdEncoding.EncodeToString([]byte(key)) }
	for name, row := range map[string]struct{ setting, value, command string }{
		"a key of zeros":              {settingSecretKey, encoded(strings.Repeat("\x00", 32)), "openssl rand -base64 32"},
		"a key of one byte":           {settingSecretKey, encoded(strings.Repeat("\xa7", 32)), "openssl rand -base64 32"},
		"a key of a short pattern":    {settingSecretKey, encoded(strings.Repeat("abcdefg!", 4)), "openssl rand -base64 32"},
		"a key of a long pattern":     {settingSecretKey, encoded("0123456789abcdef0123456789abcdef"), "openssl rand -base64 32"},
		"a key that counts":           {settingSecretKey, encoded(string(ascending)), "openssl rand -base64 32"},
		"a key of few bytes":          {settingSecretKey, encoded("aabacadaabbabcbdacabcbdcadacbcbd"), "openssl rand -base64 32"},
		"a guessable key before good": {settingSecretKey, encoded(strings.Repeat("\x00", 32)) + "," + goodKey, "openssl rand -base64 32"},
		"a token of one character":    {settingSystemToken, strings.Repeat("x", 40), "openssl rand -hex 32"},
		"a token of a pattern":        {settingSystemToken, strings.Repeat("token-", 7), "openssl rand -hex 32"},
		"a token that counts":         {settingSystemToken, "abcdefghijklmnopqrstuvwxyz0123456789", "openssl rand -hex 32"},
		"a token that counts down":    {settingSystemToken, "zyxwvutsrqponmlkjihgfedcba9876543210", "openssl rand -hex 32"},
		"a token of few characters":   {settingSystemToken, "aabacadaabbabcbdacabcbdcadacbcbd", "openssl rand -hex 32"},
		"a token that says password":  {settingSystemToken, "MyPassword-for-the-shop-of-my-aunt!", "openssl rand -hex 32"},
		"a second token":              {settingSystemToken, goodToken + "," + strings.Repeat("x", 40), "openssl rand -hex 32"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, _, err := loadConfig(append(prodWithout(row.setting), row.setting+"="+row.value))
			if err == nil || !strings.HasPrefix(err.Error(), row.setting+" can be guessed") || !strings.Contains(err.Error(), row.command) {
				t.Errorf("got %v", err)
			}
			if err != nil && strings.Contains(err.Error(), row.value) {
				t.Errorf("the message holds the value: %v", err)
			}
			if _, _, err := loadConfig([]string{row.setting + "=" + row.value}); err != nil {
				t.Errorf("dev refuses it: %v", err)
			}
		})
	}
	for range 2000 {
		var drawn [32]byte
		_, _ = rand.Read(drawn[:])
		if why := guessable(string(drawn[:]), leastOfKey); why != "" {
			t.Fatalf("a drawn key %x: %s", drawn, why)
		}
		if why := guessable(hex.EncodeToString(drawn[:]), leastOfToken); why != "" {
			t.Fatalf("a drawn token %x: %s", drawn, why)
		}
	}
	replaced := append(prodWithout(settingSecretKey), settingSecretKey+"="+goodKey+","+encoded(strings.Repeat("\x00", 32)))
	if _, _, err := loadConfig(replaced); err != nil {
		t.Errorf("a guessable key can't be replaced: %v", err)
	}
}
