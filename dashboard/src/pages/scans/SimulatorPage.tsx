import { SimpleGrid, Stack, Text } from "@mantine/core";
import { FlaskConical } from "lucide-react";
import { type CombinedError, useQuery } from "urql";
import { EmptyState } from "../../components/EmptyState";
import { Loaded } from "../../components/Loaded";
import { Page } from "../../components/Page";
import { useFilters } from "../../components/useFilters";
import { failureOf } from "../../lib/failure";
import { SimulatedAnswer } from "./SimulatedAnswer";
import { SimulatorForm } from "./SimulatorForm";
import { SimulateScanDocument } from "./scans.generated";
import { questionNames, simulationInput } from "./simulation";

export default function SimulatorPage() {
  const { values, set } = useFilters(...questionNames);
  const input = simulationInput(values);
  const [{ data, error, fetching }, again] = useQuery({
    query: SimulateScanDocument,
    variables: { input: input ?? {} },
    pause: !input,
    requestPolicy: "network-only",
  });
  return (
    <Page title="Simulator" text="See how a scan would be decided, rule by rule. Nothing is recorded.">
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <div>
          <SimulatorForm asked={values} busy={fetching} onAsk={set} onAgain={again} />
        </div>
        {input ? (
          <Stack>
            <Loaded data={error || fetching ? undefined : data} error={fetching ? undefined : error} onRetry={again}>
              {({ simulateScan }) => <SimulatedAnswer of={simulateScan} />}
            </Loaded>
            {error && !fetching && <Wrong error={error} />}
          </Stack>
        ) : (
          <EmptyState
            icon={FlaskConical}
            title="No simulation yet"
            text="Enter a code or ticket ID, and select a device or scan group."
          />
        )}
      </SimpleGrid>
    </Page>
  );
}

/** The invalid fields of a simulation. */
function Wrong({ error }: { error: CombinedError }) {
  return failureOf(error).fields.map(({ path, message }) => (
    <Text key={path} size="sm">
      {path}: {message}
    </Text>
  ));
}
