import { useEffect } from "react";
import { useLocation } from "react-router";
import { decoded } from "../../lib/address";

/** Scrolls to the heading that the address names, once it is rendered; on other pages to the top. */
export function useAnchor(content: unknown) {
  const { hash, pathname } = useLocation();
  useEffect(() => {
    if (!content || !pathname) return;
    const target = hash && document.getElementById(decoded(hash.slice(1)));
    if (target) target.scrollIntoView();
    else window.scrollTo(0, 0);
  }, [content, hash, pathname]);
}
