import type { States } from "../../lib/states";
import type { KeyFieldsFragment, KeysQuery } from "./keys.generated";

export type Key = KeyFieldsFragment;

/** A key that was read, which says who made it. */
export type ReadKey = KeysQuery["keys"]["nodes"][number];

const creators = { USER: "User", APP: "App", API_KEY: "API key", SYSTEM: "Platform" };

/** Who made a key: by name while there is one that the reader may know, otherwise by kind. */
export function creatorOf({ creatorName, createdBy }: Pick<ReadKey, "creatorName" | "createdBy">): string {
  return creatorName ?? creators[createdBy.type];
}

export type KeyState = "active" | "expired" | "inactive";

/** What a key can be, as the filter and the pill say it. */
export const keyStates: States<KeyState> = {
  active: { tone: "good", label: "Active", explanation: "Calls with this key are accepted." },
  expired: { tone: "warning", label: "Expired", explanation: "Its time is over: calls with this key are refused." },
  inactive: {
    tone: "idle",
    label: "Inactive",
    explanation: "Somebody has switched it off: calls with this key are refused.",
  },
};

export function keyState(key: Pick<Key, "active" | "expiresAt">, now = Date.now()): KeyState {
  if (!key.active) return "inactive";
  return key.expiresAt && new Date(key.expiresAt).getTime() <= now ? "expired" : "active";
}

/** What somebody should look at before it becomes trouble. */
export type Attention = "expiring" | "idle";

export const attentions: Record<Attention, { label: string; explanation: string }> = {
  expiring: {
    label: "Expires soon",
    explanation: "It expires within 14 days: calls with it are refused from then on.",
  },
  idle: { label: "Unused", explanation: "Nobody has used it for 90 days: perhaps it can be switched off." },
};

const day = 24 * 60 * 60 * 1000;

/** Why an active key should be looked at, if it should. */
export function attentionsOf(
  key: Pick<Key, "active" | "expiresAt" | "lastUsedAt" | "createdAt">,
  now = Date.now(),
): Attention[] {
  if (keyState(key, now) !== "active") return [];
  const expiring = key.expiresAt && new Date(key.expiresAt).getTime() <= now + 14 * day;
  const idle = new Date(key.lastUsedAt ?? key.createdAt).getTime() <= now - 90 * day;
  return [expiring && "expiring", idle && "idle"].filter((attention) => attention) as Attention[];
}

/** Whether a key is in a state, or is to be looked at for a reason, as the filter says it. */
export function isIn(key: Parameters<typeof attentionsOf>[0], state: string | undefined): boolean {
  return !state || keyState(key) === state || attentionsOf(key).some((attention) => attention === state);
}

/** What a key may do, in a few words. */
export function scopeOf(key: Pick<Key, "fullSellerAccess" | "permissions">): string {
  if (key.fullSellerAccess) return "Full access";
  const count = key.permissions?.length ?? 0;
  if (count === 0) return "No permissions";
  return count === 1 ? (key.permissions?.[0] ?? "") : `${count} permissions`;
}

/** How many keys a seller can have (spec 8). */
export const mostKeys = 100;

export interface ResourcePermissions {
  /** Such as accessLists, or fundraise:funds. */
  resource: string;
  /** The permission of each action that the resource has. */
  actions: Partial<Record<Action, string>>;
}

export const actions = ["create", "list", "update"] as const;
export type Action = (typeof actions)[number];

/** Sorts permissions into rows by resource, in alphabetical order. */
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

/** What is granted and taken away when one set of permissions replaces another. */
export function difference(before: string[], after: string[]) {
  return {
    granted: after.filter((permission) => !before.includes(permission)),
    taken: before.filter((permission) => !after.includes(permission)),
  };
}
