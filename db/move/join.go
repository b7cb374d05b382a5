package move

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// accounts is the name of the publication of accounts and of the subscription of each cluster.
const accounts = "ticketgate_accounts"

// Join makes a new cluster follow the accounts of the home cluster. It can be repeated.
func Join(ctx context.Context, home, cluster Cluster, say func(format string, values ...any)) (err error) {
	from, err := connect(ctx, home)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, from.Close(context.WithoutCancel(ctx))) }()
	to, err := connect(ctx, cluster)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, to.Close(context.WithoutCancel(ctx))) }()
	name := accounts + "_" + strings.ReplaceAll(cluster.Name, "-", "_")
	var published, subscribed, inUse bool
	err = from.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_publication WHERE pubname = $1)", accounts).Scan(&published)
	if err == nil {
		err = to.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_subscription WHERE subname = $1), EXISTS (SELECT FROM organizations)`,
			name).Scan(&subscribed, &inUse)
	}
	if err == nil && !subscribed && inUse {
		err = fmt.Errorf("cluster %s has organizations of its own: only a new cluster can join", cluster.Name)
	}
	if err == nil && !published {
		_, err = from.Exec(ctx, "CREATE PUBLICATION "+accounts+" FOR TABLE "+strings.Join(followed, ", "))
	}
	if err == nil && !subscribed {
		err = subscribe(ctx, to, name, accounts, home.URL)
	}
	if err == nil {
		err = awaitTables(ctx, to, name)
	}
	if err == nil {
		err = refuseChanges(ctx, to)
	}
	if err == nil {
		say("cluster %s follows the accounts of cluster %s", cluster.Name, home.Name)
	}
	return err
}

// followed are the tables of accounts that are replicated to other clusters.
var followed = []string{"organizations", "users", "memberships", "sessions", "sellers"}

// refuseChanges makes a following cluster refuse changes of accounts by requests. It does not affect times of session
// use and the settings of sellers, which each cluster has for itself.
func refuseChanges(ctx context.Context, to *pgx.Conn) error {
	const every = "INSERT OR UPDATE OR DELETE"
	for name, changes := range map[string]string{
		"organizations": every, "users": every, "memberships": every, "invitations": every, "account_links": every,
		"sessions": "INSERT OR DELETE",
	} {
		_, err := to.Exec(ctx, "CREATE OR REPLACE TRIGGER accounts_are_at_home BEFORE "+changes+" ON "+name+
			" FOR EACH ROW EXECUTE FUNCTION refuse_account_change()")
		if err != nil {
			return err
		}
	}
	return nil
}
