package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"ticketgate/domain"
)

// constraintErrors maps constraint names to errors for callers. Violations of other constraints are faults of the
// server and result in INTERNAL.
var constraintErrors = map[string]func() *domain.Error{
	"seller_invites_address_once":       func() *domain.Error { return domain.Invalid("email", "is already invited") },
	"organization_invites_address_once": func() *domain.Error { return domain.Invalid("email", "is already invited") },
	"invitation_to_seller":              func() *domain.Error { return domain.Invalid("sellerId", "does not exist") },
	"invitation_to_organization":        func() *domain.Error { return domain.Invalid("organizationId", "does not exist") },
	"user_is_member_of_seller":          func() *domain.Error { return domain.Invalid("email", "is already a member") },
	"user_is_member_of_organization":    func() *domain.Error { return domain.Invalid("email", "is already a member") },
	"seller_belongs_to_organization":    func() *domain.Error { return domain.Invalid("organizationId", "does not exist") },
	"membership_at_seller":              func() *domain.Error { return domain.Invalid("sellerId", "does not exist") },
	"membership_at_organization":        func() *domain.Error { return domain.Invalid("organizationId", "does not exist") },
	"api_key_of_seller":                 func() *domain.Error { return domain.NotFound("Seller") },
	"api_key_of_organization":           func() *domain.Error { return domain.Invalid("orgId", "does not exist") },
	"idempotent_requests_pkey":          domain.AlreadyAnswered,
	"ticket_has_its_own_barcode": func() *domain.Error {
		return domain.Invalid("tickets", "must not have the barcode of another ticket")
	},
	"ticket_of_seller":          func() *domain.Error { return domain.NotFound("Seller") },
	"checkout_of_seller":        func() *domain.Error { return domain.NotFound("Seller") },
	"transaction_of_seller":     func() *domain.Error { return domain.NotFound("Seller") },
	"purchase_intent_of_seller": func() *domain.Error { return domain.NotFound("Seller") },
	"purchase_intent_of_event":  func() *domain.Error { return domain.Invalid("eventId", "does not exist") },
	"webhook_of_seller":         func() *domain.Error { return domain.NotFound("Seller") },
	"event_id_is_taken":         func() *domain.Error { return domain.Invalid("_id", "is already in use") },
	"event_of_seller":           func() *domain.Error { return domain.NotFound("Seller") },
	"event_has_root":            func() *domain.Error { return domain.Invalid("rootEventId", "does not exist") },
	"event_has_parent":          func() *domain.Error { return domain.Invalid("parentEventId", "does not exist") },
	"ticket_type_id_is_taken":   func() *domain.Error { return domain.Invalid("_id", "is already in use") },
	"ticket_type_of_event":      func() *domain.Error { return domain.Invalid("eventId", "does not exist") },
	"scan_zone_id_is_taken":     func() *domain.Error { return domain.Invalid("_id", "is already in use") },
	"scan_zone_of_seller":       func() *domain.Error { return domain.NotFound("Seller") },
	"scan_zone_of_event":        func() *domain.Error { return domain.Invalid("eventId", "does not exist") },
	"customer_id_is_taken":      func() *domain.Error { return domain.Invalid("_id", "is already in use") },
	"customer_of_seller":        func() *domain.Error { return domain.NotFound("Seller") },
	"scan_group_of_seller":      func() *domain.Error { return domain.NotFound("Seller") },
	"scan_group_has_event":      func() *domain.Error { return domain.Invalid("scanConfig", "names an event that does not exist") },
	"scan_group_has_zone":       func() *domain.Error { return domain.Invalid("scanConfig.scanZoneId", "does not exist") },
	"scan_group_has_ticket_type": func() *domain.Error {
		return domain.Invalid("scanConfig.events", "name a ticket type that does not exist")
	},
	"device_has_event":       func() *domain.Error { return domain.Invalid("events", "name an event that does not exist") },
	"device_of_seller":       func() *domain.Error { return domain.NotFound("Seller") },
	"device_uses_scan_group": func() *domain.Error { return domain.InvalidState("A device still uses this scan group") },
	"access_list_of_seller":  func() *domain.Error { return domain.NotFound("Seller") },
	"access_entry_of_list":   func() *domain.Error { return domain.NotFound("Access list") },
	"entry_import_rows_pkey": func() *domain.Error {
		return domain.Invalid("records", "must not repeat a line of an earlier row")
	},
	"entry_import_of_list": func() *domain.Error { return domain.NotFound("Access list") },
	"access_entry_is_once_in_list": func() *domain.Error {
		return domain.NewError(domain.CodeEntryAlreadyInList, "Entry already in list")
	},
}

// stateErrors maps SQLSTATEs, by their first two or all five characters, to errors for callers.
var stateErrors = map[string]func(error) *domain.Error{
	"08":    domain.Unavailable, // connection
	"TGMOV": movedAway,          // a write for a fenced seller, see seller_moves.go
	"TGACC": accountsAtHome,     // a change of accounts, which only the home cluster may make
	"40":    domain.Unavailable, // a conflict that remained after all retries
	"53":    domain.Unavailable, // out of connections, memory or disk
	"55P03": domain.Unavailable, // lock not available in time
	"57":    domain.Unavailable, // canceled or shut down
	"58":    domain.Unavailable, // system error
	"25006": domain.Unavailable, // read-only: connected to a standby
	"22P02": badValue,           // text where a number or a UUID is expected
	"22021": badText,
	"22P05": badText,
	"22003": badValue,
	"54000": badValue,
	"22001": badValue,
}

func badText(error) *domain.Error {
	return domain.NewError(domain.CodeInvalidRequest, "Text must be valid UTF-8 without the NUL character")
}

func badValue(error) *domain.Error {
	return domain.NewError(domain.CodeInvalidRequest, "A value is too large or has an invalid format")
}

// mapError converts database errors to domain errors. Domain errors and unknown errors are returned unchanged. The APIs
// log the latter and respond with INTERNAL.
func mapError(err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*domain.Error](err); ok {
		return err
	}
	// Any error while connecting, such as a wrong password, means that the database is unavailable.
	if _, connecting := errors.AsType[*pgconn.ConnectError](err); connecting {
		return domain.Unavailable(err)
	}
	if refused, ok := errors.AsType[*pgconn.PgError](err); ok {
		return mapRefused(refused)
	}
	if unreachable(err) {
		return domain.Unavailable(err)
	}
	return err
}

func mapRefused(refused *pgconn.PgError) error {
	if meaning, ok := constraintErrors[refused.ConstraintName]; ok {
		return meaning()
	}
	for _, length := range [...]int{5, 2} {
		if meaning, ok := stateErrors[refused.Code[:min(length, len(refused.Code))]]; ok {
			return meaning(refused)
		}
	}
	return refused
}

// retryable reports whether the transaction may succeed if it is repeated.
func retryable(err error) bool {
	if refused, ok := errors.AsType[*pgconn.PgError](err); ok {
		return refused.Code == "40001" || refused.Code == "40P01"
	}
	// A previous, canceled request may leave a connection of the pool broken.
	_, committing := errors.AsType[*commitError](err)
	return errors.Is(err, driver.ErrBadConn) && !committing
}

func unreachable(err error) bool {
	_, network := errors.AsType[net.Error](err)
	return network ||
		errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone) || errors.Is(err, net.ErrClosed) ||
		errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) ||
		strings.Contains(err.Error(), "conn closed") || strings.Contains(err.Error(), "unexpected EOF")
}
