import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router";

interface Props {
  /** Where one is without having created anything. */
  back: string;
  busy: boolean;
  /** What the button says, such as "Create key". */
  children: ReactNode;
}

/** What a form for something new ends with. */
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
