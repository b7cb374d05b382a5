import { CircleCheck, CircleDashed, CircleX, Info, TriangleAlert } from "lucide-react";
import type { Tone } from "../lib/states";
import classes from "./components.module.css";
import { Hint } from "./Hint";

// Each tone has its own shape, so that color is never the only signal.
const icons = { good: CircleCheck, bad: CircleX, warning: TriangleAlert, idle: CircleDashed, info: Info };

interface Props {
  tone: Tone;
  label: string;
  /** The meaning of the status, on hover and for screen readers. */
  explanation: string;
}

/** A status with an explanation. */
export function StatusPill({ tone, label, explanation }: Props) {
  const Icon = icons[tone];
  return (
    <Hint label={explanation}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the explanation must be reachable by keyboard too */}
      <span className={classes.pill} data-tone={tone} role="note" aria-label={`${label}: ${explanation}`} tabIndex={0}>
        <Icon size={13} aria-hidden />
        {label}
      </span>
    </Hint>
  );
}
