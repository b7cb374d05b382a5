import { Button } from "@mantine/core";
import { SlidersHorizontal } from "lucide-react";
import { type ReactNode, useState } from "react";
import classes from "./filters.module.css";

interface Props {
  /** The values of the filters. If one is set from the start, the filters are shown. */
  values: (string | undefined)[];
  children: ReactNode;
}

/** Filters that small screens show on demand, so that the list is visible without scrolling. */
export function MoreFilters({ values, children }: Props) {
  const [shown, setShown] = useState(values.some(Boolean));
  return (
    <>
      <Button
        hiddenFrom="xs"
        variant="default"
        leftSection={<SlidersHorizontal size={16} aria-hidden />}
        aria-expanded={shown}
        onClick={() => setShown(!shown)}
      >
        {shown ? "Fewer filters" : "More filters"}
      </Button>
      <div className={classes.more} data-shown={shown}>
        {children}
      </div>
    </>
  );
}
