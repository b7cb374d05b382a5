package relay

// Actor is a tenant.User, an apikey.Key or a scan.Device.
type Actor any

// Record is a resource that events are about, such as a sale.TransactionRecord.
type Record any
