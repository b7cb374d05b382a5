package mail

import (
	"context"
	"net/mail"
	"strings"

	gomail "github.com/wneessen/go-mail"

	"ticketgate/domain/tenant"
	"ticketgate/domain/texts"
)

// Mailer writes and sends the emails of one-time links.
type Mailer struct {
	Server Server
	// From is the sender, such as Ticketgate <no-reply@example.com>.
	From string
	// Links builds the links of codes.
	Links tenant.Links
}

// ValidSender reports whether text is an email address, with or without a name, and returns text.
func ValidSender(text string) (string, bool) {
	parsed, err := mail.ParseAddress(text)
	return text, err == nil && texts.ValidEmail(parsed.Address) && !strings.ContainsAny(text, "\r\n")
}

// Send writes and sends the email of a link.
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
