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

// smallBody is the size in bytes up to which bodies are not counted.
const smallBody = 64 << 10

// BodyBounds are the maximum numbers of bodies in memory at a time, in all and per seller (LIMIT-16).
type BodyBounds struct {
	// Large bodies have more than MaxBody bytes.
	Large, LargePerSeller int
	// Medium bodies have more than 64 KiB.
	Medium, MediumPerSeller int
	// Arriving bodies and files have more than MaxBody bytes and are received into temporary files (LIMIT-26).
	Arriving, ArrivingPerSeller int
}

// Bodies bounds the memory for bodies. Each body takes up to eight times its size until its request has ended.
type Bodies struct {
	large, medium, arriving *share.Shares
	// coming and nameless limit bodies of more than 64 KiB while they are received into memory (LIMIT-28). Callers
	// without a credential have separate slots.
	coming, anonymous *share.Shares
	// Held, if set, is called with true when the first body above 64 KiB is in memory, and with false when none is left.
	// Heavy is called in the same way for a total of heavy bytes.
	Held, Heavy func(bool)

	mutex sync.Mutex
	// weight is the total size of the bodies above 64 KiB in memory, in bytes.
	weight int
}

// heavy is the total size of bodies, in bytes, from which garbage is collected sooner. Eight times as much is in use,
// and another five times that would accumulate with the garbage collector's setting for small requests.
const heavy = 1 << 20

// keep counts a body of the given size until its request has ended.
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

// NewBodies returns bounds with all slots free.
func NewBodies(bounds BodyBounds) *Bodies {
	return &Bodies{
		large:    share.New(share.Bounds{Total: bounds.Large, PerSeller: bounds.LargePerSeller, Wait: SharingBound}),
		medium:   share.New(share.Bounds{Total: bounds.Medium, PerSeller: bounds.MediumPerSeller, Wait: OrdinaryBound}),
		arriving: share.New(share.Bounds{Total: bounds.Arriving, PerSeller: bounds.ArrivingPerSeller, Wait: arrivingWait}),
		coming: share.New(share.Bounds{
			Total: comingForMedium * bounds.Medium, PerSeller: comingForMediumPerSeller * bounds.MediumPerSeller, Wait: OrdinaryBound,
		}),
		anonymous: share.New(share.Bounds{
			Total: bounds.Medium, PerSeller: max(1, bounds.Medium/addressesAtLeast), Wait: OrdinaryBound,
		}),
	}
}

// Bodies above 64 KiB that can be received for each medium body that can be processed. Senders are slower than the
// processing.
const (
	comingForMedium          = 3
	comingForMediumPerSeller = 2
	// addressesAtLeast is the minimum number of addresses needed to occupy all slots of callers without a credential.
	addressesAtLeast = 4
)

// arrivingWait is the maximum wait of a body for a temporary file.
const arrivingWait = 20 * time.Second

// bodyGate holds the bounds, and the connection whose deadlines are extended after a wait.
type bodyGate struct {
	bodies  *Bodies
	control *http.ResponseController
}

// gateOf returns the gate of a request, or nil if there are no bounds.
func gateOf(ctx context.Context) *bodyGate {
	found := matchOf(ctx)
	if found.bodies == nil {
		return nil
	}
	return &bodyGate{bodies: found.bodies, control: http.NewResponseController(found.writer)}
}

// come waits for a slot for a body that is received into memory. The returned function releases the slot. The wait does
// not count against the sender, who has the time rest for the remaining body.
func (g *bodyGate) come(ctx context.Context, rest time.Duration) (giveBack func(), err error) {
	if g == nil {
		return func() {}, nil
	}
	shares, payer := g.bodies.coming, share.PayerOf(domain.ActorOf(ctx))
	if actor := domain.ActorOf(ctx); actor.Kind == domain.Nobody && actor.SellerID == "" {
		shares, payer = g.bodies.anonymous, share.Payer{Seller: "address " + ids.Seller(domain.CallOf(ctx).Network())}
	}
	started := time.Now()
	giveBack, err = takeFor(ctx, shares, payer)
	if time.Since(started) > noWait {
		_ = g.control.SetReadDeadline(time.Now().Add(rest))
		_ = g.control.SetWriteDeadline(time.Now().Add(rest + OrdinaryBound + answerBound))
	}
	return giveBack, err
}

// noWait is a duration that no sender would notice as a wait.
const noWait = 100 * time.Millisecond

// medium waits for a slot for a body that has been received.
func (g *bodyGate) medium(ctx context.Context, size int) error {
	if g == nil {
		return nil
	}
	g.bodies.keep(ctx, size)
	return hold(ctx, g.bodies.medium)
}

// spool waits for a slot for a body that is received into a file.
func (g *bodyGate) spool(ctx context.Context) error {
	if g == nil {
		return nil
	}
	return hold(ctx, g.bodies.arriving)
}

// starts sets the deadline for receiving an ordinary body.
func (g *bodyGate) starts() {
	_ = g.control.SetReadDeadline(time.Now().Add(ordinaryArrival)) // without a connection, there is no deadline
}

// arrives sets the deadline for receiving a large body.
func (g *bodyGate) arrives() {
	if g == nil {
		return
	}
	_ = g.control.SetReadDeadline(time.Now().Add(arrivalBound))
	_ = g.control.SetWriteDeadline(time.Now().Add(arrivalBound + arrivingWait + answerBound))
}

// large waits for a slot for a received body before it is loaded into memory.
func (g *bodyGate) large(ctx context.Context, size int) error {
	if g == nil {
		return nil
	}
	_ = g.control.SetReadDeadline(time.Time{}) // the server keeps reading to detect a client that disconnects
	_ = g.control.SetWriteDeadline(time.Now().Add(SharingBound + answerBound))
	err := hold(ctx, g.bodies.large)
	if err == nil {
		g.bodies.keep(ctx, size)
	}
	_ = g.control.SetWriteDeadline(time.Now().Add(progressBound + answerBound))
	return err
}

// hold occupies a slot until the request has ended, when net/http ends its context.
func hold(ctx context.Context, shares *share.Shares) error {
	giveBack, err := take(ctx, shares)
	if err == nil {
		context.AfterFunc(ctx, giveBack)
	}
	return err
}

// take waits for a slot from the caller's share.
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
