package route

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"
)

const (
	// pollEvery is how often each cluster is asked for its epoch. trustedFor is how long the response is valid.
	pollEvery  = 300 * time.Millisecond
	trustedFor = time.Second
	// askBound is the time within which a cluster must respond.
	askBound = 2 * time.Second
	// maxPlaces is the capacity of the cache. A full cache is cleared.
	maxPlaces = 100_000
)

// places asks the clusters where sellers are. It caches the responses until the epoch of a cluster changes.
type places struct {
	clusters []Cluster
	client   *http.Client
	token    string

	mutex sync.Mutex
	// generation counts how often the cache was cleared. A response that belongs to an earlier generation is not
	// stored.
	generation uint64
	known      map[question]int
	epochs     []int64
	heard      []time.Time
}

// whereabouts is the response of /routez.
type whereabouts struct {
	Here    bool   `json:"here"`
	Cluster string `json:"cluster"`
	Epoch   int64  `json:"epoch"`
}

func newPlaces(clusters []Cluster, token string, client *http.Client) *places {
	return &places{
		clusters: clusters, client: client, token: token, known: map[question]int{},
		epochs: make([]int64, len(clusters)), heard: make([]time.Time, len(clusters)),
	}
}

// find returns the index of the cluster that answers a question, and whether it was cached. If no cluster knows the
// subject, it is the home cluster.
func (p *places) find(ctx context.Context, asked question) (cluster int, cached bool, err error) {
	if asked == (question{}) {
		return 0, false, nil
	}
	cluster, generation, cached := p.cached(asked)
	if cached {
		return cluster, true, nil
	}
	cluster, found, err := p.ask(ctx, asked)
	if err == nil && found {
		p.store(asked, cluster, generation)
	}
	return cluster, false, err
}

// ask asks the home cluster, which knows where all sellers are. A credential that it does not have is looked up in the
// other clusters.
func (p *places) ask(ctx context.Context, asked question) (cluster int, found bool, err error) {
	for i := range p.clusters {
		answer, err := p.call(ctx, i, asked)
		if err != nil {
			return 0, false, err
		}
		if answer.Here {
			return i, true, nil
		}
		if named := find(p.clusters, answer.Cluster); named >= 0 {
			return named, true, nil
		}
		if asked.kind == "seller" {
			break
		}
	}
	return 0, false, nil
}

// call sends a question to a cluster's /routez, and records the epoch in its response.
func (p *places) call(ctx context.Context, cluster int, asked question) (whereabouts, error) {
	ctx, cancel := context.WithTimeout(ctx, askBound)
	defer cancel()
	at := p.clusters[cluster].URL.JoinPath("routez")
	if asked.kind != "" {
		at.RawQuery = url.Values{asked.kind: {asked.value}}.Encode()
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return whereabouts{}, err
	}
	request.Header.Set("Authorization", "Bearer "+p.token)
	response, err := p.client.Do(request)
	if err != nil {
		return whereabouts{}, err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return whereabouts{}, fmt.Errorf("cluster %s: /routez returned status %d", p.clusters[cluster].Name, response.StatusCode)
	}
	var answer whereabouts
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return whereabouts{}, err
	}
	p.learn(cluster, answer.Epoch)
	return answer, nil
}

// learn records a cluster's epoch, and clears the cache if the epoch changed.
func (p *places) learn(cluster int, epoch int64) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.heard[cluster] = time.Now()
	if p.epochs[cluster] != epoch {
		p.epochs[cluster] = epoch
		p.generation++
		clear(p.known)
	}
}

func (p *places) cached(asked question) (cluster int, generation uint64, found bool) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	cluster, found = p.known[asked]
	return cluster, p.generation, found && time.Since(p.heard[cluster]) < trustedFor
}

func (p *places) store(asked question, cluster int, generation uint64) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.generation != generation {
		return
	}
	if len(p.known) >= maxPlaces {
		clear(p.known)
	}
	p.known[asked] = cluster
}

// forget removes a question from the cache.
func (p *places) forget(asked question) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	delete(p.known, asked)
}

// silent returns the names of clusters that have not responded for a while.
func (p *places) silent() []string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	var names []string
	for i, heard := range p.heard {
		if time.Since(heard) >= askBound+pollEvery {
			names = append(names, p.clusters[i].Name)
		}
	}
	return names
}

// poll asks every cluster for its epoch until ctx is done.
func (p *places) poll(ctx context.Context) {
	var polls sync.WaitGroup
	defer polls.Wait()
	for i := range p.clusters {
		polls.Go(func() {
			for ctx.Err() == nil {
				_, _ = p.call(ctx, i, question{}) // a cluster that doesn't respond is no longer trusted
				pause(ctx, pollEvery)
			}
		})
	}
}

// pause waits for the given time or until ctx is done.
func pause(ctx context.Context, wait time.Duration) {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
