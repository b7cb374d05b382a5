package db

// StaticTicketStatement and PlainTicketStatement are the lookup's statements, for the tests that look at their plans.
var (
	StaticTicketStatement = staticTicketOfAll
	PlainTicketStatement  = plainTicketOfAll
)

// ChangesAfterStatement is changesAfter.
var ChangesAfterStatement = changesAfter

// AnyCase is anyCase.
var AnyCase = anyCase

// SearchStatement is searchStatement.
var SearchStatement = searchStatement
