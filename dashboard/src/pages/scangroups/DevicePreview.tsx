import { Group, Radio, Stack, Text, Title } from "@mantine/core";
import { Check, Hand, Lock, type LucideIcon, RotateCcw, Star, Vibrate, Volume2, X } from "lucide-react";
import { useId, useState } from "react";
import { nameOf, useEventChoices, useZoneChoices } from "../../components/choices";
import { colorName, colorOf, directionsOf, type Result, results, texts } from "./preview";
import classes from "./preview.module.css";
import { type GroupValues, seconds } from "./scangroups";
import type { GroupForm } from "./useScanGroupForm";
import { ValidTimes } from "./ValidTimes";

// Each result has its own shape, so that color is never the only signal.
const icons: Record<Result, LucideIcon> = {
  success: Check,
  declined: X,
  repeated: RotateCcw,
  highlighted: Star,
  actionRequired: Hand,
};

/** A live preview of the form's values on a device. */
export function DevicePreview({ form: { values } }: { form: GroupForm }) {
  const id = useId();
  const [result, setResult] = useState<Result>("success");
  return (
    <Stack component="section" aria-labelledby={id} className={classes.preview} gap="md">
      <Title order={2} size="h5" id={id}>
        Device preview
      </Title>
      <Phone values={values} result={result} />
      <Radio.Group
        label="Result to preview"
        value={result}
        onChange={(next) => setResult(results.find((known) => known === next) ?? "success")}
      >
        <Stack gap={6} mt={6}>
          {results.map((name) => (
            <Radio
              key={name}
              size="xs"
              value={name}
              label={`${texts[name].choice}: ${colorName(colorOf(name, values))}`}
            />
          ))}
        </Stack>
      </Radio.Group>
      <ValidTimes values={values} />
    </Stack>
  );
}

function Phone({ values, result }: { values: GroupValues; result: Result }) {
  const Icon = icons[result];
  const zones = useZoneChoices();
  const directions = directionsOf(values);
  return (
    <div className={classes.phone}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text size="xs" fw={600} truncate>
          {values.name.trim() || "Unnamed scan group"}
        </Text>
        {values.locked && <Lock size={14} role="img" aria-label="Configuration is locked" />}
      </Group>
      <Group gap={4} grow>
        {directions.map((name, at) => (
          <span key={name} className={classes.direction} data-chosen={at === 0 || undefined}>
            {name}
          </span>
        ))}
      </Group>
      <div className={classes.result} data-color={colorOf(result, values) ?? "own"}>
        <Icon size={44} aria-hidden />
        <span className={classes.title}>{texts[result].title}</span>
        <span className={classes.text}>{texts[result].text}</span>
      </div>
      <Text size="xs" className={classes.breakable}>
        <Asked values={values} />
        {values.scanZoneId && ` · ${nameOf(zones, values.scanZoneId)}`}
      </Text>
      {values.tapAndGo && <Text size="xs">Hold a card or ticket to the device</Text>}
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text size="xs" c="dimmed">
          {values.revealSeconds ? `For ${seconds(Number(values.revealSeconds))}` : "Device default duration"}
        </Text>
        <Group gap={4} wrap="nowrap">
          {values.sound && <Volume2 size={14} role="img" aria-label="With sound" />}
          {values.haptic && <Vibrate size={14} role="img" aria-label="With vibration" />}
        </Group>
      </Group>
    </div>
  );
}

/** Returns the events that the device scans, as text. */
function Asked({ values: { events } }: { values: GroupValues }) {
  const choices = useEventChoices();
  const [only] = events;
  if (!only) return "No events – every scan is declined";
  return events.length === 1 ? nameOf(choices, only.eventId) : `${events.length} events`;
}
