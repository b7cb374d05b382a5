import { Fragment, type ReactNode } from "react";
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

/** Words that stay whole where the cell is narrow: a time, an amount. */
export function Whole({ children }: { children: ReactNode }) {
  return <span className={classes.whole}>{children}</span>;
}

/** A word with dots, such as the type of an event: it is broken after these and nowhere else. */
export function Dotted({ children }: { children: string }) {
  const parts = children.split(/(?<=\.)/);
  return (
    <Whole>
      {parts.map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a word do not change places
        <Fragment key={at}>
          {at > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </Whole>
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
