import { Button, type ButtonProps } from "@mantine/core";
import { useState } from "react";
import { Confirmation } from "./Confirmation";

interface Props extends Omit<ButtonProps, "children"> {
  /** What the button says. */
  label: string;
  /** The same for screen readers where it stands in a row. */
  "aria-label"?: string;
  /** The question: "Remove Ann?" */
  title: string;
  /** What happens, in a sentence. */
  text: string;
  /** What the button says that does it; what the first one says if omitted. */
  button?: string;
  danger?: boolean;
  busy: boolean;
  /** Does it. The question is closed if that has worked. */
  onConfirm: () => Promise<unknown>;
}

/** A button that asks before something is done. */
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
