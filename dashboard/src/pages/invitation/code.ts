/** The code after # in the address. It is taken out of the address, so that neither the history nor a reload keeps it. */
export function takeCode(): string {
  const code = window.location.hash.slice(1);
  if (code) window.history.replaceState(window.history.state, "", window.location.pathname);
  return code;
}

/** Whether two addresses are the same to the server, which ignores case. */
export function sameEmail(one: string | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase();
}
