package main

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"ticketgate/cmd/ticketgate/program"
)

// verdict is the severity of a finding.
type verdict string

const (
	fine    verdict = "ok"
	note    verdict = "note"
	trouble verdict = "wrong"
)

// finding is one line of the report of `ticketgate doctor`. advice says how to fix a problem.
type finding struct {
	verdict      verdict
	about, found string
	advice       string
}

var errUnwell = errors.New("problems found; see the lines marked \"wrong\"")

func (s *shell) doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Check the installation and suggest fixes",
		Long: "Checks the settings, the secrets, PostgreSQL's programs, the database, its roles, migrations and clock, the rule for\n" +
			"outbound calls and the mail server. It starts and changes nothing. The exit code is 1 if it finds a problem.",
		Example: "  ticketgate doctor",
		Args:    noArguments,
		RunE: func(command *cobra.Command, _ []string) error {
			findings := s.examine(command.Context())
			s.report(findings)
			for _, found := range findings {
				if found.verdict == trouble {
					return errUnwell
				}
			}
			return nil
		},
	}
}

// examine runs all checks in order. If the settings are invalid, it runs no further checks.
func (s *shell) examine(ctx context.Context) []finding {
	config, warnings, err := program.Load(s.environment)
	var findings []finding
	for _, warning := range warnings {
		findings = append(findings, finding{verdict: note, about: "settings", found: warning})
	}
	if err != nil {
		for line := range strings.Lines(err.Error()) {
			findings = append(findings, finding{
				trouble, "settings", strings.TrimSpace(line), "see `ticketgate help settings`",
			})
		}
		return findings
	}
	findings = append(findings, finding{verdict: fine, about: "settings", found: "all are valid; mode " + config.Mode()})
	findings = append(findings, examineSecrets(config)...)
	findings = append(findings, examineOutbound(config, s.environment)...)
	findings = append(findings, examineProxies(config), examineEmail(ctx, config), examinePrograms(ctx, config))
	return append(findings, examineDatabase(ctx, config)...)
}

func (s *shell) report(findings []finding) {
	for _, found := range findings {
		s.sayf("%-6s %-11s %s\n", found.verdict, found.about, unbroken(found.found))
		if found.advice != "" {
			s.sayf("%18s → %s\n", "", found.advice)
		}
	}
}
