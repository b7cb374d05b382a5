package graph

import "ticketgate/domain/identification"

// configurationOf is a configuration that was sent, and nil for null: an empty one asks for nothing, null for what the
// modules ask for.
func configurationOf(groups [][]identification.Requirement) *identification.Configuration {
	if groups == nil {
		return nil
	}
	made := make(identification.Configuration, len(groups))
	for i, group := range groups {
		made[i] = group
	}
	return &made
}

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
