import { type RefObject, useEffect } from "react";

/** The accessible names of the editors by class. CodeMirror's inputs have none. */
const names: [selector: string, name: string][] = [
  [".graphiql-query-editor", "Query"],
  [".graphiql-editor-tool", "Variables"],
  [".graphiql-response", "Response"],
];

function nameEditors(frame: HTMLElement) {
  for (const [selector, name] of names) {
    for (const input of frame.querySelectorAll(`${selector} textarea:not([aria-label])`)) {
      input.setAttribute("aria-label", name);
    }
    // Scrollable areas must be reachable by keyboard.
    for (const scroller of frame.querySelectorAll(`${selector} .CodeMirror-scroll[tabindex="-1"]`)) {
      scroller.setAttribute("tabindex", "0");
      scroller.setAttribute("role", "group");
      scroller.setAttribute("aria-label", `${name} (scrollable)`);
    }
  }
}

/** GraphiQL's tabs contain buttons, which the role `tab` doesn't allow. They become a list of buttons. */
function plainTabs(frame: HTMLElement) {
  frame.querySelector(".graphiql-tabs[role=tablist]")?.removeAttribute("role");
  for (const tab of frame.querySelectorAll(".graphiql-tab[aria-selected]")) {
    const selected = tab.getAttribute("aria-selected") ?? "false";
    tab.querySelector(".graphiql-tab-button")?.setAttribute("aria-current", selected);
    tab.removeAttribute("role");
    tab.removeAttribute("aria-selected");
  }
}

/** Adds missing accessible names and roles to GraphiQL, whenever it renders new elements. */
export function useLabels(frame: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    function correct() {
      if (!element) return;
      nameEditors(element);
      plainTabs(element);
    }
    correct();
    const observer = new MutationObserver(correct);
    observer.observe(element, { childList: true, subtree: true, attributeFilter: ["aria-selected"] });
    return () => observer.disconnect();
  }, [frame]);
}
