import { Button, Code, Group, Paper, SimpleGrid, Stack, Table, Text, Title } from "@mantine/core";
import { ArrowLeft } from "lucide-react";
import { DangerAction, DangerZone } from "../../components/DangerZone";
import { RelativeTime } from "../../components/RelativeTime";
import { StatusPill } from "../../components/StatusPill";
import { useAction } from "../../components/useAction";
import { CommitImport, GiveUpReading } from "./CommitImport";
import { ImportLines } from "./ImportLines";
import { importStates, presets, type Report } from "./imports";
import { UndoImportDocument } from "./imports.generated";
import classes from "./lists.module.css";

interface Props {
  listId: string;
  of: Report;
  onClose: () => void;
}

/** What an import would do or has done, and what can be done about it. */
export function ImportReport({ listId, of: report, onClose }: Props) {
  return (
    <Stack gap="lg">
      <Group justify="space-between">
        <Group gap="sm">
          <Title order={2} size="h4">
            {report.mode === "full-set" ? "Import that replaces the list" : "Import"}
          </Title>
          <StatusPill {...importStates[report.state]} />
          <Text size="sm" c="dimmed">
            <RelativeTime at={report.undoneAt ?? report.committedAt ?? report.createdAt} />
          </Text>
        </Group>
        <Button variant="default" leftSection={<ArrowLeft size={16} aria-hidden />} onClick={onClose}>
          {report.state === "staged" ? "Back to the rows" : "All imports"}
        </Button>
      </Group>
      {report.state === "reading" ? (
        <GiveUpReading listId={listId} of={report} onCanceled={onClose} />
      ) : (
        <Counts of={report} />
      )}
      {report.state === "staged" && <CommitImport key={report._id} listId={listId} of={report} onCanceled={onClose} />}
      <ImportLines of={report} />
      <Samples of={report} />
      {report.state === "committed" && <Undo listId={listId} of={report} />}
    </Stack>
  );
}

/** The counts: what the rows are, and what became of them. */
function Counts({ of: { counts, mode, result, undo } }: { of: Report }) {
  const figures: [label: string, count: number, tone?: string][] = [
    ["Rows", counts.rows],
    ["New", counts.new],
    ["The same", counts.same],
    ["In conflict", counts.conflict, "orange"],
    ["Bad", counts.bad, "red"],
    ["Repeated", counts.duplicate],
  ];
  if (counts.stale > 0) figures.push(["Older than the list", counts.stale]);
  if (counts.trimmed > 0) figures.push(["Trimmed", counts.trimmed]);
  if (mode === "full-set") figures.push(["To be removed", counts.removed, "orange"]);
  const after = [
    result && `Committing added ${result.added}, changed ${result.changed} and removed ${result.removed}.`,
    undo && `Undoing removed ${undo.removed}, restored ${undo.restored} and kept ${undo.kept} that were changed since.`,
  ].filter(Boolean);
  return (
    <Paper withBorder p="md">
      <SimpleGrid component="dl" cols={{ base: 2, xs: 3, md: figures.length }} m={0}>
        {figures.map(([label, count, tone]) => (
          <div key={label}>
            <Text component="dt" size="sm" c="dimmed">
              {label}
            </Text>
            <Text component="dd" m={0} fz={24} fw={600} className={tone && count > 0 ? classes[tone] : undefined}>
              {count.toLocaleString()}
            </Text>
          </div>
        ))}
      </SimpleGrid>
      {after.length > 0 && (
        <Text size="sm" mt="md" role="status">
          {after.join(" ")}
        </Text>
      )}
    </Paper>
  );
}

/** The first codes under each preset: whoever chose the wrong one sees it here. */
function Samples({ of: { samples, preset } }: { of: Report }) {
  if (samples.length === 0) return null;
  const kinds = samples[0]?.results.map((result) => result.preset) ?? [];
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="samples">
      <Title order={3} size="h5" id="samples" mb="xs">
        The first codes under each preset
      </Title>
      <Table.ScrollContainer minWidth={0} type="native">
        <Table aria-labelledby="samples">
          <Table.Tbody>
            {kinds.map((kind) => (
              <Table.Tr key={kind}>
                <Table.Th fw={kind === preset ? 650 : 400} scope="row">
                  {presets.find(({ value }) => value === kind)?.label ?? kind}
                  {kind === preset && " (chosen)"}
                </Table.Th>
                <Table.Td>
                  <Group gap="xs">
                    {samples.map(({ code, results }) => (
                      <Code key={code}>{results.find((result) => result.preset === kind)?.code ?? "does not fit"}</Code>
                    ))}
                  </Group>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  );
}

function Undo({ listId, of: report }: { listId: string; of: Report }) {
  const [undo] = useAction(UndoImportDocument, { done: "The import was undone" });
  return (
    <DangerZone>
      <DangerAction
        title="Undo this import"
        text="What it added is removed, and what it changed or removed is restored, save for entries that were changed again since."
        button="Undo"
        onConfirm={() => undo({ listId, id: report._id })}
      />
    </DangerZone>
  );
}
