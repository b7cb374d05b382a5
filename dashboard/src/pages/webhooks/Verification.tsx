import {
  Alert,
  Button,
  Group,
  Paper,
  PasswordInput,
  Select,
  Stack,
  Text,
  Textarea,
  TextInput,
  Title,
} from "@mantine/core";
import { useForm } from "@mantine/form";
import { CircleCheck, CircleX } from "lucide-react";
import { useState } from "react";
import { useClient } from "urql";
import java from "../../../../docs/verify-signature/Verify.java?raw";
import go from "../../../../docs/verify-signature/verify.go?raw";
import php from "../../../../docs/verify-signature/verify.php?raw";
import python from "../../../../docs/verify-signature/verify.py?raw";
import ruby from "../../../../docs/verify-signature/verify.rb?raw";
import typescript from "../../../../docs/verify-signature/verify.ts?raw";
import { CodeView } from "../../components/CodeView";
import { CopyValue } from "../../components/CopyValue";
import { showFailure } from "../../components/useAction";
import { failureOf } from "../../lib/failure";
import type { Webhook } from "./webhooks";
import { CheckSignatureDocument, type CheckSignatureQuery } from "./webhooks.generated";

type Verdict = CheckSignatureQuery["checkWebhookSignature"];

/** The programs of the documentation, which its tests run. */
const programs: Record<string, string> = {
  Go: go,
  TypeScript: typescript,
  Python: python,
  PHP: php,
  Java: java,
  Ruby: ruby,
};

/** How an endpoint verifies a signature, and why one doesn't match. */
export function Verification({ of: webhook }: { of: Webhook }) {
  return (
    <Stack gap="lg">
      <SignatureCheck webhook={webhook} />
      <Programs />
    </Stack>
  );
}

function Programs() {
  const [language, setLanguage] = useState("TypeScript");
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="programs">
      <Stack gap="sm">
        <Title order={2} size="h4" id="programs">
          Verify a signature
        </Title>
        <Text size="sm" c="dimmed" maw={760}>
          The <code>x-service-signature</code> header contains the hexadecimal HMAC-SHA-256 of the body, computed with
          the signing key. Use the raw body, before JSON parsing. Copy the <code>verify</code> function below.
        </Text>
        <Select
          label="Language"
          data={Object.keys(programs)}
          value={language}
          onChange={(value) => setLanguage(value ?? "TypeScript")}
          allowDeselect={false}
          maw={240}
        />
        <CodeView label={language} value={programs[language]} />
      </Stack>
    </Paper>
  );
}

function SignatureCheck({ webhook }: { webhook: Webhook }) {
  const client = useClient();
  const [verdict, setVerdict] = useState<Verdict>();
  const [busy, setBusy] = useState(false);
  const form = useForm({
    initialValues: { body: "", signature: "", hmacKey: "" },
    onValuesChange: () => setVerdict(undefined),
  });
  async function check({ body, signature, hmacKey }: typeof form.values) {
    setBusy(true);
    const key = hmacKey ? { hmacKey } : { webhookId: webhook._id };
    const { data, error } = await client.query(
      CheckSignatureDocument,
      { input: { body, signature, ...key } },
      { requestPolicy: "network-only" },
    );
    setBusy(false);
    if (error) showFailure(failureOf(error));
    setVerdict(data?.checkWebhookSignature);
  }
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="check">
      <form onSubmit={form.onSubmit(check)}>
        <Stack gap="sm">
          <Title order={2} size="h4" id="check">
            Debug a signature
          </Title>
          <Text size="sm" c="dimmed" maw={760}>
            Paste the body that your program received and the signature it compared. Nothing is stored.
          </Text>
          <Textarea
            label="Body"
            description="Paste the raw body. Any extra space or line break changes the signature."
            required
            autosize
            minRows={3}
            maxRows={12}
            styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
            {...form.getInputProps("body")}
          />
          <TextInput
            label="Signature"
            description="The value of the header x-service-signature, or the signature your program computed."
            {...form.getInputProps("signature")}
          />
          <PasswordInput
            label="Signing key"
            description={
              webhook.hmacKey
                ? "Leave empty to use this webhook's key."
                : "This webhook has no signing key. Enter the one your program uses."
            }
            required={!webhook.hmacKey}
            autoComplete="off"
            visibilityToggleButtonProps={{ "aria-label": "Show signing key" }}
            {...form.getInputProps("hmacKey")}
          />
          <Group justify="flex-end">
            <Button type="submit" loading={busy}>
              Check signature
            </Button>
          </Group>
          {verdict && <VerdictAlert verdict={verdict} />}
        </Stack>
      </form>
    </Paper>
  );
}

function VerdictAlert({ verdict: { matches, expected, found } }: { verdict: Verdict }) {
  return (
    <Alert
      color={matches ? "green" : "red"}
      variant="outline"
      icon={matches ? <CircleCheck aria-hidden /> : <CircleX aria-hidden />}
      title={matches ? "Signature matches" : "Signature doesn't match"}
      role="status"
    >
      <Stack gap="xs">
        {found.map(({ cause, advice }) => (
          <Text key={cause} size="sm">
            {advice}
          </Text>
        ))}
        <Text size="sm" component="div">
          Expected signature for this body and key:
          <CopyValue value={expected} label="Copy signature" />
        </Text>
      </Stack>
    </Alert>
  );
}
