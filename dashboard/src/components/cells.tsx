import { Fragment, type ReactNode } from "react";
import { Link, type LinkProps } from "react-router";
import classes from "./components.module.css";

// The content of table cells. A page renders hundreds of cells, so each is a single element.

/** Stacks the content of a cell. */
export function Lines({ children }: { children: ReactNode }) {
  return <div className={classes.lines}>{children}</div>;
}

interface QuietProps {
  children: ReactNode;
  /** Hidden from this width on, where the value has its own column. */
  hiddenFrom?: "xs" | "sm";
  /** The maximum number of lines. */
  lines?: 1 | 2;
}

/** Secondary text below the main text of a cell. */
export function Quiet({ children, hiddenFrom, lines }: QuietProps) {
  const hidden = hiddenFrom ? `mantine-hidden-from-${hiddenFrom}` : "";
  return (
    <div className={`${classes.quiet} ${hidden}`} data-lines={lines}>
      {children}
    </div>
  );
}

/** Text that never wraps, such as a time or an amount. */
export function Whole({ children }: { children: ReactNode }) {
  return <span className={classes.whole}>{children}</span>;
}

/** A dotted name, such as an event type. It wraps only after dots. */
export function Dotted({ children }: { children: string }) {
  const parts = children.split(/(?<=\.)/);
  return (
    <Whole>
      {parts.map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts keep their order
        <Fragment key={at}>
          {at > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </Whole>
  );
}

/** The name of the record in a row, as a link to its page. */
export function RowLink(props: LinkProps) {
  return <Link {...props} className={classes.rowLink} />;
}

/** The name of the record in a row, as a button that opens its details in a drawer. */
export function RowButton({ children, onClick }: { children: ReactNode; onClick: () => void }) {
  return (
    <button type="button" className={classes.rowLink} onClick={onClick}>
      {children}
    </button>
  );
}
