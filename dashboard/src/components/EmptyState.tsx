import { Paper, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

interface Props {
  icon: LucideIcon;
  title: string;
  text: string;
  /** The next step. */
  children?: ReactNode;
}

/** A placeholder for missing content. */
export function EmptyState({ icon: Icon, title, text, children }: Props) {
  return (
    <Paper withBorder py={48} px="md">
      <Stack align="center" gap="xs">
        <ThemeIcon size={48} radius="xl" variant="default" mb="xs" aria-hidden>
          <Icon size={22} />
        </ThemeIcon>
        <Title order={2} size="h4" ta="center">
          {title}
        </Title>
        <Text c="dimmed" ta="center" maw={440} mb="sm">
          {text}
        </Text>
        {children}
      </Stack>
    </Paper>
  );
}
