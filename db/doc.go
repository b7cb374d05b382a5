// Package db is PostgreSQL: the only package that knows bun and pgx.
//
// It implements the Store and Tx that each area of domain declares, with files named after their table: the row
// type, its way to and from the domain, and its queries. store.go opens transactions, errors.go turns what the database says into
// domain errors, migrate.go runs the numbered SQL in migrations/.
//
// Two roles use the database. The owner runs migrations and makes and drops partitions; the application's role
// reads and writes rows, has no DDL, and can only append to the audit log.
package db
