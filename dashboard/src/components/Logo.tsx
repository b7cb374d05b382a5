import { Group, Text } from "@mantine/core";
import mark from "../favicon.svg";

/** The logo and the product name. */
export function Logo({ size = "md" }: { size?: "md" | "lg" }) {
  const large = size === "lg";
  return (
    <Group gap={large ? "sm" : "xs"} wrap="nowrap">
      <img src={mark} alt="" width={large ? 36 : 26} height={large ? 36 : 26} />
      <Text fw={700} fz={large ? 24 : 18} lts={-0.3} component="span">
        Ticketgate
      </Text>
    </Group>
  );
}
