import { Button } from "@mantine/core";

interface Props {
  busy: boolean;
  /** Whether there is something to save, and the user may. */
  changed: boolean;
  /** What the button says; "Save changes" if omitted. */
  label?: string;
}

/** What a form of a record ends with. */
export function SaveButton({ busy, changed, label = "Save changes" }: Props) {
  return (
    <Button type="submit" loading={busy} disabled={!changed}>
      {label}
    </Button>
  );
}
