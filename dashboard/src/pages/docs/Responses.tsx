import { Accordion, Code, Group, Stack, Text } from "@mantine/core";
import { CodeView } from "../../components/CodeView";
import classes from "./docs.module.css";
import { FieldList } from "./FieldList";
import { Markdown } from "./Markdown";
import { choicesOf, type Description, exampleOf, flat, type Media, type Operation } from "./openapi";

/** The responses of an operation. Errors have their codes and an example body. */
export function Responses({ document, operation }: { document: Description; operation: Operation }) {
  const [first] = operation.answers;
  return (
    <Accordion
      variant="contained"
      keepMounted={false}
      multiple
      defaultValue={first ? [first.status] : []}
      order={3}
      className={classes.answers}
    >
      {operation.answers.map(({ status, description, content }) => (
        <Accordion.Item key={status} value={status}>
          <Accordion.Control>
            <Group gap="sm" wrap="nowrap" align="baseline">
              <Text component="span" fw={650} className={classes.status}>
                {status}
              </Text>
              <Text component="span" size="sm" lineClamp={1}>
                {plain(description)}
              </Text>
            </Group>
          </Accordion.Control>
          <Accordion.Panel>
            <Stack gap="sm">
              <Markdown text={description} small />
              {Object.entries(content).map(([type, media]) => (
                <ResponseBody key={type} type={type} media={media} document={document} />
              ))}
            </Stack>
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}

/** Returns the text of inline Markdown. */
function plain(text: string): string {
  return text.replaceAll("`", "");
}

interface BodyProps {
  document: Description;
  type: string;
  media: Media;
}

function ResponseBody({ document, type, media }: BodyProps) {
  const codes = errorCodes(document, media);
  const example = exampleOf(document, media, true);
  return (
    <>
      {codes.length > 0 && (
        <Group gap={4}>
          <Text size="sm">
            <Code>code</Code> is {codes.length > 1 ? "one of" : ""}
          </Text>
          {codes.map((code) => (
            <Code key={code}>{code}</Code>
          ))}
        </Group>
      )}
      <CodeView label={`Example · ${type}`} value={example} maxHeight={360} />
      {media.schema && codes.length === 0 && <FieldList document={document} schema={media.schema} />}
    </>
  );
}

/** Returns the error codes of a response; none if it isn't an error. */
function errorCodes(document: Description, { schema }: Media): string[] {
  const { properties } = schema ? flat(document, schema) : {};
  if (!properties?.code || !properties.requestId) return [];
  return choicesOf(document, properties.code).map(String);
}
