package sales

type object = map[string]any
