package graph

import "ticketgate/domain/identification"

// configurationOf is a configuration that was sent, and nil for null: an empty one asks for nothing, null for what the
// modules ask for.
func configurationOf(groups [][]*identification.Requirement) *identification.Configuration {
	if groups == nil {
		return nil
	}
	made := make(identification.Configuration, len(groups))
	for i, group := range groups {
		made[i] = make(identification.Group, len(group))
		for j, requirement := range group {
			made[i][j] = *requirement
		}
	}
	return &made
}

// requirementsOf is a configuration as GraphQL shows it.
func requirementsOf(configuration identification.Configuration) [][]*identification.Requirement {
	if configuration == nil {
		return nil
	}
	shown := make([][]*identification.Requirement, len(configuration))
	for i, group := range configuration {
		shown[i] = make([]*identification.Requirement, len(group))
		for j := range group {
			shown[i][j] = &group[j]
		}
	}
	return shown
}
