import { Button } from "@mantine/core";
import { SlidersHorizontal } from "lucide-react";
import { type ReactNode, useState } from "react";
import classes from "./filters.module.css";

interface Props {
  /** Their values: where one narrows the list from the start, it is seen. */
  values: (string | undefined)[];
  children: ReactNode;
}

/** Filters that a phone shows only when they are asked for: the list is to be seen without scrolling. */
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
