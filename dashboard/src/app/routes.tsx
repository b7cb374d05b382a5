import { Lock } from "lucide-react";
import { type ComponentType, use } from "react";
import { createBrowserRouter, type RouteObject } from "react-router";
import { EmptyState } from "../components/EmptyState";
import { idAt } from "../lib/address";
import { NoSeller } from "../pages/sellers/NoSeller";
import { currentClient } from "../session/client";
import { type Asks, askEarly } from "../session/early";
import { MeDocument } from "../session/me.generated";
import { includesRole, type Role, roleWord, SessionContext } from "../session/session";
import { type PageRoute, pages } from "./pages";
import { RouteError } from "./RouteError";
import SignedIn from "./SignedIn";

/** Shows a page to users with the required role. The server enforces it too. */
function guarded(Component: ComponentType, { role, open }: PageRoute) {
  return function Guarded() {
    const session = use(SessionContext);
    if (open || (session && includesRole(session.role, role))) return <Component />;
    if (session && !session.seller) return <NoSeller />;
    return (
      <EmptyState
        icon={Lock}
        title="You don't have access to this page"
        text={`This page requires the role ${said(role)}. Your role is ${said(session?.role)}. Ask an administrator to change it.`}
      />
    );
  };
}

const said = (role: Role | undefined) => (role ? roleWord(role) : "none");

function route(page: PageRoute): RouteObject {
  return {
    path: page.path,
    lazy: async () => {
      const { default: Component, asks } = await page.load();
      return { Component: guarded(Component, page), ...(asks && early(asks)) };
    },
  };
}

/** Starts the queries of a page without waiting for them. The page itself shows loading states and errors. */
function early(asks: Asks): Pick<RouteObject, "loader" | "shouldRevalidate"> {
  return {
    loader({ request }) {
      const { pathname, searchParams } = new URL(request.url);
      askEarly(currentClient(), asks({ id: idAt(pathname), search: searchParams }));
      return null;
    },
    shouldRevalidate: () => false,
  };
}

const alone = (
  <main>
    <RouteError />
  </main>
);

/** The routes of all pages. An unknown address shows the not-found page in the frame. */
export const router = createBrowserRouter([
  {
    path: "/login",
    errorElement: alone,
    lazy: async () => ({ Component: (await import("../pages/login/LoginPage")).default }),
    HydrateFallback: () => null,
  },
  {
    path: "/invitation",
    errorElement: alone,
    lazy: async () => ({ Component: (await import("../pages/invitation/InvitationPage")).default }),
    HydrateFallback: () => null,
  },
  {
    path: "/reset-password",
    errorElement: alone,
    lazy: async () => ({ Component: (await import("../pages/reset/ResetPasswordPage")).default }),
    HydrateFallback: () => null,
  },
  {
    element: <SignedIn />,
    ...early(() => [{ query: MeDocument }]),
    errorElement: alone,
    HydrateFallback: () => null,
    children: [{ errorElement: <RouteError />, children: pages.map(route) }],
  },
]);
