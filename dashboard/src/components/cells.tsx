import type { ReactNode } from "react";
import { Link, type LinkProps } from "react-router";
import classes from "./components.module.css";

// What the cells of tables are made of. A page draws hundreds of them: these are single elements.

/** What stands below each other in a cell. */
export function Lines({ children }: { children: ReactNode }) {
  return <div className={classes.lines}>{children}</div>;
}

interface QuietProps {
  children: ReactNode;
  /** For what has a column of its own from this width on. */
  hiddenFrom?: "xs" | "sm";
  /** How many lines it takes at most. */
  lines?: 1 | 2;
}

/** What is less important than what stands above it. */
export function Quiet({ children, hiddenFrom, lines }: QuietProps) {
  const hidden = hiddenFrom ? `mantine-hidden-from-${hiddenFrom}` : "";
  return (
    <div className={`${classes.quiet} ${hidden}`} data-lines={lines}>
      {children}
    </div>
  );
}

/** The name of what a row shows, which leads to its page. */
export function RowLink(props: LinkProps) {
  return <Link {...props} className={classes.rowLink} />;
}

/** The same where what a row shows opens beside the list. */
export function RowButton({ children, onClick }: { children: ReactNode; onClick: () => void }) {
  return (
    <button type="button" className={classes.rowLink} onClick={onClick}>
      {children}
    </button>
  );
}
