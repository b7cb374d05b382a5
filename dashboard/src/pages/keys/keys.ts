import type { States } from "../../lib/states";
import type { KeyFieldsFragment, KeysQuery } from "./keys.generated";

export type Key = KeyFieldsFragment;

/** A key with its creator. */
export type ReadKey = KeysQuery["keys"]["nodes"][number];

const creators = { USER: "User", APP: "App", API_KEY: "API key", SYSTEM: "Platform" };

/** Returns the name of a key's creator if the reader may see it, otherwise the kind of creator. */
export function creatorOf({ creatorName, createdBy }: Pick<ReadKey, "creatorName" | "createdBy">): string {
  return creatorName ?? creators[createdBy.type];
}

export type KeyState = "active" | "expired" | "inactive";

/** The statuses of a key, for filters and pills. */
export const keyStates: States<KeyState> = {
  active: { tone: "good", label: "Active", explanation: "Requests with this key are accepted." },
  expired: { tone: "warning", label: "Expired", explanation: "The key has expired. Its requests are rejected." },
  inactive: {
    tone: "idle",
    label: "Disabled",
    explanation: "The key is disabled. Its requests are rejected.",
  },
};

export function keyState(key: Pick<Key, "active" | "expiresAt">, now = Date.now()): KeyState {
  if (!key.active) return "inactive";
  return key.expiresAt && new Date(key.expiresAt).getTime() <= now ? "expired" : "active";
}

/** Reasons to check an active key. */
export type Attention = "expiring" | "idle";

export const attentions: Record<Attention, { label: string; explanation: string }> = {
  expiring: {
    label: "Expires soon",
    explanation: "The key expires within 14 days. After that, its requests are rejected.",
  },
  idle: { label: "Unused", explanation: "The key hasn't been used for 90 days. Disable it if you no longer need it." },
};

const day = 24 * 60 * 60 * 1000;

/** Returns the reasons to check an active key. */
export function attentionsOf(
  key: Pick<Key, "active" | "expiresAt" | "lastUsedAt" | "createdAt">,
  now = Date.now(),
): Attention[] {
  if (keyState(key, now) !== "active") return [];
  const expiring = key.expiresAt && new Date(key.expiresAt).getTime() <= now + 14 * day;
  const idle = new Date(key.lastUsedAt ?? key.createdAt).getTime() <= now - 90 * day;
  return [expiring && "expiring", idle && "idle"].filter((attention) => attention) as Attention[];
}

/** Reports whether a key matches a value of the status filter. */
export function isIn(key: Parameters<typeof attentionsOf>[0], state: string | undefined): boolean {
  return !state || keyState(key) === state || attentionsOf(key).some((attention) => attention === state);
}

/** Returns a short description of a key's permissions. */
export function scopeOf(key: Pick<Key, "fullSellerAccess" | "permissions">): string {
  if (key.fullSellerAccess) return "Full access";
  const count = key.permissions?.length ?? 0;
  if (count === 0) return "No permissions";
  return count === 1 ? (key.permissions?.[0] ?? "") : `${count} permissions`;
}

/** The maximum number of keys of a seller. */
export const mostKeys = 100;

export interface ResourcePermissions {
  /** For example `accessLists` or `fundraise:funds`. */
  resource: string;
  /** The permission for each action that the resource supports. */
  actions: Partial<Record<Action, string>>;
}

export const actions = ["create", "list", "update"] as const;
export type Action = (typeof actions)[number];

/** Returns permissions grouped by resource, in alphabetical order. */
export function byResource(permissions: string[]): ResourcePermissions[] {
  const rows = new Map<string, ResourcePermissions>();
  for (const permission of permissions) {
    const cut = permission.lastIndexOf(":");
    const resource = permission.slice(0, cut);
    const row = rows.get(resource) ?? { resource, actions: {} };
    row.actions[permission.slice(cut + 1) as Action] = permission;
    rows.set(resource, row);
  }
  return [...rows.values()].sort((a, b) => a.resource.localeCompare(b.resource));
}

/** Returns the permissions that are added and removed when one set replaces another. */
export function difference(before: string[], after: string[]) {
  return {
    granted: after.filter((permission) => !before.includes(permission)),
    taken: before.filter((permission) => !after.includes(permission)),
  };
}
