import { Alert, Group, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { CopyButton } from "../../components/CopyButton";
import { Page } from "../../components/Page";
import { Callers } from "./Callers";
import { FieldList, FieldRow } from "./FieldList";
import { Markdown } from "./Markdown";
import { RequestLine } from "./Method";
import type { Description, Operation, Parameter } from "./openapi";
import { Responses } from "./Responses";
import { TryIt } from "./TryIt";

/** An operation, with a form to call it. */
export function OperationView({ document, operation }: { document: Description; operation: Operation }) {
  return (
    <Page title={operation.summary} parents={[{ to: "/docs/api", label: "REST API" }]}>
      <Group gap="xs" wrap="nowrap">
        <RequestLine operation={operation} />
        {operation.served && <CopyButton value={operation.path} label="Copy path" />}
      </Group>
      {operation.description && <Markdown text={operation.description} />}
      <Part title="Permissions">
        <Callers operation={operation} />
      </Part>
      {operation.parameters.length > 0 && (
        <Part title="Parameters">
          <Parameters document={document} parameters={operation.parameters} />
        </Part>
      )}
      {operation.body && (
        <Part title="Body">
          {Object.entries(operation.body.content).map(([type, media]) => (
            <div key={type}>
              <Text size="sm" c="dimmed">
                {type}
                {operation.body?.required ? "" : ", optional"}
              </Text>
              {media.schema && <FieldList document={document} schema={media.schema} />}
            </div>
          ))}
        </Part>
      )}
      {operation.served ? (
        <Part title="Try it">
          <TryIt key={operation.id} document={document} operation={operation} />
        </Part>
      ) : (
        <Alert variant="light">
          To receive this request, create a webhook and send a test event. The webhook's page shows the delivery.
        </Alert>
      )}
      <Part title="Responses">
        <Responses key={operation.id} document={document} operation={operation} />
      </Part>
    </Page>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack gap="sm" component="section" aria-label={title}>
      <Title order={2} size="h4">
        {title}
      </Title>
      {children}
    </Stack>
  );
}

const places = { path: "Path", query: "Query", header: "Headers" };

function Parameters({ document, parameters }: { document: Description; parameters: Parameter[] }) {
  return Object.entries(places).map(([place, label]) => {
    const here = parameters.filter((parameter) => parameter.in === place);
    if (here.length === 0) return null;
    return (
      <div key={place}>
        <Text size="sm" c="dimmed">
          {label}
        </Text>
        {here.map(({ name, schema, description, required = false }) => (
          <FieldRow
            key={name}
            name={name}
            document={document}
            schema={description ? { ...schema, description } : schema}
            required={required}
          />
        ))}
      </div>
    );
  });
}
