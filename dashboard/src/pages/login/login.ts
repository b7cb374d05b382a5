import type { Failure } from "../../lib/failure";

/** Returns for how many seconds login is locked. Other failures also name a delay, but don't lock the form. */
export function lockedFor(failure: Failure | undefined): number | undefined {
  return failure?.code === "RATE_LIMITED" ? failure.retryAfter : undefined;
}

/** Returns the message after a failed login that is locked for the given number of seconds. */
export function words(failure: Failure, locked: number): string {
  if (locked > 0) return `Too many failed sign-in attempts. Try again in ${duration(locked)}.`;
  return lockedFor(failure) ? "You can try again now." : failure.message;
}

/** Reports whether a failure is in the server's log, unlike a wrong password or a lockout. */
export function unexpected({ code }: Failure): boolean {
  return code !== "UNAUTHENTICATED" && code !== "RATE_LIMITED";
}

/** Formats seconds as minutes and seconds. */
function duration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const rest = seconds % 60;
  return [minutes && `${minutes} min`, (rest || !minutes) && `${rest} s`].filter(Boolean).join(" ");
}
