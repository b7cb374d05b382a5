import { Paper, Text } from "@mantine/core";
import { TriangleAlert } from "lucide-react";
import { Link } from "react-router";
import classes from "./Tile.module.css";

interface Props {
  label: string;
  /** Undefined while loading. The tile keeps its size. */
  value: number | undefined;
  /** A note below the number. */
  note?: string;
  /** The list that the number counts. */
  to: string;
  /** Whether a number above zero needs attention. */
  toLookAt?: boolean;
}

/** A number that links to the list it counts. */
export function Tile({ label, value, note, to, toLookAt }: Props) {
  const alarming = toLookAt && value !== undefined && value > 0;
  return (
    <Paper withBorder p="md" component={Link} to={to} className={classes.tile} data-alarming={alarming || undefined}>
      <Text size="sm" c="dimmed" className={classes.label}>
        {label}
      </Text>
      <Text fz={28} fw={650} lh={1.3} className={classes.value}>
        {value?.toLocaleString() ?? "…"}
        {alarming && <TriangleAlert size={20} aria-label="Needs attention" />}
      </Text>
      {note && (
        <Text size="xs" c="dimmed">
          {note}
        </Text>
      )}
    </Paper>
  );
}
