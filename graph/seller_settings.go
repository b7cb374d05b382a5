package graph

import "ticketgate/domain/identification"

// requirementsOf is a configuration as GraphQL shows it.
func requirementsOf(configuration identification.Configuration) [][]identification.Requirement {
	if configuration == nil {
		return nil
	}
	shown := make([][]identification.Requirement, len(configuration))
	for i, group := range configuration {
		shown[i] = group
	}
	return shown
}
