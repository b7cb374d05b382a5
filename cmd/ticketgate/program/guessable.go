package program

import (
	"strings"
)

// guessable returns the reason why a secret can be guessed, or an empty string (LIMIT-14). least is the minimum number
// of different bytes. Random secrets practically always have more.
func guessable(secret string, least int) string {
	var different [256]bool
	count := 0
	for _, b := range []byte(secret) {
		if !different[b] {
			different[b] = true
			count++
		}
	}
	switch {
	case count == 1:
		return "repeats one character"
	case repeats(secret):
		return "repeats a pattern"
	case counts(secret):
		return "is a sequence"
	case count < least:
		return "has too few different characters"
	}
	return ""
}

// repeats reports whether a secret consists of a repeated part. The last repetition may be incomplete.
func repeats(secret string) bool {
	for period := 1; period <= len(secret)/2; period++ {
		if strings.HasPrefix(secret, secret[period:]) {
			return true
		}
	}
	return false
}

// counts reports whether most bytes differ from the previous one by the same step, as in abcdef, 987654 or 02468.
func counts(secret string) bool {
	var steps [256]int
	most := 0
	for i := 1; i < len(secret); i++ {
		step := secret[i] - secret[i-1]
		steps[step]++
		most = max(most, steps[step])
	}
	const third = 3
	return most > (len(secret)-1)*2/third
}

// wordsOfExamples are words in placeholders for secrets. All are too long to occur by chance.
var wordsOfExamples = []string{"secret", "password", "changeme", "example", "ticketgate", "system-token"}

// namesItself returns the word of wordsOfExamples that a token contains, or an empty string.
func namesItself(token string) string {
	lower := strings.ToLower(token)
	for _, word := range wordsOfExamples {
		if strings.Contains(lower, word) {
			return word
		}
	}
	return ""
}

// The minimum numbers of different bytes. Of 32 random bytes, fewer than 16 are different once in 10^12 times. Of 32
// random hexadecimal digits, fewer than 8 are different once in 10^7 times.
const (
	minKeyBytes   = 16
	minTokenBytes = 8
)

// guessableSecrets returns the secrets that prod refuses because they can be guessed: the key that encrypts, and every
// system token. Keys that only decrypt are accepted, because a guessable one could otherwise not be replaced.
func (c *Config) guessableSecrets() SettingsError {
	var wrong SettingsError
	refuse := func(setting, why, command string) {
		wrong = append(wrong, setting+" can be guessed: it "+why+"; generate one with: "+command)
	}
	if len(c.SecretKeys) > 0 {
		if why := guessable(string(c.SecretKeys[0]), minKeyBytes); why != "" {
			refuse(SettingSecretKey, why, "openssl rand -base64 32")
		}
	}
	for _, token := range c.SystemTokens {
		why := guessable(token, minTokenBytes)
		if word := namesItself(token); why == "" && word != "" {
			why = `contains "` + word + `"`
		}
		if why != "" {
			refuse(SettingSystemToken, why, "openssl rand -hex 32")
			break
		}
	}
	return wrong
}
