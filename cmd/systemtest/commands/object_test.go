package commands

type object = map[string]any
