// Package db implements the stores in PostgreSQL. It is the only package that uses bun, and, apart from jobs, the only
// one that uses pgx.
//
// It implements the Store and Tx that each area of domain declares. Files are named after their table and contain the
// row type, its conversions and its queries. store.go opens transactions, errors.go maps database errors to domain
// errors, migrate.go runs the numbered SQL files in migrations/.
//
// Two roles use the database. The owner runs migrations and manages partitions. The application's role reads and writes
// rows. It can't change the schema, and can only append to the audit log.
package db
