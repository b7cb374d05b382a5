package edges

type object = map[string]any
