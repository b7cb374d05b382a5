import { Code, Paper, Stack, Table, Text, Title } from "@mantine/core";
import type { Report } from "./imports";
import classes from "./lists.module.css";

type Line = Report["badLines"][number];

interface Props {
  of: Report;
}

/** The rows that need attention, by kind. */
export function ImportLines({ of: report }: Props) {
  const kinds: [title: string, lines: Line[], count: number, why: string][] = [
    ["Invalid rows", report.badLines, report.counts.bad, "Reason"],
    ["Conflicts", report.conflictLines, report.counts.conflict, "Different fields"],
    ["Warnings", report.warningLines, report.counts.warnings, "Reason"],
  ];
  return (
    <>
      {kinds
        .filter(([, found]) => found.length > 0)
        .map(([title, found, count, why]) => (
          <Listed key={title} title={`${title}: ${count.toLocaleString()}`}>
            <Table stickyHeader aria-label={title}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th w={70}>Line</Table.Th>
                  <Table.Th>Code</Table.Th>
                  <Table.Th>{why}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {found.map(({ line, externalCode, reason }) => (
                  <Table.Tr key={line}>
                    <Table.Td>{line}</Table.Td>
                    <Table.Td>{externalCode ? <Code>{externalCode}</Code> : "–"}</Table.Td>
                    <Table.Td>{reason}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Listed>
        ))}
      {report.removedCodes.length > 0 && (
        <Listed title={`Entries not in the import: ${report.counts.removed.toLocaleString()}`}>
          <Text component="div" size="sm" className={classes.codes}>
            {report.removedCodes.map((code) => (
              <Code key={code}>{code}</Code>
            ))}
          </Text>
        </Listed>
      )}
    </>
  );
}

/** A box that scrolls if its content is long. */
function Listed({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <Paper withBorder p="lg" component="section" aria-label={title}>
      <Stack gap="xs">
        <Title order={3} size="h5">
          {title}
        </Title>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard */}
        <section className={classes.listed} tabIndex={0} aria-label={title}>
          {children}
        </section>
      </Stack>
    </Paper>
  );
}
