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
  /** The element that is hovered or focused. */
  children: ReactElement<HTMLAttributes<HTMLElement>>;
}

/** Long IDs have no break opportunity and can be wider than the tooltip. */
const hint = { tooltip: classes.breakable };

/**
 * A tooltip that is created on demand. Mantine's tooltip is expensive, and a list has hundreds of them, most never shown.
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
