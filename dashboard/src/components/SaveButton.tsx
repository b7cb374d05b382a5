import { Button } from "@mantine/core";

interface Props {
  busy: boolean;
  /** Whether there are changes that the user may save. */
  changed: boolean;
  /** The label of the button; "Save changes" if omitted. */
  label?: string;
}

/** The save button of a form. */
export function SaveButton({ busy, changed, label = "Save changes" }: Props) {
  return (
    <Button type="submit" loading={busy} disabled={!changed}>
      {label}
    </Button>
  );
}
