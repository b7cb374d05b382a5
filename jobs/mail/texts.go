package mail

import (
	"fmt"
	"strings"
	"unicode"

	"ticketgate/domain"
	"ticketgate/domain/tenant"
)

const (
	invitationText = `You are invited to join %s on Ticketgate as %s.

Open this link to accept:
%s

It works once, until %s. If you did not expect this invitation, ignore this email: nothing
happens unless you accept.
`
	resetText = `An administrator created a link to reset the password of your Ticketgate account.

Open this link to choose a new password:
%s

It works once, until %s. If you did not expect this email, ignore it: your password stays the same.
`
)

// text returns the subject and body of an email with a link.
func text(out tenant.Outgoing, link string) (subject, body string) {
	until := out.ExpiresAt.UTC().Format("2 January 2006, 15:04 UTC")
	if out.Role == domain.NoRole {
		return "Choose a new password for Ticketgate", fmt.Sprintf(resetText, link, until)
	}
	role := strings.ToLower(out.Role.String())
	return "Your invitation to Ticketgate", fmt.Sprintf(invitationText, harmless(out.PlaceName), role, link, until)
}

// harmless returns the name of a place without anything that an email client would turn into a link. The inviter chose
// the name, and must not be able to send links in Ticketgate's emails.
func harmless(name string) string {
	const longest = 80
	name = strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) || unicode.IsMark(c) || strings.ContainsRune(" -'&,()", c) {
			return c
		}
		return ' '
	}, name)
	runes := []rune(strings.Join(strings.Fields(name), " "))
	return "“" + string(runes[:min(len(runes), longest)]) + "”"
}
