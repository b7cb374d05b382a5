import { Container } from "@mantine/core";
import { lazy, Suspense, useDeferredValue, useEffect, useRef, useState } from "react";
import { createPath, useLocation, useNavigate, useNavigation } from "react-router";
import { Provider, useMutation, useQuery } from "urql";
import { ErrorState } from "../components/ErrorState";
import { keepMessages, showFailure, showKeptMessages } from "../components/useAction";
import { failureOf } from "../lib/failure";
import { actOn, clientOf, whileSignedIn } from "../session/client";
import { forgetCredentials } from "../session/credentials";
import { LogoutDocument, MeDocument } from "../session/me.generated";
import { chooseSeller, chosenSeller, forgetSeller, keepSeller, setUser, shareSeller } from "../session/seller";
import { type EndReason, type Session, SessionContext } from "../session/session";
import { notifyTabs, onNotified } from "../session/tabs";
import { discardUnsaved, leaving, lost } from "../session/unsaved";
import { Frame } from "./Frame";
import { isOpen } from "./pages";
import { VisitorFrame } from "./VisitorFrame";

const SignInAgain = lazy(() => import("../pages/login/SignInAgain"));

/** Everything that requires a session, for the seller that the user acts on. */
export default function SignedIn() {
  const navigate = useNavigate();
  const location = useLocation();
  const { location: next } = useNavigation();
  const [sellerId, setSellerId] = useState(chosenSeller);
  const here = useRef("");
  // A user on the way to another page returns to that page after signing in.
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
    discardUnsaved();
    forgetCredentials();
    await navigate(`/login?reason=${reason}`, { replace: true });
    signingOut.current = window.location.pathname === "/login"; // the user may have opened another page in the meantime
    notifyTabs();
  }).current;
  const ended = useRef(() => {
    if (signingOut.current) return; // pending requests now fail too; the reason is already known
    // A user with unsaved changes signs in on the spot and keeps them.
    if (wasSignedIn.current && lost()) setEndedFor(wasSignedIn.current);
    else leave(wasSignedIn.current ? "expired" : undefined);
  }).current;
  useEffect(() => whileSignedIn(ended), [ended]);
  useEffect(showKeptMessages, []);
  useSellerHandover();
  const started = useRef(({ _id, email }: Session["user"], seller: string | undefined) => {
    setUser(_id);
    if (wasSignedIn.current && wasSignedIn.current !== email) return startOver();
    wasSignedIn.current = email;
    if (!seller) return;
    keepSeller(seller);
    actOn(seller);
  }).current;
  function withoutSeller() {
    forgetSeller();
    if (!wasSignedIn.current) return setSellerId(undefined);
    keepMessages();
    startOver();
  }
  return (
    <Provider value={clientOf(sellerId)} key={sellerId ?? ""}>
      <WithSession
        onSession={started}
        onNoSession={ended}
        onUnknownSeller={withoutSeller}
        signedOut={signedOut}
        switchSeller={(id) =>
          leaving(() => {
            discardUnsaved();
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
              discardUnsaved();
              leave("expired");
            }}
          />
        </Suspense>
      )}
    </Provider>
  );
}

/** Reloads the page, so that no data of the previous user or seller stays in memory. */
function startOver() {
  discardUnsaved();
  window.location.replace("/");
}

/** Makes tabs opened from this one start with its seller. */
function useSellerHandover() {
  useEffect(() => {
    const actions = ["pointerdown", "keydown"];
    for (const action of actions) window.addEventListener(action, shareSeller, true);
    return () => {
      for (const action of actions) window.removeEventListener(action, shareSeller, true);
    };
  }, []);
}

interface Props {
  onSession: (user: Session["user"], seller: string | undefined) => void;
  /** Called if there is no session and the page requires one. */
  onNoSession: () => void;
  /** Called if the remembered seller does not exist for this user. */
  onUnknownSeller: () => void;
  signedOut: Session["signedOut"];
  switchSeller: (id: string) => void;
}

function WithSession({ onSession, onNoSession, onUnknownSeller, signedOut, switchSeller }: Props) {
  const open = isOpen(useLocation().pathname);
  const [{ data: latest, error, fetching }, again] = useQuery({ query: MeDocument });
  // Deferred, so that the first render of a page can be interrupted and input stays responsive.
  const data = useDeferredValue(latest);
  const [, logout] = useMutation(LogoutDocument);
  const code = error && failureOf(error).code;
  const unknownSeller = useRef(onUnknownSeller);
  unknownSeller.current = onUnknownSeller;
  useEffect(() => {
    if (code === "NOT_FOUND") unknownSeller.current();
  }, [code]);
  useEffect(() => onNotified(() => again({ requestPolicy: "network-only" })), [again]);
  const user = latest?.me.user;
  const seller = latest?.me.seller?._id;
  useEffect(() => {
    if (user) onSession(user, seller);
  }, [user, seller, onSession]);
  const noSession = code === "UNAUTHENTICATED";
  useEffect(() => {
    if (noSession && !open) onNoSession();
  }, [noSession, open, onNoSession]);

  if (!data?.me.user) {
    if (noSession && open) return <VisitorFrame />;
    if (error && !fetching && !noSession && code !== "NOT_FOUND") {
      return (
        <Container size="xs" py="xl" component="main">
          <ErrorState error={error} onRetry={again} />
        </Container>
      );
    }
    return null; // the initial screen stays visible (main.css)
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
