import { Anchor, Code, Title, Typography } from "@mantine/core";
import type { ReactNode } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import { Link } from "react-router";
import remarkGfm from "remark-gfm";
import { CopyButton } from "../../components/CopyButton";
import classes from "./docs.module.css";
import { addressOf, slugOf } from "./guides";

/** Returns the text inside rendered Markdown. */
function textOf(node: ReactNode): string {
  if (Array.isArray(node)) return node.map(textOf).join("");
  if (typeof node === "string" || typeof node === "number") return String(node);
  const inside = (node as { props?: { children?: ReactNode } } | null)?.props?.children;
  return inside === undefined ? "" : textOf(inside);
}

function Heading({ order, children }: { order: 2 | 3 | 4; children?: ReactNode }) {
  return (
    <Title order={order} id={slugOf(textOf(children))} className={classes.heading}>
      {children}
    </Title>
  );
}

const components: Components = {
  h2: ({ children }) => <Heading order={2}>{children}</Heading>,
  h3: ({ children }) => <Heading order={3}>{children}</Heading>,
  h4: ({ children }) => <Heading order={4}>{children}</Heading>,
  a({ href = "", children }) {
    if (href.startsWith("#"))
      return (
        <Anchor underline="always" href={href} inherit>
          {children}
        </Anchor>
      );
    if (/^https?:/.test(href))
      return (
        <Anchor underline="always" href={href} inherit>
          {children}
        </Anchor>
      );
    const address = addressOf(href);
    // A link to a file without a page shows only the file's name.
    return address ? (
      <Anchor underline="always" component={Link} to={address} inherit>
        {children}
      </Anchor>
    ) : (
      <span>{children}</span>
    );
  },
  pre({ children }) {
    const text = textOf(children).replace(/\n$/, "");
    return (
      <div className={classes.block}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard */}
        <section className={classes.blockText} tabIndex={0} aria-label="Code">
          <Code block>{text}</Code>
        </section>
        <div className={classes.blockCopy}>
          <CopyButton value={text} label="Copy code" />
        </div>
      </div>
    );
  },
  table({ children }) {
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
      <section className={classes.table} tabIndex={0} aria-label="Table">
        <table>{children}</table>
      </section>
    );
  },
};

/** Renders Markdown. Links between documents lead to their pages. HTML is left out. */
export function Markdown({ text, small = false }: { text: string; small?: boolean }) {
  return (
    <Typography className={small ? `${classes.markdown} ${classes.small}` : classes.markdown}>
      <ReactMarkdown skipHtml remarkPlugins={[remarkGfm]} components={components}>
        {text}
      </ReactMarkdown>
    </Typography>
  );
}
