import { Button, Group, Paper, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { Download, type LucideIcon, ShieldCheck, SquareTerminal, Waypoints, Webhook } from "lucide-react";
import { Link } from "react-router";
import { Page } from "../../components/Page";
import classes from "./docs.module.css";
import { type Guide, guides, handbook } from "./guides";
import { Reference } from "./Reference";
import { SchemaDownload } from "./SchemaDownload";

const parts: { to: string; icon: LucideIcon; label: string; text: string }[] = [
  {
    to: "/docs/api",
    icon: Waypoints,
    label: "REST API",
    text: "Every operation with permissions, bodies and errors",
  },
  {
    to: "/playground",
    icon: SquareTerminal,
    label: "GraphQL playground",
    text: "Explore the API with autocomplete and examples",
  },
  { to: "/docs/events", icon: Webhook, label: "Webhook events", text: "Every event type with sample data" },
  {
    to: "/docs/permissions",
    icon: ShieldCheck,
    label: "Permissions",
    text: "The callers of every operation, with their roles and permissions",
  },
];

/** The home page of the reference. */
export default function ReferencePage() {
  return (
    <Reference>
      <Page
        title="Reference"
        text="API reference and guides, served by this installation."
        actions={
          <Group gap="xs">
            <Button
              component="a"
              href="/api/openapi.json"
              download="ticketgate-openapi.json"
              variant="default"
              leftSection={<Download size={16} aria-hidden />}
            >
              Download OpenAPI document
            </Button>
            <SchemaDownload />
          </Group>
        }
      >
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          {parts.map(({ to, icon: Icon, label, text }) => (
            <Paper key={to} component={Link} to={to} withBorder p="md" className={classes.card}>
              <Icon size={20} aria-hidden />
              <Text fw={600} mt={6}>
                {label}
              </Text>
              <Text size="sm" c="dimmed">
                {text}
              </Text>
            </Paper>
          ))}
        </SimpleGrid>
        <Titles title="Guides" list={guides} />
        <Titles title="Documentation" list={handbook} />
      </Page>
    </Reference>
  );
}

function Titles({ title, list }: { title: string; list: Guide[] }) {
  return (
    <Stack gap="sm" component="section" aria-label={title}>
      <Title order={2} size="h4">
        {title}
      </Title>
      <Paper withBorder className={classes.operations}>
        {list.map(({ slug, label, text }) => (
          <Link key={slug} to={`/docs/guides/${slug}`} className={classes.guideRow}>
            <Text component="span" size="sm" fw={550}>
              {label}
            </Text>
            <Text component="span" size="sm" c="dimmed">
              {text}
            </Text>
          </Link>
        ))}
      </Paper>
    </Stack>
  );
}
