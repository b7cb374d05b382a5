import { Box, Group, Paper, Progress, Stack, Text } from "@mantine/core";
import { useQuery } from "urql";
import { ErrorState } from "../../components/ErrorState";
import { OccupancyDocument } from "./scans.generated";

const context = { additionalTypenames: ["Scan"] };

/** The number of tickets inside an event and each of its zones. */
export function Occupancy({ eventId }: { eventId: string }) {
  const [{ data, error }, again] = useQuery({ query: OccupancyDocument, variables: { eventId }, context });
  if (error && !data) return <ErrorState error={error} onRetry={again} />;
  if (!data) return null;
  const { inside, checkedIn, zones } = data.occupancy;
  return (
    <Paper withBorder p="md" component="section" aria-label="Occupancy">
      <Group gap="xl" align="flex-start">
        <Box>
          <Text size="sm" c="dimmed">
            Inside now
          </Text>
          <Text fz={28} fw={650} lh={1.2}>
            {inside.toLocaleString()}
          </Text>
          <Text size="sm" c="dimmed">
            {checkedIn.toLocaleString()} checked in
          </Text>
        </Box>
        {zones.length > 1 && (
          <Stack gap="xs" flex="1 1 260px" miw={0}>
            {zones.map((zone) => (
              <Zone key={zone.scanZoneId ?? ""} of={zone} most={Math.max(inside, 1)} />
            ))}
          </Stack>
        )}
      </Group>
    </Paper>
  );
}

interface ZoneProps {
  of: { name?: string | null; inside: number; checkedIn: number };
  most: number;
}

function Zone({ of: { name, inside, checkedIn }, most }: ZoneProps) {
  const label = name ?? "No zone";
  return (
    <div>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text size="sm" truncate>
          {label}
        </Text>
        <Text size="sm" style={{ whiteSpace: "nowrap" }}>
          {inside.toLocaleString()} inside, {checkedIn.toLocaleString()} checked in
        </Text>
      </Group>
      <Progress value={(inside / most) * 100} aria-label={`${label}: ${inside.toLocaleString()} inside`} mt={4} />
    </div>
  );
}
