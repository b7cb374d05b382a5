import { Tooltip } from "@mantine/core";
import {
  cloneElement,
  type HTMLAttributes,
  type ReactElement,
  type ReactNode,
  type SyntheticEvent,
  useState,
} from "react";
import classes from "./components.module.css";

interface Props {
  label: ReactNode;
  /** What is pointed at, or focused where it can be. */
  children: ReactElement<HTMLAttributes<HTMLElement>>;
}

/** An id is one word, and may be longer than the tooltip is wide. */
const hint = { tooltip: classes.breakable };

/**
 * A tooltip that is made when somebody asks for it. Mantine's own costs more than the row that it stands in, and a list has
 * hundreds that nobody ever points at.
 */
export function Hint({ label, children }: Props) {
  const [target, setTarget] = useState<HTMLElement>();
  const show = ({ currentTarget }: SyntheticEvent<HTMLElement>) => setTarget(currentTarget);
  const hide = () => setTarget(undefined);
  return (
    <>
      {cloneElement(children, { onMouseEnter: show, onMouseLeave: hide, onFocus: show, onBlur: hide })}
      {target && <Tooltip label={label} target={target} defaultOpened multiline maw={300} classNames={hint} />}
    </>
  );
}
