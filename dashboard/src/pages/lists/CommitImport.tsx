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

/** Giving up an import whose rows nobody sends any more, as when their sender's page was closed. */
export function GiveUpReading({ listId, of: { _id: id, counts }, onCanceled }: Props) {
  const [cancel, canceling] = useAction(CancelImportDocument, { done: "The import was canceled" });
  return (
    <Paper withBorder p="lg">
      <Group justify="space-between">
        <Text size="sm">
          {counts.rows.toLocaleString()} rows have come in so far. An import that nobody goes on with is removed after a
          day.
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

/** Committing a staged import, with an answer to each thing that stands in its way; or giving it up. */
export function CommitImport({ listId, of: report, onCanceled }: Props) {
  const { _id: id, counts, mode } = report;
  const [onConflict, setOnConflict] = useState<EntryImportConflictRule>(mode === "full-set" ? "update" : "fail");
  const [skipBad, setSkipBad] = useState(false);
  const [confirmRemovals, setConfirmRemovals] = useState(false);
  const [commit, committing] = useAction(CommitImportDocument, { done: "The import was committed" });
  const [cancel, canceling] = useAction(CancelImportDocument, { done: "The import was canceled" });
  const asksConflicts = counts.conflict > 0 && mode !== "full-set";
  const blocked = (counts.bad > 0 && !skipBad) || (asksConflicts && onConflict === "fail");
  async function giveUp() {
    if (await cancel({ listId, id })) onCanceled();
  }
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="commit-import">
      <Stack maw={760}>
        <Title order={3} size="h5" id="commit-import">
          Change the list?
        </Title>
        <Text size="sm">Nothing was changed yet. All of it is done, or nothing.</Text>
        {counts.bad > 0 && (
          <Checkbox
            label={counts.bad === 1 ? "Leave the bad row out" : `Leave the ${counts.bad.toLocaleString()} bad rows out`}
            checked={skipBad}
            onChange={(event) => setSkipBad(event.currentTarget.checked)}
          />
        )}
        {asksConflicts && (
          <Radio.Group
            label="Codes that the list has with something else"
            value={onConflict}
            onChange={(rule) => setOnConflict(rule as EntryImportConflictRule)}
          >
            <Stack gap="xs" mt="xs">
              <Radio value="skip" label="Keep the entry as it is in the list" />
              <Radio value="update" label="Change the entry to what the row says" />
            </Stack>
          </Radio.Group>
        )}
        {counts.removed > 0 && (
          <Checkbox
            label={`Remove ${counts.removed.toLocaleString()} ${counts.removed === 1 ? "entry" : "entries"}, even if it is more than a fifth of the list`}
            checked={confirmRemovals}
            onChange={(event) => setConfirmRemovals(event.currentTarget.checked)}
          />
        )}
        {counts.new + counts.conflict + counts.removed === 0 && (
          <Alert variant="light" icon={<Info aria-hidden />}>
            There is nothing to change: the list has all of it.
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
            Commit
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}
