package db

// StaticTicketStatement is the lookup's one statement, for the tests that look at its plan.
var StaticTicketStatement = staticTicketOfAll

// ChangesAfterStatement is changesAfter.
var ChangesAfterStatement = changesAfter

// AnyCase is anyCase.
var AnyCase = anyCase

// SearchStatement is searchStatement.
var SearchStatement = searchStatement
