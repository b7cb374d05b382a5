import { createContext, useContext } from "react";
import type { MeQuery, Role } from "./me.generated";

export type { Role };

export type Seller = MeQuery["sellers"]["nodes"][number];

/** How somebody has ended the session: here, or all that they had. */
export type EndReason = "out" | "everywhere";

/** Who is signed in, and where. */
export interface Session {
  user: NonNullable<MeQuery["me"]["user"]>;
  /** The seller that pages act on; absent for a user who belongs to none. */
  seller: Seller | undefined;
  sellers: Seller[];
  role: Role | undefined;
  memberships: NonNullable<MeQuery["me"]["memberships"]>;
  mode: string;
  /** For how many days events and deliveries are kept. */
  retentionDays: number;
  switchSeller: (id: string) => void;
  signOut: () => void;
  /** Leaves for the login once the session has been ended by this tab, which leaves nothing to the next person. */
  signedOut: (reason: EndReason) => Promise<void>;
  /** Asks anew who this is: after a setting of the seller was changed. */
  refresh: () => void;
}

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error("this page is shown to people who are signed in");
  return session;
}

/** Whether this installation is in production, which never calls itself, nor any other internal address. */
export function useProduction(): boolean {
  return useSession().mode === "prod";
}

export type Organization = NonNullable<Session["memberships"][number]["organization"]>;

/** The organizations that the signed-in user is an administrator of, and may create sellers in. */
export function useAdministered(): Organization[] {
  return useSession().memberships.flatMap(({ role, organization }) =>
    role === "ADMIN" && organization ? [organization] : [],
  );
}

/** In ascending order, each including the ones before it. The server decides; pages only leave out what it would refuse. */
const roles: Role[] = ["VIEWER", "MANAGER", "DEVELOPER", "ADMIN"];

/** A role as people write it. */
export function roleWord(role: Role): string {
  return role.charAt(0) + role.slice(1).toLowerCase();
}

export function includesRole(role: Role | undefined, needed: Role | undefined): boolean {
  return !needed || (role !== undefined && roles.indexOf(role) >= roles.indexOf(needed));
}

/** Whether the signed-in user has at least a role at the seller, if one is needed. */
export function useMay(needed: Role | undefined): boolean {
  return includesRole(useSession().role, needed);
}
