package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"ticketgate/cmd/ticketgate/program"
	"ticketgate/db/embedded"
)

// examineSecrets checks the secrets that mode dev stores in files.
func examineSecrets(config *program.Config) []finding {
	var findings []finding
	for _, secret := range []struct {
		setting, file string
		set           bool
	}{
		{program.SettingSecretKey, program.SecretKeyFile, len(config.SecretKeys) > 0},
		{program.SettingSystemToken, program.SystemTokenFile, len(config.SystemTokens) > 0},
	} {
		if secret.set {
			findings = append(findings, finding{verdict: fine, about: "secrets", found: secret.setting + " is set"})
			continue
		}
		findings = append(findings, examineSecretFile(secret.setting, filepath.Join(config.DataDir, secret.file)))
	}
	return findings
}

// examineSecretFile checks the generated file of a secret whose setting is empty. A missing file is no fault,
// because the first start creates it.
func examineSecretFile(setting, at string) finding {
	info, err := os.Stat(at)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return finding{note, "secrets", setting + " is not set and not generated yet", "the first start creates " + at}
	case err != nil:
		return finding{trouble, "secrets", err.Error(), "make the file readable, or set " + setting}
	case info.Mode().Perm()&0o077 != 0:
		return finding{trouble, "secrets", at + " is readable by other users", "run `chmod 600 " + at + "`"}
	}
	return finding{verdict: fine, about: "secrets", found: setting + " is not set; the generated one is in " + at}
}

// examineOutbound reports which listeners can be called. It mentions proxies, because operators expect them to be used.
func examineOutbound(config *program.Config, environment []string) []finding {
	rule := finding{verdict: fine, about: "outbound", found: "webhooks can call public addresses only"}
	if config.AllowPrivateAddresses {
		rule = finding{
			note, "outbound", "webhooks can call internal addresses",
			"unset " + program.SettingAllowPrivate + " outside of development and tests",
		}
	}
	findings := []finding{rule}
	for _, variable := range environment {
		name, value, _ := strings.Cut(variable, "=")
		switch strings.ToLower(name) {
		case "http_proxy", "https_proxy", "all_proxy":
			if value != "" {
				findings = append(findings, finding{
					note, "outbound", name + " is set but ignored: webhook calls use no proxy",
					"make sure that this machine reaches the listeners without a proxy",
				})
			}
		}
	}
	return findings
}

// examinePrograms looks for the PostgreSQL programs that a private server requires.
func examinePrograms(ctx context.Context, config *program.Config) finding {
	if config.DatabaseURL != "" {
		return finding{verdict: fine, about: "PostgreSQL", found: "no private server is needed: " + program.SettingDatabaseURL + " is set"}
	}
	folder, major, err := embedded.Find(ctx, embedded.Config{DataDir: config.DataDir, BinDir: config.PostgresBin})
	if errors.Is(err, embedded.ErrNoBinaries) && embedded.CanInstall() {
		advice := "start `ticketgate serve`, which installs it, or run `apt-get install -y postgresql`"
		return finding{note, "PostgreSQL", "is not installed", advice}
	}
	if err != nil {
		return finding{trouble, "PostgreSQL", err.Error(), ""}
	}
	return finding{verdict: fine, about: "PostgreSQL", found: fmt.Sprintf("version %d in %s", major, folder)}
}
