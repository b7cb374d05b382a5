package db

// StaticTicketStatement and PlainTicketStatement are the lookup's statements, for tests of their plans.
var (
	StaticTicketStatement = staticTicketOfAll
	PlainTicketStatement  = plainTicketOfAll
)

// ChangesAfterStatement exports changesAfter.
var ChangesAfterStatement = changesAfter

// AnyCase exports anyCase.
var AnyCase = anyCase

// SearchStatement exports searchStatement.
var SearchStatement = searchStatement
