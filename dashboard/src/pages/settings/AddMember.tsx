import { Button, Group, Modal, Select, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { type RefObject, useRef } from "react";
import { useAction } from "../../components/useAction";
import type { Role } from "../../session/session";
import { leaving } from "../../session/unsaved";
import type { OnceLink } from "./LinkDialog";
import { AddMemberDocument } from "./settings.generated";

export const roleOptions: { value: Role; label: string }[] = [
  { value: "VIEWER", label: "Viewer" },
  { value: "MANAGER", label: "Manager" },
  { value: "DEVELOPER", label: "Developer" },
  { value: "ADMIN", label: "Admin" },
];

const meaning: Record<Role, string> = {
  VIEWER: "Can view sales and the gate.",
  MANAGER: "Can manage everything except keys, webhooks, members and features.",
  DEVELOPER: "Can manage everything except members and features.",
  ADMIN: "Can manage everything, including members and features.",
};

interface Props {
  opened: boolean;
  onClose: () => void;
  /** Receives the invitation link, unless it was sent by email. */
  onLink: (link: OnceLink) => void;
}

/** A dialog that invites an email address with a role. */
export function AddMember({ opened, onClose, onLink }: Props) {
  const changed = useRef(() => false);
  return (
    <Modal opened={opened} onClose={() => leaving(onClose, changed.current())} title="Invite member" centered>
      <MemberForm changed={changed} onClose={onClose} onLink={onLink} />
    </Modal>
  );
}

interface FormProps extends Omit<Props, "opened"> {
  /** Set to a function that reports whether the form has changes. */
  changed: RefObject<() => boolean>;
}

function MemberForm({ changed, onClose, onLink }: FormProps) {
  const form = useForm({ initialValues: { email: "", role: "VIEWER" as Role } });
  changed.current = form.isDirty;
  const [add, busy] = useAction(AddMemberDocument, { form, done: "Invitation created" });
  async function submit({ email, role }: typeof form.values) {
    const added = await add({ input: { email: email.trim(), role } });
    if (!added) return;
    onClose();
    const { email: to, link } = added.addMember.invitation;
    if (link) onLink({ to, link });
  }
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        <TextInput label="Email" type="email" required data-autofocus {...form.getInputProps("email")} />
        <Select
          label="Role"
          description={meaning[form.values.role]}
          data={roleOptions}
          allowDeselect={false}
          {...form.getInputProps("role")}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={busy}>
            Invite member
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
