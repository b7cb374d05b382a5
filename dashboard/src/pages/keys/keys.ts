import type { Tone } from "../../components/StatusPill";
import type { KeyFieldsFragment } from "./keys.generated";

export type Key = KeyFieldsFragment;

export type KeyState = "active" | "expired" | "inactive";

/** What a key can be, as the filter and the pill say it. */
export const keyStates: Record<KeyState, { tone: Tone; label: string; explanation: string }> = {
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
