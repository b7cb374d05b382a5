import { Alert, Button, Checkbox, Group, Paper, Radio, Stack, Text, Title } from "@mantine/core";
import { Info } from "lucide-react";
import { useState } from "react";
import { useAction } from "../../components/useAction";
import type { Report } from "./imports";
import { CancelImportDocument, CommitImportDocument, type EntryImportConflictRule } from "./imports.generated";

interface Props {
  listId: string;
  of: Report;
  onCanceled: () => void;
}

/** Cancels an unfinished import, for example after its sender's page was closed. */
export function GiveUpReading({ listId, of: { _id: id, counts }, onCanceled }: Props) {
  const [cancel, canceling] = useAction(CancelImportDocument, { done: "Import canceled" });
  return (
    <Paper withBorder p="lg">
      <Group justify="space-between">
        <Text size="sm">
          {counts.rows.toLocaleString()} rows received so far. Unfinished imports are deleted after a day.
        </Text>
        <Button
          variant="default"
          loading={canceling}
          onClick={async () => (await cancel({ listId, id })) && onCanceled()}
        >
          Cancel import
        </Button>
      </Group>
    </Paper>
  );
}

/** Commits or cancels a staged import. Conflicts and invalid rows must be resolved first. */
export function CommitImport({ listId, of: report, onCanceled }: Props) {
  const { _id: id, counts, mode } = report;
  const [onConflict, setOnConflict] = useState<EntryImportConflictRule>(mode === "full-set" ? "update" : "fail");
  const [skipBad, setSkipBad] = useState(false);
  const [confirmRemovals, setConfirmRemovals] = useState(false);
  const [commit, committing] = useAction(CommitImportDocument, { done: "Import committed" });
  const [cancel, canceling] = useAction(CancelImportDocument, { done: "Import canceled" });
  const asksConflicts = counts.conflict > 0 && mode !== "full-set";
  const blocked = (counts.bad > 0 && !skipBad) || (asksConflicts && onConflict === "fail");
  async function giveUp() {
    if (await cancel({ listId, id })) onCanceled();
  }
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="commit-import">
      <Stack maw={760}>
        <Title order={3} size="h5" id="commit-import">
          Commit import?
        </Title>
        <Text size="sm">Nothing has changed yet. The import is all-or-nothing.</Text>
        {counts.bad > 0 && (
          <Checkbox
            label={counts.bad === 1 ? "Skip 1 invalid row" : `Skip ${counts.bad.toLocaleString()} invalid rows`}
            checked={skipBad}
            onChange={(event) => setSkipBad(event.currentTarget.checked)}
          />
        )}
        {asksConflicts && (
          <Radio.Group
            label="Existing codes with different data"
            value={onConflict}
            onChange={(rule) => setOnConflict(rule as EntryImportConflictRule)}
          >
            <Stack gap="xs" mt="xs">
              <Radio value="skip" label="Keep existing entries" />
              <Radio value="update" label="Update existing entries" />
            </Stack>
          </Radio.Group>
        )}
        {counts.removed > 0 && (
          <Checkbox
            label={`Remove ${counts.removed.toLocaleString()} ${counts.removed === 1 ? "entry" : "entries"}`}
            description="Required to remove more than a fifth of the list, or if invalid rows have no readable code."
            checked={confirmRemovals}
            onChange={(event) => setConfirmRemovals(event.currentTarget.checked)}
          />
        )}
        {counts.new + counts.conflict + counts.removed === 0 && (
          <Alert variant="light" icon={<Info aria-hidden />}>
            The list is already up to date.
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" loading={canceling} onClick={giveUp}>
            Cancel import
          </Button>
          <Button
            loading={committing}
            disabled={blocked}
            onClick={() => commit({ listId, id, input: { onConflict, skipBad, confirmRemovals } })}
          >
            Commit import
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}
