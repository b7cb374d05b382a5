package operations

type object = map[string]any
