//go:build linux

package embedded_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"ticketgate/db/embedded"
)

func TestKilledParent(t *testing.T) {
	dir := seeded(t)
	p := launch(t, dir, nil)
	url := p.mustServe(t)
	run(t, url, "create table kept as select 'still here' as text")
	postmaster, supervisor := postmasterOf(t, dir)
	ends := []ending{watch(t, postmaster), watch(t, supervisor)}
	check(t, p.cmd.Process.Kill())
	for i, e := range ends {
		e.await(t, []string{"postgres", "the supervisor"}[i])
	}
	mustBeQuiet(t, filepath.Join(dir, "postgres"), url)
	s := start(t, embedded.Config{DataDir: dir})
	if got := value(t, s.OwnerURL(), "select text from kept"); got != "still here" {
		t.Errorf("got %q", got)
	}
}

func TestStartRightAfterAKill(t *testing.T) {
	dir := seeded(t)
	p := launch(t, dir, nil)
	p.mustServe(t)
	check(t, p.cmd.Process.Kill())
	_ = p.cmd.Wait()
	// The old server may still be stopping. Start waits for it.
	s := start(t, embedded.Config{DataDir: dir})
	if got := value(t, s.OwnerURL(), "select 'works'"); got != "works" {
		t.Errorf("got %q", got)
	}
}

func TestKilledServer(t *testing.T) {
	dir := seeded(t)
	kill := map[string]func(postmaster, supervisor int) int{
		"supervisor":     func(_, supervisor int) int { return supervisor },
		"server process": func(postmaster, _ int) int { return postmaster },
	}
	for name, victim := range kill {
		t.Run("ends everything and recovers when the "+name+" is killed", func(t *testing.T) {
			s := start(t, embedded.Config{DataDir: dir, Fsync: true})
			run(t, s.OwnerURL(), "create table if not exists kept (text text); insert into kept values ('"+name+"')")
			postmaster, supervisor := postmasterOf(t, dir)
			ends := watch(t, postmaster)
			check(t, syscall.Kill(victim(postmaster, supervisor), syscall.SIGKILL))
			ends.await(t, "postgres")
			select {
			case <-s.Done():
			case <-time.After(bound):
				t.Fatal("Done is not closed")
			}
			if s.Err() == nil {
				t.Error("Err is nil")
			}
			stop(t, s)
			again := start(t, embedded.Config{DataDir: dir, Fsync: true})
			if got := value(t, again.OwnerURL(), "select text from kept where text = '"+name+"'"); got != name {
				t.Errorf("got %q", got)
			}
			stop(t, again)
			mustBeQuiet(t, filepath.Join(dir, "postgres"), again.OwnerURL())
		})
	}
}

func TestSignals(t *testing.T) {
	dir := seeded(t)
	s := start(t, embedded.Config{DataDir: dir})
	postmaster, supervisor := postmasterOf(t, dir)
	t.Run("is outside the terminal's process group", func(t *testing.T) {
		for _, pid := range []int{postmaster, supervisor} {
			if group, err := syscall.Getpgid(pid); err != nil || group == syscall.Getpgrp() {
				t.Errorf("process %d is in the caller's group (%v)", pid, err)
			}
		}
	})
	t.Run("keeps running when the supervisor gets a signal, since the parent drains first", func(t *testing.T) {
		for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
			check(t, syscall.Kill(supervisor, signal))
		}
		if got := value(t, s.OwnerURL(), "select 'works'"); got != "works" {
			t.Errorf("got %q", got)
		}
	})
}

