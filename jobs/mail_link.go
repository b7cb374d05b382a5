package jobs

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/riverqueue/river"

	"ticketgate/domain"
	"ticketgate/domain/tenant"
)

// mailsAnHour is how many emails an organization sends to one address. More wait (ACCOUNT-6).
const mailsAnHour = 5

// AccountMails is the database as the job needs it that mails one-time links.
type AccountMails interface {
	// Load returns the email of a link, or NOT_FOUND if the link has ended or was mailed before.
	Load(ctx context.Context, linkID string, mailsAnHour int, now time.Time) (tenant.Outgoing, error)
	// Sent notes that the email was sent.
	Sent(ctx context.Context, linkID string, now time.Time) error
}

// Mailer sends the emails.
type Mailer interface {
	Send(ctx context.Context, out tenant.Outgoing) error
}

// mailLinkArgs is all that a job holds. The code of the link is in the database, encrypted.
type mailLinkArgs struct {
	LinkID string `json:"link_id"`
}

// Kind names the job in the database.
func (mailLinkArgs) Kind() string { return "mail_link" }

// mailQueue is the queue of these jobs, and mailWorkers how many run at the same time.
const (
	mailQueue   = "mail"
	mailWorkers = 4
)

// EnqueueMail inserts the job that mails a link; it is worked after the transaction has committed, and never without it.
func (q *Queue) EnqueueMail(ctx context.Context, tx *sql.Tx, linkID string) error {
	opts := &river.InsertOpts{Queue: mailQueue}
	return insertInTx(ctx, tx, []river.InsertManyParams{{Args: mailLinkArgs{LinkID: linkID}, InsertOpts: opts}})
}

// mailLinkWorker mails a link. A process that is killed between sending and noting it sends the email again.
type mailLinkWorker struct {
	river.WorkerDefaults[mailLinkArgs]

	store  AccountMails
	mailer Mailer
	now    func() time.Time
}

// withoutMailer is how long a job waits for a process that can send emails.
const withoutMailer = 10 * time.Minute

// Work sends the email, unless the link has ended meanwhile.
func (w *mailLinkWorker) Work(ctx context.Context, job *river.Job[mailLinkArgs]) error {
	if w.mailer == nil {
		return river.JobSnooze(withoutMailer)
	}
	out, err := w.store.Load(ctx, job.Args.LinkID, mailsAnHour, w.now())
	switch {
	case domain.HasCode(err, domain.CodeNotFound):
		return nil
	case err != nil:
		return err
	case out.Wait > 0:
		return river.JobSnooze(out.Wait)
	}
	if err := w.mailer.Send(ctx, out); err != nil {
		return fmt.Errorf("email of link %s not sent: %w", out.LinkID, err)
	}
	return w.store.Sent(ctx, out.LinkID, w.now())
}

// NextRetry doubles the wait from two seconds to a quarter of an hour.
func (w *mailLinkWorker) NextRetry(job *river.Job[mailLinkArgs]) time.Time {
	const longest = 15 * time.Minute
	wait := longest
	if failed := len(job.Errors); failed < 9 {
		wait = min(longest, 2*time.Second<<failed)
	}
	return w.now().Add(wait)
}
