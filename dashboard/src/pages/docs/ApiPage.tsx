import { Alert, Button, Paper, Skeleton, Stack, Text, Title } from "@mantine/core";
import { Download, TriangleAlert } from "lucide-react";
import { Link, useParams } from "react-router";
import { Page } from "../../components/Page";
import classes from "./docs.module.css";
import { slugOf } from "./guides";
import { Markdown } from "./Markdown";
import { Method } from "./Method";
import { OperationView } from "./OperationView";
import { callerNames, type Description, type Operation } from "./openapi";
import { Reference } from "./Reference";
import { useAnchor } from "./useAnchor";
import { useDescription } from "./useDescription";

/** The REST API: the list of operations, or one operation. */
export default function ApiPage() {
  const { operation: id } = useParams();
  const { loaded, failed, retry } = useDescription();
  useAnchor(loaded);
  if (!loaded) {
    return (
      <Reference>
        <Page title="REST API">{failed ? <Failed onRetry={retry} /> : <Skeleton height={320} aria-busy />}</Page>
      </Reference>
    );
  }
  const { document, operations } = loaded;
  const operation = operations.find((one) => one.id === id);
  return (
    <Reference within={groupsOf(document, operations)}>
      {operation ? (
        <OperationView document={document} operation={operation} />
      ) : (
        <Everything {...loaded} unknown={id} />
      )}
    </Reference>
  );
}

function Failed({ onRetry }: { onRetry: () => void }) {
  return (
    <Alert
      color="red"
      variant="light"
      icon={<TriangleAlert aria-hidden />}
      title="The API reference couldn't be loaded"
    >
      <Button size="xs" variant="default" onClick={onRetry}>
        Try again
      </Button>
    </Alert>
  );
}

const addressOfTag = (tag: string) => `/docs/api#${slugOf(tag)}`;
const addressOfOperation = (id: string) => `/docs/api/${id}`;

function groupsOf({ tags }: Description, operations: Operation[]) {
  return tags
    .map(({ name }) => ({
      to: addressOfTag(name),
      label: name,
      places: operations
        .filter(({ tag }) => tag === name)
        .map(({ id, summary }) => ({ to: addressOfOperation(id), label: summary })),
    }))
    .filter(({ places }) => places.length > 0);
}

interface Props {
  document: Description;
  operations: Operation[];
  /** The name of an unknown operation. */
  unknown: string | undefined;
}

function Everything({ document, operations, unknown }: Props) {
  return (
    <Page
      title="REST API"
      text={`All operations, with permissions, parameters and responses. Version ${document.info.version}.`}
      actions={
        <Button
          component="a"
          href="/api/openapi.json"
          download="ticketgate-openapi.json"
          variant="default"
          leftSection={<Download size={16} aria-hidden />}
        >
          Download OpenAPI document
        </Button>
      }
    >
      {unknown && (
        <Alert color="orange">The operation “{unknown}” doesn't exist. All operations are listed below.</Alert>
      )}
      <Markdown text={document.info.description} />
      <Credentials document={document} />
      {document.tags.map(({ name, description }) => (
        <TagSection
          key={name}
          name={name}
          description={description}
          operations={operations.filter(({ tag }) => tag === name)}
        />
      ))}
    </Page>
  );
}

function Credentials({ document }: { document: Description }) {
  return (
    <Stack gap="sm">
      <Title order={2} size="h4" id="callers" className={classes.anchor}>
        Authentication
      </Title>
      <Paper withBorder px="md">
        {Object.entries(document.components.securitySchemes).map(([scheme, { name, description }]) => (
          <div key={scheme} className={classes.member}>
            <Text size="sm" fw={600}>
              {callerNames[scheme] ?? scheme}
              <Text span size="sm" c="dimmed" fw={400}>
                {` · ${name ? `${name} header` : "bearer token"}`}
              </Text>
            </Text>
            <Markdown text={description} small />
          </div>
        ))}
      </Paper>
    </Stack>
  );
}

function TagSection({ name, description, operations }: { name: string; description: string; operations: Operation[] }) {
  if (operations.length === 0) return null;
  return (
    <Stack gap="sm" component="section" aria-labelledby={slugOf(name)}>
      <Title order={2} size="h4" id={slugOf(name)} className={classes.anchor}>
        {name}
      </Title>
      <Markdown text={description} small />
      <Paper withBorder className={classes.operations}>
        {operations.map(({ id, method, path, summary }) => (
          <Link key={id} to={addressOfOperation(id)} className={classes.operationRow}>
            <Method method={method} />
            <span className={classes.path}>{path}</span>
            <Text component="span" size="sm">
              {summary}
            </Text>
          </Link>
        ))}
      </Paper>
    </Stack>
  );
}
