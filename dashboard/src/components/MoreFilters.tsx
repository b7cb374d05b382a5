import { Button } from "@mantine/core";
import { SlidersHorizontal } from "lucide-react";
import { type ReactNode, useState } from "react";
import classes from "./filters.module.css";

/** Filters that a phone shows only when they are asked for: the list is to be seen without scrolling. */
export function MoreFilters({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState(false);
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
