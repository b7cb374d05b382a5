package embedded

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"strconv"
	"syscall"
)

// account is the operating system user that the server runs as. A nil *account is the user of this process.
type account struct {
	Name string `json:"name"`
	UID  uint32 `json:"uid"`
	GID  uint32 `json:"gid"`
}

// accountFor chooses the user for a cluster. PostgreSQL refuses to run as root, so root uses the owner of an existing
// cluster, else the distribution's user "postgres", else the system's unprivileged user.
func accountFor(cluster string) (*account, error) {
	if os.Geteuid() != 0 {
		return nil, nil //nolint:nilnil // nil is the user of this process
	}
	if owner, known := ownerOf(cluster); known {
		if owner.UID == 0 {
			return nil, fmt.Errorf("private PostgreSQL: %s belongs to root, and PostgreSQL refuses to run as root; "+
				"give it to another user (chown -R) or move it away", cluster)
		}
		return owner, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		if a, err := lookUp(name); err == nil {
			return a, nil
		}
	}
	return nil, errors.New("private PostgreSQL: started as root, but neither user postgres nor user nobody exists to run the server as")
}

func lookUp(name string) (*account, error) {
	u, err := user.Lookup(name)
	if err != nil {
		return nil, err
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	if err != nil {
		return nil, err
	}
	return &account{Name: name, UID: uint32(uid), GID: uint32(gid)}, nil
}

// ownerOf returns the owner of the file that path leads to.
func ownerOf(path string) (*account, bool) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, false
	}
	stat, isUnix := info.Sys().(*syscall.Stat_t)
	if !isUnix {
		return nil, false
	}
	a := &account{Name: strconv.Itoa(int(stat.Uid)), UID: stat.Uid, GID: stat.Gid}
	if u, err := user.LookupId(a.Name); err == nil {
		a.Name = u.Username
	}
	return a, true
}

// uid returns the user id that must own the server's files.
func (a *account) uid() uint32 {
	if a == nil {
		return uint32(os.Geteuid()) //nolint:gosec // a user id is never negative on Unix
	}
	return a.UID
}

// own makes the account the owner of a directory that this process has just created.
func (a *account) own(path string) error {
	if a == nil {
		return nil
	}
	return os.Lchown(path, int(a.UID), int(a.GID))
}

// credential returns the account for a child process, without supplementary groups, so that the child does not inherit
// root's.
func (a *account) credential() *syscall.Credential {
	if a == nil {
		return nil
	}
	return &syscall.Credential{Uid: a.UID, Gid: a.GID}
}
