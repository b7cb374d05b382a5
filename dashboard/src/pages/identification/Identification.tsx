import { Code, Stack, Text } from "@mantine/core";
import { Panel } from "../../components/Panel";
import type { CheckoutSettingsFragment } from "./identification.generated";

type Groups = CheckoutSettingsFragment["identificationConfig"];
type Requirement = NonNullable<Groups>[number][number];

interface Props {
  siren: boolean;
  country: string;
  /** The seller's own configuration; null for the module's default. */
  groups: Groups;
}

/** Shows in words what buyers must provide. */
export function Identification({ siren, country, groups }: Props) {
  return (
    <Panel title="Required buyer details" maw={760}>
      {siren && !groups && (
        <Text size="sm">
          This seller ({country}) uses the default. Sellers in FR, GP, MQ and RE require a SIREN and the full address
          from companies in these countries. Sellers elsewhere require nothing.
        </Text>
      )}
      {groups && !siren && (
        <Text size="sm">Nothing. Company identification is off, so the configuration below has no effect.</Text>
      )}
      {!groups && !siren && (
        <Text size="sm">Nothing. Company identification is off and there is no configuration.</Text>
      )}
      {groups?.length === 0 && <Text size="sm">Nothing. The configuration is empty.</Text>}
      {groups?.map((group, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: groups have no ID
        <Stack key={at} gap={4}>
          <Text size="sm" fw={500}>
            {at === 0 ? "One of these" : "And one of these"}
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

/** Describes when a document is required. */
function wordsOf(requirement: Requirement): string {
  const { applicableBuyerCountries: countries, identificationThreshold: threshold } = requirement;
  const reasons = [
    requirement.forceForB2B && "if the buyer enters a company",
    requirement.forceForInternational && "if the buyer's country differs from the seller's",
    threshold != null && `for totals of ${threshold} or more`,
  ].filter(Boolean);
  const where = !countries ? "from buyers in all countries" : `from buyers in ${countries.join(", ") || "no country"}`;
  const address = requirement.requireAddress ? ", with the full address" : "";
  return `${where}, ${reasons.join(", or ") || "but never required"}${address}`;
}
