package main

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"ticketgate/cmd/ticketgate/program"
)

// verdict is how a finding of the doctor weighs.
type verdict string

const (
	fine    verdict = "ok"
	note    verdict = "note"
	trouble verdict = "wrong"
)

// finding is one line of the doctor's report. Advice says what to do about it.
type finding struct {
	verdict      verdict
	about, found string
	advice       string
}

var errUnwell = errors.New("something is wrong: see the lines marked \"wrong\"")

func (s *shell) doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Look for what is wrong with the installation, and say what to do",
		Long: "Looks at the settings, the secrets, PostgreSQL's programs, the database, its roles, migrations and clock, and the\n" +
			"rule for outbound calls and the mail server. It starts and changes nothing. The exit code is not 0 when something is wrong.",
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

// examine looks at one thing after the other, as far as the earlier ones allow.
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
	findings = append(findings, finding{verdict: fine, about: "settings", found: "all are right; mode " + config.Mode()})
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
