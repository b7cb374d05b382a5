package webhooks

type object = map[string]any
