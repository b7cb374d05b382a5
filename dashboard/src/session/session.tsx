import { createContext, useContext } from "react";
import type { MeQuery, Role } from "./me.generated";

export type { Role };

export type Seller = MeQuery["sellers"]["nodes"][number];

/** How the user ended the session: in this browser, or everywhere. */
export type EndReason = "out" | "everywhere";

/** The signed-in user and the context of the session. */
export interface Session {
  user: NonNullable<MeQuery["me"]["user"]>;
  /** The seller that pages act on; undefined for a user without one. */
  seller: Seller | undefined;
  sellers: Seller[];
  role: Role | undefined;
  memberships: NonNullable<MeQuery["me"]["memberships"]>;
  mode: string;
  /** How many days events and deliveries are kept. */
  retentionDays: number;
  switchSeller: (id: string) => void;
  signOut: () => void;
  /** Goes to the sign-in page after this tab has ended the session, and clears its data. */
  signedOut: (reason: EndReason) => Promise<void>;
  /** Loads the session again, after a setting of the seller has changed. */
  refresh: () => void;
}

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error("this page requires a session");
  return session;
}

/** Reports whether this is a production server. In production, requests to internal addresses are rejected. */
export function useProduction(): boolean {
  return useSession().mode === "prod";
}

export type Organization = NonNullable<Session["memberships"][number]["organization"]>;

/** Returns the organizations in which the user is an administrator and may create sellers. */
export function useAdministered(): Organization[] {
  return useSession().memberships.flatMap(({ role, organization }) =>
    role === "ADMIN" && organization ? [organization] : [],
  );
}

/** The roles in ascending order. Each includes the previous ones. Pages only hide what the server would reject. */
const roles: Role[] = ["VIEWER", "MANAGER", "DEVELOPER", "ADMIN"];

/** Returns the label of a role. */
export function roleWord(role: Role): string {
  return role.charAt(0) + role.slice(1).toLowerCase();
}

export function includesRole(role: Role | undefined, needed: Role | undefined): boolean {
  return !needed || (role !== undefined && roles.indexOf(role) >= roles.indexOf(needed));
}

/** Reports whether the user has at least the given role at the seller. */
export function useMay(needed: Role | undefined): boolean {
  return includesRole(useSession().role, needed);
}
