package mail

import (
	"context"
	"fmt"
	"net/mail"
	"strings"
	"unicode"

	gomail "github.com/wneessen/go-mail"

	"ticketgate/domain"
	"ticketgate/domain/tenant"
	"ticketgate/domain/texts"
)

// Mailer writes and sends the emails of one-time links.
type Mailer struct {
	Server Server
	// From is the sender, such as Ticketgate <no-reply@example.com>.
	From string
	// Links returns the links of codes.
	Links tenant.Links
}

// ValidSender reports whether text is an address, with or without a name.
func ValidSender(text string) (string, bool) {
	parsed, err := mail.ParseAddress(text)
	return text, err == nil && texts.ValidEmail(parsed.Address) && !strings.ContainsAny(text, "\r\n")
}

// Send sends the email of a link.
func (m *Mailer) Send(ctx context.Context, out tenant.Outgoing) error {
	message := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	if err := message.From(m.From); err != nil {
		return err
	}
	if err := message.To(out.Email); err != nil {
		return err
	}
	subject, body := text(out, m.Links.URL(out.Code))
	message.Subject(subject)
	message.SetGenHeader("Auto-Submitted", "auto-generated")
	message.SetBodyString(gomail.TypeTextPlain, body)
	client, err := m.Server.client()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	return client.DialAndSendWithContext(ctx, message)
}

const (
	invitationText = `You are invited to join %s on Ticketgate as %s.

Open this link to accept:
%s

It works once, until %s. If you did not expect this invitation, ignore this email: nothing
happens unless you accept.
`
	resetText = `An administrator made a link for a new password of your Ticketgate account.

Open this link to choose it:
%s

It works once, until %s. If you did not ask for it, ignore this email: your password stays as it is.
`
)

// text returns the subject and the body of a link's email.
func text(out tenant.Outgoing, link string) (subject, body string) {
	until := out.ExpiresAt.UTC().Format("2 January 2006, 15:04 UTC")
	if out.Role == domain.NoRole {
		return "Choose a new password for Ticketgate", fmt.Sprintf(resetText, link, until)
	}
	role := strings.ToLower(out.Role.String())
	return "Your invitation to Ticketgate", fmt.Sprintf(invitationText, harmless(out.PlaceName), role, link, until)
}

// harmless returns a place's name without anything that a mail program makes a link of: the inviter chose the name, and
// must not be able to send its own links in our email.
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
