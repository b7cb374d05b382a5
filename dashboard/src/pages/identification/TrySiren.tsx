import { Group, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useQuery } from "urql";
import { ErrorState } from "../../components/ErrorState";
import { StatusPill } from "../../components/StatusPill";
import { TrySirenDocument, type TrySirenQuery } from "./identification.generated";

type Trial = TrySirenQuery["trySiren"];

/** Checks a number like the checkout does, while the user types. Nothing is stored. */
export function TrySiren() {
  const [text, setText] = useState("");
  const [identifier] = useDebouncedValue(text, 200);
  const [{ data, error }, again] = useQuery({
    query: TrySirenDocument,
    variables: { identifier },
    pause: identifier === "",
  });
  const trial = text === "" ? undefined : data?.trySiren;
  return (
    <Stack gap="sm">
      <TextInput
        label="SIREN"
        description="Runs the same check as the checkout. Nothing is stored."
        placeholder="732829320"
        inputMode="numeric"
        autoComplete="off"
        maxLength={255}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        maw={320}
      />
      <div aria-live="polite">
        {error && text !== "" && <ErrorState error={error} onRetry={again} />}
        {!error && trial && <Verdict of={trial} number={identifier.trim()} />}
      </div>
    </Stack>
  );
}

function Verdict({ of: trial, number }: { of: Trial; number: string }) {
  return (
    <Stack gap={6}>
      {trial.identifier ? (
        <StatusPill tone="good" label="Accepted" explanation="The checkout accepts this number." />
      ) : (
        <StatusPill tone="bad" label="Rejected" explanation="The checkout rejects this number." />
      )}
      {trial.message && <Text size="sm">The number {trial.message}.</Text>}
      {trial.hint && (
        <Text size="sm" c="dimmed">
          {trial.hint}.
        </Text>
      )}
      <Group gap="lg">
        <Text size="sm" c="dimmed">
          {trial.digits} of 9 digits
        </Text>
        {trial.checkDigit != null && (
          <Text size="sm" c="dimmed">
            Check digit {number.at(-1)}
            {number.endsWith(`${trial.checkDigit}`) ? " is correct" : ` is wrong, expected ${trial.checkDigit}`}
          </Text>
        )}
      </Group>
    </Stack>
  );
}
