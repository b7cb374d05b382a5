package jobs

import (
	"context"
	"fmt"
	"time"

	"github.com/riverqueue/river"

	"ticketgate/domain"
	"ticketgate/domain/tenant"
)

// mailsAnHour is the number of emails per hour that an organization may send to one address. More are delayed
// (ACCOUNT-6).
const mailsAnHour = 5

// AccountMails is the store of one-time links to be emailed.
type AccountMails interface {
	// Load returns the email of a link. It returns NOT_FOUND if the link has ended or was emailed before.
	Load(ctx context.Context, linkID string, mailsAnHour int, now time.Time) (tenant.Outgoing, error)
	// Sent records that the email was sent.
	Sent(ctx context.Context, linkID string, now time.Time) error
}

// Mailer sends the emails of links.
type Mailer interface {
	Send(ctx context.Context, out tenant.Outgoing) error
}

// mailLinkArgs identifies the link of a job. The link's code is not part of it. The database stores it encrypted.
type mailLinkArgs struct {
	LinkID string `json:"link_id"`
}

// Kind names the job in the database.
func (mailLinkArgs) Kind() string { return "mail_link" }

// mailQueue is the queue of these jobs. mailWorkers is the number of jobs that run at the same time.
const (
	mailQueue   = "mail"
	mailWorkers = 4
)

// EnqueueMail returns a statement and its arguments that insert the job that emails a link. The job runs only after its
// transaction has committed.
func (e *Enqueuer) EnqueueMail(linkID string) (text string, args []any, err error) {
	opts := &river.InsertOpts{Queue: mailQueue}
	args, err = insertion([]river.InsertManyParams{{Args: mailLinkArgs{LinkID: linkID}, InsertOpts: opts}})
	return insertJobs, args, err
}

// mailLinkWorker emails links. If a process is killed between sending and recording, the email is sent again.
type mailLinkWorker struct {
	river.WorkerDefaults[mailLinkArgs]

	store  AccountMails
	mailer Mailer
	now    func() time.Time
}

// withoutMailer is how long a job waits before it is tried again if its process has no mailer. Another process may have
// one.
const withoutMailer = 10 * time.Minute

// Work sends the email, unless the link has ended.
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

// NextRetry returns the time of the next run. The wait doubles from two seconds to 15 minutes.
func (w *mailLinkWorker) NextRetry(job *river.Job[mailLinkArgs]) time.Time {
	const longest = 15 * time.Minute
	wait := longest
	if failed := len(job.Errors); failed < 9 {
		wait = min(longest, 2*time.Second<<failed)
	}
	return w.now().Add(wait)
}
