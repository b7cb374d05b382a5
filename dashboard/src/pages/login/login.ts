import type { Failure } from "../../lib/failure";

/** For how many seconds no login is taken. Other failures name a wait too: nobody is kept from trying again by those. */
export function lockedFor(failure: Failure | undefined): number | undefined {
  return failure?.code === "RATE_LIMITED" ? failure.retryAfter : undefined;
}

/** What is said of a login that failed, while it is locked for so many seconds more. */
export function words(failure: Failure, locked: number): string {
  if (locked > 0) return `Too many failed logins. You can try again in ${duration(locked)}.`;
  return lockedFor(failure) ? "You can try again now." : failure.message;
}

/** Whether it is a failure of the server's, whose log knows more; not that of a wrong password, or of the lock. */
export function unexpected({ code }: Failure): boolean {
  return code !== "UNAUTHENTICATED" && code !== "RATE_LIMITED";
}

/** Minutes and seconds as people say them. */
function duration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const rest = seconds % 60;
  return [minutes && `${minutes} min`, (rest || !minutes) && `${rest} s`].filter(Boolean).join(" ");
}
