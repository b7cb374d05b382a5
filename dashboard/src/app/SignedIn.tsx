import { Container } from "@mantine/core";
import { lazy, Suspense, useDeferredValue, useEffect, useRef, useState } from "react";
import { createPath, useLocation, useNavigate, useNavigation } from "react-router";
import { Provider, useMutation, useQuery } from "urql";
import { ErrorState } from "../components/ErrorState";
import { showFailure } from "../components/useAction";
import { failureOf } from "../lib/failure";
import { actOn, clientOf, whileSignedIn } from "../session/client";
import { forgetCredentials } from "../session/credentials";
import { LogoutDocument, MeDocument } from "../session/me.generated";
import { chooseAs, chooseSeller, chosenSeller, forgetSeller, keepSeller, lendSeller } from "../session/seller";
import { type EndReason, type Session, SessionContext } from "../session/session";
import { onTold, tellTabs } from "../session/tabs";
import { leaving, letGo, lost } from "../session/unsaved";
import { Frame } from "./Frame";
import { isOpen } from "./pages";
import { VisitorFrame } from "./VisitorFrame";

const SignInAgain = lazy(() => import("../pages/login/SignInAgain"));

/** Everything behind the login: who is signed in, acting on which seller. */
export default function SignedIn() {
  const navigate = useNavigate();
  const location = useLocation();
  const { location: next } = useNavigation();
  const [sellerId, setSellerId] = useState(chosenSeller);
  const here = useRef("");
  // Somebody who is on the way to another page comes back to that one.
  here.current = createPath(next && next.pathname !== "/login" ? next : location);
  const wasSignedIn = useRef<string>(undefined);
  const [endedFor, setEndedFor] = useState<string>();

  const leave = useRef((reason: string | undefined) => {
    if (isOpen(window.location.pathname)) return;
    const search = new URLSearchParams();
    if (reason) search.set("reason", reason);
    if (here.current !== "/") search.set("next", here.current);
    void navigate(`/login?${search}`, { replace: true });
  }).current;
  const signingOut = useRef(false);
  const signedOut = useRef(async (reason: EndReason) => {
    signingOut.current = true;
    letGo();
    forgetCredentials();
    await navigate(`/login?reason=${reason}`, { replace: true });
    signingOut.current = window.location.pathname === "/login"; // somebody may have gone to another page meanwhile
    tellTabs();
  }).current;
  const ended = useRef(() => {
    if (signingOut.current) return; // calls that were under way are answered too, and say what is known
    // Somebody who is at work signs in right there, and goes on.
    if (wasSignedIn.current && lost()) setEndedFor(wasSignedIn.current);
    else leave(wasSignedIn.current ? "expired" : undefined);
  }).current;
  useEffect(() => whileSignedIn(ended), [ended]);
  useLending();
  const begun = useRef(({ _id, email }: Session["user"], seller: string | undefined) => {
    chooseAs(_id);
    if (wasSignedIn.current && wasSignedIn.current !== email) return startOver();
    wasSignedIn.current = email;
    if (!seller) return;
    keepSeller(seller);
    actOn(seller);
  }).current;
  function withoutSeller() {
    forgetSeller();
    if (wasSignedIn.current) startOver();
    else setSellerId(undefined);
  }
  return (
    <Provider value={clientOf(sellerId)} key={sellerId ?? ""}>
      <WithSession
        onSession={begun}
        onNobody={ended}
        onUnknownSeller={withoutSeller}
        signedOut={signedOut}
        switchSeller={(id) =>
          leaving(() => {
            letGo();
            chooseSeller(id);
            setSellerId(id);
            void navigate("/");
          })
        }
      />
      {endedFor && (
        <Suspense>
          <SignInAgain
            email={endedFor}
            onDone={() => setEndedFor(undefined)}
            onLeave={() => {
              letGo();
              leave("expired");
            }}
          />
        </Suspense>
      )}
    </Provider>
  );
}

/** Begins anew where another tab has signed in somebody else: nothing of the one before stays, in sight or in memory. */
function startOver() {
  letGo();
  window.location.replace("/");
}

/** Has what is opened in a new tab from here begin with this tab's seller. */
function useLending() {
  useEffect(() => {
    const actions = ["pointerdown", "keydown"];
    for (const action of actions) window.addEventListener(action, lendSeller, true);
    return () => {
      for (const action of actions) window.removeEventListener(action, lendSeller, true);
    };
  }, []);
}

interface Props {
  onSession: (user: Session["user"], seller: string | undefined) => void;
  /** What to do when nobody is signed in and the page is not open to everybody. */
  onNobody: () => void;
  /** What to do when the seller that was chosen earlier is not the user's, or not any more. */
  onUnknownSeller: () => void;
  signedOut: Session["signedOut"];
  switchSeller: (id: string) => void;
}

function WithSession({ onSession, onNobody, onUnknownSeller, signedOut, switchSeller }: Props) {
  const open = isOpen(useLocation().pathname);
  const [{ data: latest, error, fetching }, again] = useQuery({ query: MeDocument });
  // Deferred, all that a page shows at first is drawn in steps, between which the browser answers to the user.
  const data = useDeferredValue(latest);
  const [, logout] = useMutation(LogoutDocument);
  const code = error && failureOf(error).code;
  const unknownSeller = useRef(onUnknownSeller);
  unknownSeller.current = onUnknownSeller;
  useEffect(() => {
    if (code === "NOT_FOUND") unknownSeller.current();
  }, [code]);
  useEffect(() => onTold(() => again({ requestPolicy: "network-only" })), [again]);
  const user = latest?.me.user;
  const seller = latest?.me.seller?._id;
  useEffect(() => {
    if (user) onSession(user, seller);
  }, [user, seller, onSession]);
  const nobody = code === "UNAUTHENTICATED";
  useEffect(() => {
    if (nobody && !open) onNobody();
  }, [nobody, open, onNobody]);

  if (!data?.me.user) {
    if (nobody && open) return <VisitorFrame />;
    if (error && !fetching && !nobody && code !== "NOT_FOUND") {
      return (
        <Container size="xs" py="xl" component="main">
          <ErrorState error={error} onRetry={again} />
        </Container>
      );
    }
    return null; // what is seen first of all stays (main.css)
  }
  const session: Session = {
    user: data.me.user,
    seller: data.me.seller ?? undefined,
    sellers: data.sellers.nodes,
    role: data.me.role ?? undefined,
    memberships: data.me.memberships ?? [],
    mode: data.me.mode,
    retentionDays: data.me.retentionDays,
    switchSeller,
    refresh: () => again({ requestPolicy: "network-only" }),
    signOut: () =>
      leaving(async () => {
        const { error } = await logout({});
        const failure = error && failureOf(error);
        if (failure && failure.code !== "UNAUTHENTICATED") return showFailure(failure, "You are still signed in");
        await signedOut("out");
      }),
    signedOut,
  };
  return (
    <SessionContext value={session}>
      <Frame />
    </SessionContext>
  );
}
