import {
  Alert,
  Button,
  FileInput,
  Group,
  NativeSelect,
  Paper,
  PasswordInput,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
} from "@mantine/core";
import { Play } from "lucide-react";
import { type FormEvent, useState } from "react";
import { CodeView } from "../../components/CodeView";
import { StatusPill } from "../../components/StatusPill";
import { useCredential } from "../../session/credentials";
import { callerNames, choicesOf, type Description, exampleOf, type Operation, type Parameter } from "./openapi";
import { type Call, callOf, curlOf, isFile, missingIn, unsendableIn } from "./request";

interface Answered {
  status: number;
  took: number;
  requestId: string | null;
  body: string;
}

const noCredential = "none";

/** A form that calls an operation of this server. The credential stays in memory. */
export function TryIt({ document, operation }: { document: Description; operation: Operation }) {
  const schemes = [...operation.callers.map(({ scheme }) => scheme), ...(operation.open ? [noCredential] : [])];
  const media = Object.entries(operation.body?.content ?? {});
  const [scheme, setScheme] = useState(schemes[0] ?? noCredential);
  const [credential, setCredential] = useCredential(scheme);
  const [values, setValues] = useState<Record<string, string>>({});
  const [type, setType] = useState(media[0]?.[0]);
  const [bodies, setBodies] = useState(() =>
    Object.fromEntries(media.map(([name, one]) => [name, textOf(exampleOf(document, one, false))])),
  );
  const [file, setFile] = useState<File | null>(null);
  const [answer, setAnswer] = useState<Answered | string>();
  const [sending, setSending] = useState(false);

  const chosen = type && isFile(type) ? file : null;
  const body = type && (chosen ?? bodies[type]);
  const call = callOf(operation, { values, media: type, body, scheme, credential });
  const missing = missingIn(operation, values);
  const unsendable = unsendableIn(operation, values);

  async function send(event: FormEvent) {
    event.preventDefault();
    setSending(true);
    setAnswer(await sent(call));
    setSending(false);
  }
  return (
    <Paper withBorder p="md" component="form" onSubmit={send} aria-label="Try it">
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <NativeSelect
            label="Caller"
            value={scheme}
            onChange={(event) => setScheme(event.currentTarget.value)}
            data={schemes.map((name) => ({ value: name, label: callerNames[name] ?? "No credential" }))}
          />
          {scheme !== noCredential && (
            <PasswordInput
              label="Credential"
              placeholder={document.components.securitySchemes[scheme]?.bearerFormat}
              value={credential}
              onChange={(event) => setCredential(event.currentTarget.value)}
              autoComplete="off"
              data-1p-ignore
            />
          )}
        </SimpleGrid>
        <Text size="xs" c="dimmed">
          Requests are real and change live data. The credential stays in this tab and is lost on reload. Your session
          isn't used.
        </Text>
        {operation.parameters.map((parameter) => (
          <ParameterField
            key={parameter.name}
            parameter={parameter}
            choices={choicesOf(document, parameter.schema).map(String)}
            value={values[parameter.name] ?? ""}
            error={
              unsendable.includes(parameter.name) &&
              "Browsers can't send this value in a path. Use the curl command below."
            }
            onChange={(value) => setValues({ ...values, [parameter.name]: value })}
          />
        ))}
        {type && media.length > 1 && (
          <NativeSelect
            label="Content type"
            data={media.map(([name]) => name)}
            value={type}
            onChange={(event) => setType(event.currentTarget.value)}
          />
        )}
        {type && isFile(type) && (
          <FileInput
            label="File"
            description="Sent unchanged. Without a file, the text below is sent."
            placeholder="Select a file"
            value={file}
            onChange={setFile}
            clearable
            clearButtonProps={{ "aria-label": "Remove file" }}
          />
        )}
        {type && !chosen && (
          <Textarea
            label="Body"
            description={type}
            autosize
            minRows={3}
            maxRows={18}
            ff="monospace"
            styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
            value={bodies[type]}
            onChange={(event) => setBodies({ ...bodies, [type]: event.currentTarget.value })}
            spellCheck={false}
          />
        )}
        <Group gap="sm">
          <Button
            type="submit"
            loading={sending}
            disabled={missing.length > 0 || unsendable.length > 0}
            leftSection={<Play size={15} aria-hidden />}
          >
            Send request
          </Button>
          {missing.length > 0 && (
            <Text size="sm" c="dimmed">
              Fill in {missing.join(", ")} first.
            </Text>
          )}
        </Group>
        <Answer answer={answer} />
        <CodeView label="curl" value={curlOf(window.location.origin, call)} />
      </Stack>
    </Paper>
  );
}

function textOf(example: unknown): string {
  if (example === undefined) return "";
  return typeof example === "string" ? example : JSON.stringify(example, null, 2);
}

/** Sends a request without cookies. Returns the response, or the reason for a failure. */
async function sent({ method, path, headers, body }: Call): Promise<Answered | string> {
  const started = performance.now();
  try {
    const answer = await fetch(path, { method, headers, body, credentials: "omit" });
    const text = await answer.text();
    const took = Math.round(performance.now() - started);
    return { status: answer.status, took, requestId: answer.headers.get("x-request-id"), body: pretty(text) };
  } catch {
    return "The server can't be reached, or the browser rejected a header. Check your input and try again.";
  }
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

interface FieldProps {
  parameter: Parameter;
  choices: string[];
  value: string;
  error: string | false;
  onChange: (value: string) => void;
}

function ParameterField({ parameter: { name, in: place, required }, choices, value, error, onChange }: FieldProps) {
  const shared = { label: name, description: place, required: required && place !== "header", value, error };
  if (choices.length > 0) {
    return (
      <NativeSelect
        {...shared}
        data={["", ...choices.filter(Boolean)]}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  return (
    <TextInput
      {...shared}
      onChange={(event) => onChange(event.currentTarget.value)}
      autoComplete="off"
      spellCheck={false}
    />
  );
}

function Answer({ answer }: { answer: Answered | string | undefined }) {
  if (answer === undefined) return null;
  if (typeof answer === "string") {
    return (
      <Alert color="red" variant="light" role="alert">
        {answer}
      </Alert>
    );
  }
  const good = answer.status < 400;
  return (
    <Stack gap="xs" role="status">
      <Group gap="sm">
        <StatusPill
          tone={good ? "good" : "bad"}
          label={String(answer.status)}
          explanation={good ? "The request succeeded." : "The request failed. The response body contains the reason."}
        />
        <Text size="sm" c="dimmed">
          {answer.took} ms{answer.requestId && ` · request ${answer.requestId}`}
        </Text>
      </Group>
      <CodeView label="Response" value={answer.body || "(empty)"} />
    </Stack>
  );
}
