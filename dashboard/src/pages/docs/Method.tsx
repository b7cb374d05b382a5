import { Group } from "@mantine/core";
import classes from "./docs.module.css";
import type { Operation } from "./openapi";

export function Method({ method }: { method: string }) {
  return (
    <span className={classes.method} data-method={method}>
      {method}
    </span>
  );
}

/** The method and path of an operation. */
export function RequestLine({ operation: { method, path } }: { operation: Operation }) {
  return (
    <Group gap="sm" wrap="nowrap" align="baseline">
      <Method method={method} />
      <span className={classes.path}>{path}</span>
    </Group>
  );
}
