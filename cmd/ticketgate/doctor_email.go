package main

import (
	"context"
	"fmt"

	"ticketgate/cmd/ticketgate/program"
)

// examineEmail checks that the mail server accepts a connection and the login.
func examineEmail(ctx context.Context, config *program.Config) finding {
	if config.SMTP == nil {
		return finding{verdict: fine, about: "email", found: "off; links of invitations and password resets are shown in the dashboard"}
	}
	if err := config.SMTP.Check(ctx); err != nil {
		return finding{
			trouble, "email", fmt.Sprintf("%s: %v", config.SMTP.Address(), err),
			"check host, port, scheme, certificate and credentials of " + program.SettingSMTP,
		}
	}
	return finding{verdict: fine, about: "email", found: config.SMTP.Address() + " accepts email"}
}
