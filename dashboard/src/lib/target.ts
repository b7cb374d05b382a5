const here = "https://dashboard.invalid";

/**
 * Where to go after signing in: the address of a page of this dashboard, never of another host. It is read as a browser
 * reads it, which drops tabs and line breaks, takes a backslash for a slash and resolves dots (DASH-21).
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
    return true; // no page has an address that can't be decoded
  }
}
