import { Button, type ButtonProps } from "@mantine/core";
import { useState } from "react";
import { Confirmation } from "./Confirmation";

interface Props extends Omit<ButtonProps, "children"> {
  /** The label of the button. */
  label: string;
  /** The accessible name, if several buttons have the same label. */
  "aria-label"?: string;
  /** The question: "Remove Ann?" */
  title: string;
  /** The effect, in one sentence. */
  text: string;
  /** The label of the button that confirms; `label` if omitted. */
  button?: string;
  danger?: boolean;
  busy: boolean;
  /** Runs the action. The question closes unless it returns a falsy value. */
  onConfirm: () => Promise<unknown>;
}

/** A button that asks for confirmation. */
export function ConfirmButton({ label, title, text, button = label, danger, busy, onConfirm, ...look }: Props) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button {...look} onClick={() => setAsking(true)}>
        {label}
      </Button>
      {asking && (
        <Confirmation
          title={title}
          text={text}
          button={button}
          danger={danger}
          busy={busy}
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            if (await onConfirm()) setAsking(false);
          }}
        />
      )}
    </>
  );
}
