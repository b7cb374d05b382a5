//go:build full

package webhooks

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"ticketgate/cmd/systemtest"
)

// failedOverWithin is how soon after the leader's death an event must be published and delivered again.
const failedOverWithin = 30 * time.Second

// The leader is killed ten times under load. Everything confirmed is on the synchronous standby, which takes over.
func TestFailoverLosesNothing(t *testing.T) {
	p := openPatroni(t, nil)
	p.losesNothing(t, 10, p.kill, p.run)
}

// losesNothing makes the leader fail and come back under load, several times. One process reaches the leader by a URL that
// names all nodes, the other by an HAProxy that asks Patroni for the leader.
func (p *patroni) losesNothing(t *testing.T, times int, fail, comeBack func(*patroniNode)) {
	t.Helper()
	settings := p.settings(p.url)
	byURL := systemtest.Serve(t, settings)
	byProxy := systemtest.Serve(t, p.settings(p.behindHAProxy()))
	l := openLedger(t, settings, p.url("ticketgate_app", "ticketgate"), systemtest.Seed(t, settings).Sellers[0])
	l.subscribe(t, byURL)
	p.diagnosed(settings)
	stopFirst, stopSecond := publishSteadily(t, l, "url", byURL), publishSteadily(t, l, "proxy", byProxy)
	for i := range times {
		l.awaitCalls(t, fmt.Sprintf("before failover %d", i+1), 50)
		leader := p.leader()
		if leader == nil {
			t.Fatal("no leader")
		}
		fail(leader)
		p.awaitFailover(t, l, byURL, byProxy, leader, i)
		comeBack(leader)
		p.awaitStandbys()
		p.diagnosed(settings)
	}
	stopFirst()
	stopSecond()
	l.delivered(t, time.Now().Add(systemtest.DeliveredWithin))
	t.Logf("%d deliveries", l.check(t))
}

// awaitFailover waits until both processes publish and deliver again after a leader has gone, and fails the test if that
// takes too long.
func (*patroni) awaitFailover(t *testing.T, l *ledger, byURL, byProxy *systemtest.Process, leader *patroniNode, number int) {
	t.Helper()
	gone := time.Now()
	backByURL, backByProxy := make(chan time.Duration, 1), make(chan time.Duration, 1)
	go func() { backByURL <- l.backAfter(gone, byURL, fmt.Sprintf("url-%d", number)) }()
	go func() { backByProxy <- l.backAfter(gone, byProxy, fmt.Sprintf("proxy-%d", number)) }()
	first, second := <-backByURL, <-backByProxy
	t.Logf("failover %d from %s: back after %v by the URL, %v by HAProxy", number+1, leader.name, first, second)
	if max(first, second) > failedOverWithin {
		t.Errorf("failover %d took longer than %v", number+1, failedOverWithin)
	}
}

// backAfter returns how long after a time a process has published an event that was delivered. It gives up after a minute.
func (l *ledger) backAfter(gone time.Time, at *systemtest.Process, prefix string) time.Duration {
	until := gone.Add(2 * failedOverWithin)
	for try := 0; time.Now().Before(until); try++ {
		probe := marks(fmt.Sprintf("%s-%d", prefix, try), 1)
		if !l.publish(at, probe) {
			<-time.After(publishEvery)
			continue
		}
		for l.count(func() int { return l.calls[probe[0]] }) == 0 && time.Now().Before(until) {
			<-time.After(5 * time.Millisecond)
		}
		break
	}
	return time.Since(gone)
}

// diagnosed checks that doctor agrees with Patroni.
func (p *patroni) diagnosed(settings []string) {
	p.t.Helper()
	leader := p.leader()
	var code int
	var report string
	for deadline := time.Now().Add(failedOverWithin); time.Now().Before(deadline); {
		code, report, _ = systemtest.Run(p.t, settings, "doctor")
		if code == 0 && strings.Count(report, "is a standby, ") == 2 && strings.Count(report, "is the primary") == 1 &&
			strings.Contains(report, leader.host+":"+leader.postgres+" is the primary") {
			return
		}
	}
	p.t.Errorf("doctor, while %s leads: %d %s", leader.name, code, report)
}

// behindHAProxy starts the HAProxy of docs/scaling.md in front of the nodes, and returns the database's URL through it.
func (p *patroni) behindHAProxy() (url func(role, database string) string) {
	p.t.Helper()
	address := "127.0.0.1:" + systemtest.FreePort(p.t)
	changes := []string{"127.0.0.1:5000", address}
	for i, node := range p.nodes {
		changes = append(changes, fmt.Sprintf("10.0.0.%d:5432 check port 8008", 21+i), node.host+":"+node.postgres+" check port "+node.rest)
	}
	log := systemtest.StartHAProxy(p.t, "listen postgresql", address, changes...)
	systemtest.Eventually(p.t, "HAProxy knows the standbys", func() bool { return strings.Count(log.String(), "is DOWN") == len(p.nodes)-1 })
	return func(role, database string) string {
		return "postgres://" + role + "@" + address + "/" + database + "?sslmode=disable"
	}
}
