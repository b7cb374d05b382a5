/** Returns the code after # and removes it from the address, so that neither the history nor a reload keeps it. */
export function takeCode(): string {
  const code = window.location.hash.slice(1);
  if (code) window.history.replaceState(window.history.state, "", window.location.pathname);
  return code;
}

/** Reports whether the server treats two email addresses as equal. It ignores case. */
export function sameEmail(one: string | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase();
}
