import { type RefObject, useEffect } from "react";

/** What each editor is for, by the class of what holds it: CodeMirror's fields have no names of their own. */
const names: [selector: string, name: string][] = [
  [".graphiql-query-editor", "Query"],
  [".graphiql-editor-tool", "Variables"],
  [".graphiql-response", "Answer"],
];

function nameEditors(frame: HTMLElement) {
  for (const [selector, name] of names) {
    for (const input of frame.querySelectorAll(`${selector} textarea:not([aria-label])`)) {
      input.setAttribute("aria-label", name);
    }
    // What scrolls has to be reachable by keyboard.
    for (const scroller of frame.querySelectorAll(`${selector} .CodeMirror-scroll[tabindex="-1"]`)) {
      scroller.setAttribute("tabindex", "0");
      scroller.setAttribute("role", "group");
      scroller.setAttribute("aria-label", `${name}, scrolled`);
    }
  }
}

/** The tabs are a list of buttons: a tab that holds further buttons is none that a screen reader could use. */
function plainTabs(frame: HTMLElement) {
  frame.querySelector(".graphiql-tabs[role=tablist]")?.removeAttribute("role");
  for (const tab of frame.querySelectorAll(".graphiql-tab[aria-selected]")) {
    const selected = tab.getAttribute("aria-selected") ?? "false";
    tab.querySelector(".graphiql-tab-button")?.setAttribute("aria-current", selected);
    tab.removeAttribute("role");
    tab.removeAttribute("aria-selected");
  }
}

/** Puts right what GraphiQL leaves unnamed for those who do not see it, whenever something of it appears. */
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
