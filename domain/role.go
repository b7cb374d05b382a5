package domain

import (
	"fmt"
	"io"
	"strconv"
)

// Role is the role of a dashboard user at a seller or organization. Each role includes the lower ones.
type Role uint8

// The roles, lowest first. The zero value means none.
const (
	NoRole Role = iota
	Viewer
	Manager
	Developer
	Admin
)

var roleNames = [...]string{NoRole: "", Viewer: "VIEWER", Manager: "MANAGER", Developer: "DEVELOPER", Admin: "ADMIN"}

// String returns the role's name on the wire.
func (r Role) String() string { return roleNames[r] }

// ParseRole returns the role with the name.
func ParseRole(name string) (Role, error) {
	for role := Viewer; role <= Admin; role++ {
		if roleNames[role] == name {
			return role, nil
		}
	}
	return NoRole, fmt.Errorf("must be one of VIEWER, MANAGER, DEVELOPER, ADMIN, not %q", name)
}

// MarshalText returns the name, which also makes it a JSON string.
func (r Role) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText parses the name.
func (r *Role) UnmarshalText(text []byte) (err error) {
	*r, err = ParseRole(string(text))
	return err
}

// MarshalGQL writes the role as a GraphQL enum value.
func (r Role) MarshalGQL(w io.Writer) { _, _ = io.WriteString(w, strconv.Quote(r.String())) }

// UnmarshalGQL reads a GraphQL enum value.
func (r *Role) UnmarshalGQL(v any) (err error) {
	*r, err = ParseRole(fmt.Sprint(v))
	return err
}
