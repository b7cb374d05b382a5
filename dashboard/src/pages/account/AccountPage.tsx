import { Badge, Button, Group, PasswordInput, Stack, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { MonitorSmartphone } from "lucide-react";
import { useQuery } from "urql";
import { Lines, Quiet } from "../../components/cells";
import { DangerAction, DangerZone } from "../../components/DangerZone";
import { type Column, DataTable } from "../../components/DataTable";
import { NewPasswordInput } from "../../components/NewPasswordInput";
import { Page } from "../../components/Page";
import { Panel } from "../../components/Panel";
import { RelativeTime } from "../../components/RelativeTime";
import { useAction } from "../../components/useAction";
import { useSession } from "../../session/session";
import {
  ChangePasswordDocument,
  LogoutEverywhereDocument,
  SessionsDocument,
  type SessionsQuery,
} from "./account.generated";
import { Memberships } from "./Memberships";

type Row = SessionsQuery["sessions"][number];

const columns: Column<Row>[] = [
  {
    header: "Session",
    cell: (session) => (
      <Lines>
        <Group gap="xs">
          <Text size="sm" fw={550}>
            {session.address}
          </Text>
          {session.current && (
            <Badge variant="default" tt="none">
              This browser
            </Badge>
          )}
        </Group>
        <Quiet lines={2}>{session.userAgent || "Unknown browser"}</Quiet>
      </Lines>
    ),
  },
  { header: "Last used", cell: (session) => <RelativeTime at={session.lastUsedAt} /> },
  { header: "Signed in", cell: (session) => <RelativeTime at={session.createdAt} />, visibleFrom: "sm" },
  { header: "Expires", cell: (session) => <RelativeTime at={session.expiresAt} />, visibleFrom: "md" },
];

export default function AccountPage() {
  const { user } = useSession();
  const [{ data, error }, again] = useQuery({ query: SessionsDocument });
  return (
    <Page title="Your account" text={user.name === user.email ? user.email : `${user.name} · ${user.email}`}>
      <DataTable
        label="Sessions"
        columns={columns}
        rows={data?.sessions}
        rowKey={(session) => session._id}
        error={error}
        onRetry={again}
        empty={{ icon: MonitorSmartphone, title: "No sessions", text: "You aren't signed in anywhere." }}
      />
      <Memberships />
      <ChangePassword />
      <EndSessions />
    </Page>
  );
}

function ChangePassword() {
  const form = useForm({ initialValues: { currentPassword: "", newPassword: "" } });
  const [change, busy] = useAction(ChangePasswordDocument, {
    form,
    done: "Password changed. Your other sessions were ended.",
  });
  async function submit(values: typeof form.values) {
    if (await change({ input: { ...values, cookie: true } })) form.reset();
  }
  return (
    <Panel title="Change password" maw={420}>
      <form onSubmit={form.onSubmit(submit)}>
        <Stack>
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            required
            visibilityToggleButtonProps={{ "aria-label": "Show password" }}
            {...form.getInputProps("currentPassword")}
          />
          <NewPasswordInput label="New password" {...form.getInputProps("newPassword")} />
          <Group>
            <Button type="submit" loading={busy}>
              Change password
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}

function EndSessions() {
  const { signedOut } = useSession();
  const [end] = useAction(LogoutEverywhereDocument);
  return (
    <DangerZone>
      <DangerAction
        title="Sign out everywhere"
        text="Ends all your sessions, including this one."
        button="Sign out everywhere"
        onConfirm={async () => {
          if (await end({})) await signedOut("everywhere");
        }}
      />
    </DangerZone>
  );
}