func TestReusedProcessNumber(t *testing.T) {
	dir := seeded(t)
	s := start(t, embedded.Config{DataDir: dir, Fsync: true}) // without it, the last commits need not survive
	run(t, s.OwnerURL(), "create table kept as select 'still here' as text")
	postmaster, supervisor := postmasterOf(t, dir)
	pidFile := filepath.Join(dir, "postgres", "postmaster.pid")
	left, err := os.ReadFile(pidFile)
	check(t, err)
	owner := userOf(t, postmaster)
	check(t, syscall.Kill(supervisor, syscall.SIGSTOP)) // so that it can't clean up
	check(t, syscall.Kill(postmaster, syscall.SIGKILL))
	check(t, syscall.Kill(supervisor, syscall.SIGKILL))
	stop(t, s)

	// The number now belongs to another process of the same user.
	bystander := exec.CommandContext(t.Context(), "cat")
	input, err := bystander.StdinPipe()
	check(t, err)
	defer input.Close()
	bystander.Dir = "/"
	if os.Geteuid() == 0 {
		bystander.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: owner, Gid: owner}}
	}
	check(t, bystander.Start())
	number := strconv.Itoa(bystander.Process.Pid)
	_, rest, _ := strings.Cut(string(left), "\n")
	check(t, os.WriteFile(pidFile, []byte(number+"\n"+rest), 0o600))
	lock := filepath.Join(socketDirOf(t, s.OwnerURL()), ".s.PGSQL.5432.lock")
	check(t, os.WriteFile(lock, []byte(number+"\n"+rest), 0o600))
	for _, path := range []string{pidFile, lock} {
		check(t, os.Lchown(path, int(owner), -1))
	}

	again := start(t, embedded.Config{DataDir: dir})
	if got := value(t, again.OwnerURL(), "select text from kept"); got != "still here" {
		t.Errorf("got %q", got)
	}
	check(t, syscall.Kill(bystander.Process.Pid, 0))
}

func TestForeignServer(t *testing.T) {
	dir := seeded(t)
	s := start(t, embedded.Config{DataDir: dir})
	url := s.OwnerURL()
	check(t, os.Remove(filepath.Join(dir, "postgres.lock")))
	check(t, os.Remove(filepath.Join(dir, "postgres.alive")))
	// Without the locks, the running server looks like one that was started manually.
	_, err := embedded.Start(t.Context(), embedded.Config{DataDir: dir})
	postmaster, _ := postmasterOf(t, dir)
	if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("process %d", postmaster)) {
		t.Errorf("got %v", err)
	}
	if got := value(t, url, "select 'works'"); got != "works" {
		t.Errorf("got %q", got)
	}
}

func TestInterruptedInitialization(t *testing.T) {
	dir := dataDir(t)
	unfinished := filepath.Join(dir, "postgres.unfinished")
	t.Run("leaves nothing behind when canceled", func(t *testing.T) {
		seen := created(t, dir, "postgres.unfinished")
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			seen()
			cancel()
		}()
		if _, err := embedded.Start(ctx, embedded.Config{DataDir: dir}); !errors.Is(err, context.Canceled) {
			t.Fatalf("got %v", err)
		}
		if isThere(unfinished) || isThere(filepath.Join(dir, "postgres")) {
			t.Error("a process or file is left")
		}
	})
	t.Run("leaves no cluster when parent and supervisor are killed, and the next start makes one", func(t *testing.T) {
		seen := created(t, dir, "postgres.unfinished")
		p := launch(t, dir, nil)
		seen()
		supervisor := childOf(t, p.cmd.Process.Pid)
		check(t, syscall.Kill(supervisor, syscall.SIGKILL))
		check(t, p.cmd.Process.Kill())
		_ = p.cmd.Wait()
		if isThere(filepath.Join(dir, "postgres")) || !isThere(unfinished) {
			t.Fatal("initialisation was over before the kill")
		}
		s := start(t, embedded.Config{DataDir: dir})
		if got := value(t, s.OwnerURL(), "select 'works'"); got != "works" {
			t.Errorf("got %q", got)
		}
		if isThere(unfinished) {
			t.Error("the unfinished cluster still exists")
		}
	})
}

// childOf returns the only child of a process.
func childOf(t *testing.T, pid int) int {
	t.Helper()
	lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	check(t, err)
	for _, list := range lists {
		text, err := os.ReadFile(list)
		check(t, err)
		var child int
		if _, err := fmt.Sscan(string(text), &child); err == nil {
			return child
		}
	}
	t.Fatal("no child")
	return 0
}
