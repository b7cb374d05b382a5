package relay

// Actor is a tenant.User, an apikey.Key or a scan.Device.
type Actor any

// Record is a record that events are about, such as a sale.TransactionRecord.
type Record any

// Node is an object with an id that can be looked up, such as a webhook.Webhook.
type Node any

// NodeType is the type name of a Node in the schema.
type NodeType string
