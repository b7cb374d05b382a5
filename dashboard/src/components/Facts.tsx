import { Paper, SimpleGrid, Text } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./components.module.css";

/** The facts of a record as a description list, in columns if there is space. */
export function Facts({ facts, columns = 3 }: { facts: [label: string, value: ReactNode][]; columns?: number }) {
  return (
    <Paper withBorder p="md">
      <SimpleGrid
        component="dl"
        cols={{ base: 1, xs: 2, md: columns }}
        spacing="lg"
        verticalSpacing={{ base: "xs", xs: "md" }}
        m={0}
      >
        {facts.map(([label, value]) => (
          <div key={label} className={classes.fact}>
            <Text component="dt" size="sm" c="dimmed" className={classes.factName}>
              {label}
            </Text>
            <Text component="dd" size="sm" m={0} className={classes.breakable}>
              {value}
            </Text>
          </div>
        ))}
      </SimpleGrid>
    </Paper>
  );
}
