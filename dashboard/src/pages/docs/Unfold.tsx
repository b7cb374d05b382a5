import { type ReactNode, useState } from "react";
import classes from "./docs.module.css";

/** What is made and shown when it is asked for. */
export function Unfold({ summary, children }: { summary: ReactNode; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={classes.summary}>{summary}</summary>
      {open && children}
    </details>
  );
}
