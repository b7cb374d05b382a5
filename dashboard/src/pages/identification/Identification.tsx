import { Code, Stack, Text } from "@mantine/core";
import { Panel } from "../../components/Panel";
import type { CheckoutSettingsFragment } from "./identification.generated";

type Groups = CheckoutSettingsFragment["identificationConfig"];
type Requirement = NonNullable<Groups>[number][number];

interface Props {
  siren: boolean;
  country: string;
  /** What the seller itself has configured; nothing: what the module asks for. */
  groups: Groups;
}

/** What buyers are asked for, in words. */
export function Identification({ siren, country, groups }: Props) {
  return (
    <Panel title="What buyers are asked for" maw={760}>
      {siren && !groups && (
        <Text size="sm">
          This seller ({country}) has no configuration of its own. In FR, GP, MQ and RE the module then asks companies
          from these countries for a SIREN and the full address; of sellers elsewhere it asks nothing.
        </Text>
      )}
      {groups && !siren && (
        <Text size="sm">The module is off, so nothing is asked for, whatever is configured below.</Text>
      )}
      {!groups && !siren && <Text size="sm">Nothing: the module is off, and nothing is configured.</Text>}
      {groups?.length === 0 && <Text size="sm">Nothing: the configuration is empty.</Text>}
      {groups?.map((group, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a group is known by its place
        <Stack key={at} gap={4}>
          <Text size="sm" fw={500}>
            {at === 0 ? "Any one of these" : "And any one of these"}
          </Text>
          {group.map((requirement) => (
            <Text key={JSON.stringify(requirement)} size="sm">
              <Code>{requirement.type}</Code> {wordsOf(requirement)}
            </Text>
          ))}
        </Stack>
      ))}
    </Panel>
  );
}

/** When a document is asked for. */
function wordsOf(requirement: Requirement): string {
  const { applicableBuyerCountries: countries, identificationThreshold: threshold } = requirement;
  const reasons = [
    requirement.forceForB2B && "once a company is named",
    requirement.forceForInternational && "when the buyer's country is another",
    threshold != null && `from a total of ${threshold} upward`,
  ].filter(Boolean);
  const where = !countries ? "from buyers of all countries" : `from buyers of ${countries.join(", ") || "no country"}`;
  const address = requirement.requireAddress ? ", with the full address" : "";
  return `${where}, ${reasons.join(", or ") || "in no case"}${address}`;
}
