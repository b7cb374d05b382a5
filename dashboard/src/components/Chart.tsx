import { Group, Text } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { type ReactNode, useId } from "react";
import classes from "./chart.module.css";

/** A series: its name, its color, and a value for each step, null if there is none. */
export interface Series {
  label: string;
  tone: "good" | "bad" | "first" | "second";
  values: (number | null)[];
}

interface Props {
  /** The accessible name. Screen readers read the numbers from a table. */
  label: string;
  kind: "bars" | "lines";
  /** The label of each step. */
  steps: string[];
  series: Series[];
  format: (value: number) => string;
}

const height = 180;
const room = { left: 52, right: 8, top: 10, bottom: 22 };
const inner = height - room.top - room.bottom;
/** The width of a step label, with margins. */
const nameWidth = 84;
/** The minimum width. During layout, a chart can be measured narrower than its axis. */
const leastWidth = room.left + room.right + nameWidth;

/** Stacked bars or lines over time, with the same numbers in a table for screen readers. */
export function Chart({ label, kind, steps, series, format }: Props) {
  const name = useId();
  // Drawn at its actual width, so that text has the same size on all screens.
  const { ref, width: measured } = useElementSize();
  const width = Math.max(measured || 640, leastWidth);
  const across = width - room.left - room.right;
  const top = niceTop(Math.max(...tops(kind, steps.length, series)));
  const ticks = [0, top / 2, top];
  const step = across / steps.length;
  const x = (index: number) => room.left + step * (index + 0.5);
  const y = (value: number) => room.top + inner * (1 - value / top);
  const drawn = { steps, series, format, step, x, y };
  return (
    <figure className={classes.chart} aria-labelledby={name} ref={ref}>
      <Group component="figcaption" justify="space-between" gap="xs" mb={4}>
        <Text size="sm" fw={550} id={name}>
          {label}
        </Text>
        <Group gap="md">
          {series.map(({ label, tone }) => (
            <Group key={label} gap={6}>
              <span className={classes.key} data-tone={tone} data-kind={kind} />
              <Text size="xs">{label}</Text>
            </Group>
          ))}
        </Group>
      </Group>
      <svg viewBox={`0 0 ${width} ${height}`} className={classes.svg} aria-hidden>
        {ticks.map((tick) => (
          <g key={tick}>
            <line x1={room.left} x2={width - room.right} y1={y(tick)} y2={y(tick)} className={classes.grid} />
            <text x={room.left - 8} y={y(tick) + 4} textAnchor="end" className={classes.text}>
              {format(tick)}
            </text>
          </g>
        ))}
        {labelled(steps.length, across / nameWidth).map((index) => (
          <text key={index} x={x(index)} y={height - 5} textAnchor="middle" className={classes.text}>
            {steps[index]}
          </text>
        ))}
        {kind === "bars" ? <Bars {...drawn} /> : <Lines {...drawn} />}
      </svg>
      <div className={classes.numbers}>
        <Numbers steps={steps} series={series} format={format} />
      </div>
    </figure>
  );
}

interface Drawn {
  steps: string[];
  series: Series[];
  format: (value: number) => string;
  /** The width of a step. */
  step: number;
  x: (index: number) => number;
  y: (value: number) => number;
}

function Bars({ steps, series, format, step, x, y }: Drawn) {
  const bar = step * 0.7;
  return steps.map((named, index) => {
    let below = 0;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: labels of steps aren't unique
      <g key={index}>
        <title>{told(named, series, index, format)}</title>
        <rect x={x(index) - bar / 2} y={room.top} width={bar} height={inner} fill="transparent" />
        {series.map(({ label, tone, values }) => {
          const value = values[index] ?? 0;
          const from = below;
          below += value;
          if (value === 0) return null;
          return (
            <rect
              key={label}
              x={x(index) - bar / 2}
              y={y(below)}
              width={bar}
              height={Math.max(1, y(from) - y(below))}
              rx={1.5}
              className={classes.bar}
              data-tone={tone}
            />
          );
        })}
      </g>
    );
  });
}

function Lines({ steps, series, format, step, x, y }: Drawn) {
  return (
    <>
      {series.map(({ label, tone, values }) =>
        runs(values).map((run) => (
          <polyline
            key={`${label} ${run[0]}`}
            points={run.map((index) => `${x(index)},${y(values[index] ?? 0)}`).join(" ")}
            className={classes.line}
            data-tone={tone}
          />
        )),
      )}
      {steps.map((named, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: labels of steps aren't unique
        <g key={index}>
          <title>{told(named, series, index, format)}</title>
          <rect x={x(index) - step / 2} y={room.top} width={step} height={inner} fill="transparent" />
          {series.map(({ label, tone, values }) => {
            const value = values[index];
            if (value === null || value === undefined) return null;
            return <circle key={label} cx={x(index)} cy={y(value)} r={2.5} className={classes.dot} data-tone={tone} />;
          })}
        </g>
      ))}
    </>
  );
}

function Numbers({ steps, series, format }: Pick<Props, "steps" | "series" | "format">): ReactNode {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">From</th>
          {series.map(({ label }) => (
            <th scope="col" key={label}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: labels of steps aren't unique
          <tr key={index}>
            <th scope="row">{step}</th>
            {series.map(({ label, values }) => (
              <td key={label}>{shown(values[index], format)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function shown(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? "–" : format(value);
}

function told(step: string, series: Series[], index: number, format: (value: number) => string): string {
  return [step, ...series.map(({ label, values }) => `${label}: ${shown(values[index], format)}`)].join("\n");
}

/** Returns the value that the axis must fit at each step. */
function tops(kind: Props["kind"], steps: number, series: Series[]): number[] {
  return Array.from({ length: steps }, (_, step) => {
    const values = series.map(({ values }) => values[step] ?? 0);
    return kind === "bars" ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values);
  });
}

/** Returns the end of an axis: 2, 4 or 10 times a power of ten, so that half of it is a round number too. */
export function niceTop(value: number): number {
  if (value <= 2) return 2;
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = [1, 2, 4, 10].find((factor) => factor * power >= value) ?? 10;
  return factor * power;
}

/** Returns the steps to label, evenly spread, for a maximum number of labels. */
export function labelled(steps: number, room: number): number[] {
  const every = Math.ceil(steps / Math.max(1, Math.min(6, room)));
  return Array.from({ length: steps }, (_, step) => step).filter((step) => step % every === Math.floor(every / 2));
}

/** Splits steps into runs without a gap. */
export function runs(values: (number | null)[]): number[][] {
  const found: number[][] = [];
  values.forEach((value, step) => {
    if (value === null) return;
    const before = found.at(-1);
    if (before && before.at(-1) === step - 1) before.push(step);
    else found.push([step]);
  });
  return found;
}
