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

/** The report of an import, before or after it is committed, with the next actions. */
export function ImportReport({ listId, of: report, onClose }: Props) {
  return (
    <Stack gap="lg">
      <Group justify="space-between">
        <Group gap="sm">
          <Title order={2} size="h4">
            {report.mode === "full-set" ? "Import (replaces the list)" : "Import"}
          </Title>
          <StatusPill {...importStates[report.state]} />
          <Text size="sm" c="dimmed">
            <RelativeTime at={report.undoneAt ?? report.committedAt ?? report.createdAt} />
          </Text>
        </Group>
        <Button variant="default" leftSection={<ArrowLeft size={16} aria-hidden />} onClick={onClose}>
          {report.state === "staged" ? "Back to rows" : "View all imports"}
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

const counted = (count: number) => count.toLocaleString();

/** The number of rows by kind, and the result of the import. */
function Counts({ of: { counts, mode, result, undo } }: { of: Report }) {
  const figures: [label: string, count: number, tone?: string][] = [
    ["Rows", counts.rows],
    ["New", counts.new],
    ["Unchanged", counts.same],
    ["Conflicts", counts.conflict, "orange"],
    ["Invalid", counts.bad, "red"],
    ["Duplicates", counts.duplicate],
  ];
  if (counts.stale > 0) figures.push(["Outdated", counts.stale]);
  if (counts.trimmed > 0) figures.push(["Trimmed", counts.trimmed]);
  if (mode === "full-set") figures.push(["To remove", counts.removed, "orange"]);
  const after = [
    result &&
      `Added ${counted(result.added)}, updated ${counted(result.changed)} and removed ${counted(result.removed)} entries.`,
    undo && `The undo removed ${counted(undo.removed)} and restored ${counted(undo.restored)} entries.`,
    undo && undo.kept > 0 && `It kept ${counted(undo.kept)} that were changed after the import.`,
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

/** The first codes in each format, to reveal a wrong choice. */
function Samples({ of: { samples, preset } }: { of: Report }) {
  if (samples.length === 0) return null;
  const kinds = samples[0]?.results.map((result) => result.preset) ?? [];
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="samples">
      <Title order={3} size="h5" id="samples" mb="xs">
        First codes in each format
      </Title>
      <Table.ScrollContainer minWidth={0} type="native">
        <Table aria-labelledby="samples">
          <Table.Tbody>
            {kinds.map((kind) => (
              <Table.Tr key={kind}>
                <Table.Th fw={kind === preset ? 650 : 400} scope="row">
                  {presets.find(({ value }) => value === kind)?.label ?? kind}
                  {kind === preset && " (selected)"}
                </Table.Th>
                <Table.Td>
                  <Group gap="xs">
                    {samples.map(({ code, results }) => (
                      <Code key={code}>{results.find((result) => result.preset === kind)?.code ?? "no match"}</Code>
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
  const [undo] = useAction(UndoImportDocument, { done: "Import undone" });
  return (
    <DangerZone>
      <DangerAction
        title="Undo import"
        text="Added entries are removed, and updated and removed entries are restored. Entries that were changed after the import are kept."
        button="Undo import"
        onConfirm={() => undo({ listId, id: report._id })}
      />
    </DangerZone>
  );
}
