import { Paper, Text } from "@mantine/core";
import { TriangleAlert } from "lucide-react";
import { Link } from "react-router";
import classes from "./Tile.module.css";

interface Props {
  label: string;
  /** Undefined until it is known: the tile has its place already. */
  value: number | undefined;
  /** What the number is to be seen against. */
  note?: string;
  /** The list of what was counted. */
  to: string;
  /** Whether anything but zero is something to act on. */
  toLookAt?: boolean;
}

/** A number that leads to what it counts. */
export function Tile({ label, value, note, to, toLookAt }: Props) {
  const alarming = toLookAt && value !== undefined && value > 0;
  return (
    <Paper withBorder p="md" component={Link} to={to} className={classes.tile} data-alarming={alarming || undefined}>
      <Text size="sm" c="dimmed" className={classes.label}>
        {label}
      </Text>
      <Text fz={28} fw={650} lh={1.3} className={classes.value}>
        {value?.toLocaleString() ?? "…"}
        {alarming && <TriangleAlert size={20} aria-label="To look at" />}
      </Text>
      {note && (
        <Text size="xs" c="dimmed">
          {note}
        </Text>
      )}
    </Paper>
  );
}
