const here = "https://dashboard.invalid";

/**
 * Returns the page to open after signing in: an address of this dashboard, never of another host. It is parsed as in a
 * browser, which drops tabs and line breaks, treats a backslash as a slash, and resolves dot segments (DASH-21).
 */
export function safeTarget(next: string | null): string {
  if (!next?.startsWith("/") || !URL.canParse(next, here)) return "/";
  const { origin, pathname, search, hash } = new URL(next, here);
  if (origin !== here || pathname.startsWith("//") || isLogin(pathname)) return "/";
  return pathname + search + hash;
}

function isLogin(pathname: string): boolean {
  try {
    return /^\/login(\/|$)/i.test(decodeURI(pathname));
  } catch {
    return true; // no page has a malformed address
  }
}
