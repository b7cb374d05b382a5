import { Anchor, Breadcrumbs, Group, Stack, Text, Title } from "@mantine/core";
import { createContext, type ReactNode, useEffect } from "react";
import { Link } from "react-router";
import classes from "./components.module.css";

interface Props {
  title: string;
  /** One sentence about the page. */
  text?: ReactNode;
  /** The pages above this one, for the breadcrumbs. */
  parents?: { to: string; label: string }[];
  /** Pills next to the title. */
  status?: ReactNode;
  /** Buttons on the right. */
  actions?: ReactNode;
  children: ReactNode;
}

/** The list that the record belongs to. Error states link to it. */
export const ParentContext = createContext<{ to: string; label: string } | undefined>(undefined);

/** The maximum width of a name in the breadcrumbs. */
const nameWidth = { base: 160, sm: 400 };

/** The top of every page: breadcrumbs, title and actions. */
export function Page({ title, text, parents, status, actions, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Ticketgate`;
  }, [title]);
  return (
    <Stack gap="lg">
      <Stack gap={4}>
        {parents && (
          <Breadcrumbs component="nav" aria-label="Breadcrumbs" separatorMargin={6} style={{ flexWrap: "wrap" }}>
            {parents.map(({ to, label }) => (
              <Anchor key={to} component={Link} to={to} size="sm" truncate lh={1.4} maw={nameWidth}>
                {label}
              </Anchor>
            ))}
            <Text size="sm" c="dimmed" truncate lh={1.4} maw={nameWidth}>
              {title}
            </Text>
          </Breadcrumbs>
        )}
        <Group justify="space-between" align="flex-start" gap="md">
          <Stack gap={4} className={classes.grow}>
            <Group gap="sm">
              <Title order={1} size="h2" className={classes.breakable}>
                {title}
              </Title>
              {status}
            </Group>
            {text && (
              <Text c="dimmed" maw={760}>
                {text}
              </Text>
            )}
          </Stack>
          {actions && <Group gap="sm">{actions}</Group>}
        </Group>
      </Stack>
      <ParentContext value={parents?.at(-1)}>{children}</ParentContext>
    </Stack>
  );
}
