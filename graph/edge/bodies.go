package edge

import (
	"context"
	"net/http"
	"sync"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/share"
)

// smallBody is the size in bytes up to which a body costs too little to be counted.
const smallBody = 64 << 10

// BodyBounds are how many bodies are held in memory at the same time, in all and for one seller (LIMIT-16).
type BodyBounds struct {
	// Large bodies have more than MaxBody bytes.
	Large, LargePerSeller int
	// Medium bodies have more than 64 KiB.
	Medium, MediumPerSeller int
	// Arriving bodies and files have more than MaxBody bytes and are kept in temporary files (LIMIT-26).
	Arriving, ArrivingPerSeller int
}

// Bodies bounds the memory that bodies take: each costs up to eight times its size until its request has ended.
type Bodies struct {
	large, medium, arriving *share.Shares
	// coming and nameless have more than 64 KiB and are in memory while they come in (LIMIT-28). Those of callers without a
	// credential have places of their own.
	coming, nameless *share.Shares
	// Held, if set, is told when the first body above 64 KiB is in memory, and when none is any more; Heavy is told the same
	// of heavy bytes of such bodies.
	Held, Heavy func(bool)

	mutex sync.Mutex
	// weight is how many bytes the bodies above 64 KiB in memory have.
	weight int
}

// heavy is how many bytes of bodies make enough garbage to be collected sooner: eight times as much is in use, and five times that
// in memory before garbage is collected as for small requests.
const heavy = 3 << 20

// keep counts a body of so many bytes that is in memory until its request has ended.
func (b *Bodies) keep(ctx context.Context, size int) {
	b.change(size)
	context.AfterFunc(ctx, func() { b.change(-size) })
}

func (b *Bodies) change(by int) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	before := b.weight
	b.weight += by
	if b.Held != nil && (before > 0) != (b.weight > 0) {
		b.Held(b.weight > 0)
	}
	if b.Heavy != nil && (before >= heavy) != (b.weight >= heavy) {
		b.Heavy(b.weight >= heavy)
	}
}

// NewBodies returns bounds that nothing has been taken from.
func NewBodies(bounds BodyBounds) *Bodies {
	return &Bodies{
		large:    share.New(share.Bounds{Total: bounds.Large, PerSeller: bounds.LargePerSeller, Wait: SharingBound}),
		medium:   share.New(share.Bounds{Total: bounds.Medium, PerSeller: bounds.MediumPerSeller, Wait: OrdinaryBound}),
		arriving: share.New(share.Bounds{Total: bounds.Arriving, PerSeller: bounds.ArrivingPerSeller, Wait: arrivingWait}),
		coming: share.New(share.Bounds{
			Total: comingForMedium * bounds.Medium, PerSeller: comingForMediumPerSeller * bounds.MediumPerSeller, Wait: OrdinaryBound,
		}),
		nameless: share.New(share.Bounds{
			Total: bounds.Medium, PerSeller: max(1, bounds.Medium/addressesAtLeast), Wait: OrdinaryBound,
		}),
	}
}

// How many bodies above 64 KiB come in, for each medium body that is worked on: senders are slower than the work.
const (
	comingForMedium          = 3
	comingForMediumPerSeller = 2
	// addressesAtLeast is how many addresses it takes to hold all places of callers without a credential.
	addressesAtLeast = 4
)

// arrivingWait is how long a body waits until it may be kept in a file.
const arrivingWait = 20 * time.Second

// bodyGate is the bounds, and the connection whose deadlines move when a request has waited.
type bodyGate struct {
	bodies  *Bodies
	control *http.ResponseController
}

// gateOf returns the bounds of a request; nil if there are none.
func gateOf(ctx context.Context) *bodyGate {
	found := matchOf(ctx)
	if found.bodies == nil {
		return nil
	}
	return &bodyGate{bodies: found.bodies, control: http.NewResponseController(found.writer)}
}

// come waits for the place of a body that is in memory while the rest of it comes in, and returns what gives it back. The wait is
// not at the expense of the sender, who has the given time for the rest.
func (g *bodyGate) come(ctx context.Context, rest time.Duration) (giveBack func(), err error) {
	if g == nil {
		return func() {}, nil
	}
	shares, payer := g.bodies.coming, share.PayerOf(domain.ActorOf(ctx))
	if actor := domain.ActorOf(ctx); actor.Kind == domain.Nobody && actor.SellerID == "" {
		shares, payer = g.bodies.nameless, share.Payer{Seller: "address " + ids.Seller(domain.CallOf(ctx).Network())}
	}
	began := time.Now()
	giveBack, err = takeFor(ctx, shares, payer)
	if time.Since(began) > noWait {
		_ = g.control.SetReadDeadline(time.Now().Add(rest))
		_ = g.control.SetWriteDeadline(time.Now().Add(rest + OrdinaryBound + answerBound))
	}
	return giveBack, err
}

// noWait is shorter than any wait that a sender would notice.
const noWait = 100 * time.Millisecond

// medium waits for the place of a body that has been read.
func (g *bodyGate) medium(ctx context.Context, size int) error {
	if g == nil {
		return nil
	}
	g.bodies.keep(ctx, size)
	return hold(ctx, g.bodies.medium)
}

// spool waits for the place of a body that is kept in a file while it comes in.
func (g *bodyGate) spool(ctx context.Context) error {
	if g == nil {
		return nil
	}
	return hold(ctx, g.bodies.arriving)
}

// arrives gives the sender of a large body its time.
func (g *bodyGate) arrives() {
	if g == nil {
		return
	}
	_ = g.control.SetReadDeadline(time.Now().Add(arrivalBound))
	_ = g.control.SetWriteDeadline(time.Now().Add(arrivalBound + arrivingWait + answerBound))
}

// large waits for the place of a body that has come in and is held in memory next.
func (g *bodyGate) large(ctx context.Context, size int) error {
	if g == nil {
		return nil
	}
	_ = g.control.SetReadDeadline(time.Time{}) // the server goes on reading, to notice a client that leaves
	_ = g.control.SetWriteDeadline(time.Now().Add(SharingBound + answerBound))
	err := hold(ctx, g.bodies.large)
	if err == nil {
		g.bodies.keep(ctx, size)
	}
	_ = g.control.SetWriteDeadline(time.Now().Add(progressBound + answerBound))
	return err
}

// hold takes a place until the request has ended: net/http ends its context then.
func hold(ctx context.Context, shares *share.Shares) error {
	giveBack, err := take(ctx, shares)
	if err == nil {
		context.AfterFunc(ctx, giveBack)
	}
	return err
}

// take waits for a place of the caller's share.
func take(ctx context.Context, shares *share.Shares) (giveBack func(), err error) {
	return takeFor(ctx, shares, share.PayerOf(domain.ActorOf(ctx)))
}

func takeFor(ctx context.Context, shares *share.Shares, payer share.Payer) (giveBack func(), err error) {
	giveBack, err = shares.Take(ctx, payer)
	if err != nil && ctx.Err() != nil {
		return nil, domain.Unavailable(err)
	}
	return giveBack, err
}
