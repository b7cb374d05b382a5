import { Container } from "@mantine/core";
import { lazy, Suspense, useDeferredValue, useEffect, useRef, useState } from "react";
import { createPath, useLocation, useNavigate, useNavigation } from "react-router";
import { Provider, useMutation, useQuery } from "urql";
import { ErrorState } from "../components/ErrorState";
import { failureOf } from "../components/failure";
import { isOpen } from "../pages";
import { clientOf, whileSignedIn } from "./client";
import { forgetCredentials } from "./credentials";
import { Frame } from "./Frame";
import { LogoutDocument, MeDocument } from "./me.generated";
import { chooseSeller, chosenSeller } from "./seller";
import { type Session, SessionContext } from "./session";
import { leaving, letGo, lost } from "./unsaved";
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
  const ended = useRef(() => {
    // Somebody who is at work signs in right there, and goes on.
    if (wasSignedIn.current && lost()) setEndedFor(wasSignedIn.current);
    else leave(wasSignedIn.current ? "expired" : undefined);
  }).current;
  useEffect(() => whileSignedIn(ended), [ended]);
  function switchTo(id: string | undefined) {
    chooseSeller(id);
    setSellerId(id);
  }
  return (
    <Provider value={clientOf(sellerId)} key={sellerId ?? ""}>
      <WithSession
        onSession={({ email }) => {
          wasSignedIn.current = email;
        }}
        onNobody={ended}
        onUnknownSeller={sellerId ? () => switchTo(undefined) : undefined}
        switchSeller={(id) =>
          leaving(() => {
            letGo();
            switchTo(id);
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

interface Props {
  onSession: (user: Session["user"]) => void;
  /** What to do when nobody is signed in and the page is not open to everybody. */
  onNobody: () => void;
  /** What to do when the seller that was chosen earlier is not the user's any more. */
  onUnknownSeller: (() => void) | undefined;
  switchSeller: (id: string) => void;
}

function WithSession({ onSession, onNobody, onUnknownSeller, switchSeller }: Props) {
  const navigate = useNavigate();
  const open = isOpen(useLocation().pathname);
  const [{ data: latest, error, fetching }, again] = useQuery({ query: MeDocument });
  // Deferred, all that a page shows at first is drawn in steps, between which the browser answers to the user.
  const data = useDeferredValue(latest);
  const [, logout] = useMutation(LogoutDocument);
  const code = error && failureOf(error).code;
  if (code === "NOT_FOUND" && onUnknownSeller) queueMicrotask(onUnknownSeller);
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
  onSession(data.me.user);
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
      leaving(() => {
        letGo();
        forgetCredentials();
        void logout({}).then(() => navigate("/login?reason=out", { replace: true }));
      }),
  };
  return (
    <SessionContext value={session}>
      <Frame />
    </SessionContext>
  );
}
