package sale

// IdentificationDocument is a number that identifies the buyer's company (spec 2.7).
type IdentificationDocument struct {
	Type       IdentificationType `json:"type"`
	Identifier string             `json:"identifier"`
}

// IdentificationType is the register that an identification document comes from (spec 2.7).
type IdentificationType string

// Names lists the one type.
func (IdentificationType) Names() []string { return []string{"france_siren"} }
