import { Badge, Code, Group, Text } from "@mantine/core";
import classes from "./docs.module.css";
import { Markdown } from "./Markdown";
import {
  choiceWord,
  type Description,
  flat,
  isIgnored,
  kindOf,
  limitsOf,
  objectOf,
  otherChoicesOf,
  type Schema,
} from "./openapi";
import { Unfold } from "./Unfold";

interface Props {
  document: Description;
  schema: Schema;
}

/** The fields of an object. Nested objects can be expanded. */
export function FieldList({ document, schema }: Props) {
  const object = objectOf(document, schema);
  if (!object) {
    return (
      <Text size="sm" c="dimmed">
        {kindOf(document, schema)}
      </Text>
    );
  }
  const fields = Object.entries(object.properties ?? {});
  const ignored = fields.filter(([, field]) => isIgnored(field)).map(([name]) => name);
  return (
    <div className={classes.members}>
      {fields
        .filter(([name]) => !ignored.includes(name))
        .map(([name, field]) => (
          <FieldRow
            key={name}
            name={name}
            document={document}
            schema={field}
            required={object.required?.includes(name) ?? false}
          />
        ))}
      {ignored.length > 0 && (
        <Text size="xs" c="dimmed" pt={8}>
          Accepted but ignored, so that you can send a record back as received: {ignored.join(", ")}.
        </Text>
      )}
    </div>
  );
}

interface FieldRowProps extends Props {
  name: string;
  required: boolean;
}

/** A field, parameter or header with its type and description. */
export function FieldRow({ name, document, schema, required }: FieldRowProps) {
  const { description } = flat(document, schema);
  const about = [kindOf(document, schema), ...limitsOf(document, schema)].join(" · ");
  return (
    <div className={classes.member}>
      <Group gap={8}>
        <span className={classes.memberName}>{name}</span>
        <Text size="sm" c="dimmed">
          {about}
        </Text>
        {required && (
          <Badge variant="default" size="sm" tt="none" fw={550}>
            required
          </Badge>
        )}
      </Group>
      {description && <Markdown text={description} small />}
      <Choices values={otherChoicesOf(document, schema)} />
      <Inside document={document} schema={schema} />
    </div>
  );
}

function Choices({ values }: { values: unknown[] }) {
  if (values.length === 0) return null;
  return (
    <Unfold summary={`All ${values.length} values`}>
      <Group gap={4} pt={4}>
        {values.map((value) => (
          <Code key={String(value)}>{choiceWord(value)}</Code>
        ))}
      </Group>
    </Unfold>
  );
}

/** The fields of a nested object. */
function Inside({ document, schema }: Props) {
  if (!objectOf(document, schema)) return null;
  return (
    <Unfold summary="Fields">
      <FieldList document={document} schema={schema} />
    </Unfold>
  );
}
