import { type ReactNode, useState } from "react";
import classes from "./docs.module.css";

/** A collapsible section whose content is rendered when it is opened. */
export function Unfold({ summary, children }: { summary: ReactNode; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={classes.summary}>{summary}</summary>
      {open && children}
    </details>
  );
}
