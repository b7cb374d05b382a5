package graph

import "ticketgate/domain/identification"

// requirementsOf converts an identification configuration to its GraphQL type.
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
