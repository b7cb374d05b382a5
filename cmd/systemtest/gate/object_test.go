package gate

type object = map[string]any
