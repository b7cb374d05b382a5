import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router";

interface Props {
  /** The address to return to on cancel. */
  back: string;
  busy: boolean;
  /** The label of the button, such as "Create key". */
  children: ReactNode;
}

/** The buttons at the end of a form that creates a record. */
export function CreateButtons({ back, busy, children }: Props) {
  return (
    <>
      <Button component={Link} to={back} variant="default">
        Cancel
      </Button>
      <Button type="submit" loading={busy}>
        {children}
      </Button>
    </>
  );
}
