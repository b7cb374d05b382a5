import { Group, Text } from "@mantine/core";
import classes from "./bars.module.css";

export interface Series<Name extends string> {
  name: Name;
  label: string;
  tone: "good" | "warning" | "bad";
}

interface Props<Name extends string> {
  /** The accessible name of the chart. */
  label: string;
  series: readonly Series<Name>[];
  /** From the oldest to the newest, each with the name of its time step. */
  bars: { label: string; counts: Record<Name, number> }[];
}

/** A bar chart of counts over time. Its totals are part of the accessible name. */
export function Bars<Name extends string>({ label, series, bars }: Props<Name>) {
  const sum = (counts: Record<Name, number>) => series.reduce((all, { name }) => all + counts[name], 0);
  const most = Math.max(1, ...bars.map(({ counts }) => sum(counts)));
  const totals = series.map(({ name, label: what, tone }) => ({
    what,
    tone,
    total: bars.reduce((all, { counts }) => all + counts[name], 0),
  }));
  const words = totals.map(({ what, total }) => `${total.toLocaleString()} ${what}`).join(", ");
  return (
    <figure className={classes.figure}>
      <svg
        className={classes.chart}
        viewBox={`0 0 ${bars.length * 10} 100`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${label}: ${words}; peak ${most.toLocaleString()}`}
      >
        {bars.map(({ label: of, counts }, index) => {
          let top = 100;
          return (
            <g key={of}>
              <title>{`${of}: ${series.map(({ name, label: what }) => `${counts[name].toLocaleString()} ${what}`).join(", ")}`}</title>
              <rect x={index * 10} y={0} width={10} height={100} className={classes.hover} />
              {series.map(({ name, tone }) => {
                const height = (counts[name] / most) * 100;
                top -= height;
                return height > 0 ? (
                  <rect key={name} x={index * 10 + 1} y={top} width={8} height={height} data-tone={tone} />
                ) : null;
              })}
            </g>
          );
        })}
      </svg>
      <Group component="figcaption" justify="space-between" gap="xs">
        <Text size="xs" c="dimmed">
          {bars[0]?.label}
        </Text>
        <Group gap="md" justify="center" className={classes.legends}>
          {totals.map(({ what, tone, total }) => (
            <Text key={what} size="xs" className={classes.legend} data-tone={tone}>
              {total.toLocaleString()} {what}
            </Text>
          ))}
        </Group>
        <Text size="xs" c="dimmed">
          {bars.at(-1)?.label}
        </Text>
      </Group>
    </figure>
  );
}
