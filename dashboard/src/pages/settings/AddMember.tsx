import { Button, Group, Modal, Select, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { type RefObject, useRef } from "react";
import type { Role } from "../../app/session";
import { leaving } from "../../app/unsaved";
import { useAction } from "../../components/useAction";
import { AddMemberDocument } from "./settings.generated";

export const roleOptions: { value: Role; label: string }[] = [
  { value: "VIEWER", label: "Viewer" },
  { value: "MANAGER", label: "Manager" },
  { value: "DEVELOPER", label: "Developer" },
  { value: "ADMIN", label: "Admin" },
];

const meaning: Record<Role, string> = {
  VIEWER: "Reads.",
  MANAGER: "Does all but keys, webhooks, members and features.",
  DEVELOPER: "Manages keys and webhooks, too.",
  ADMIN: "Manages members and features, too.",
};

interface Props {
  opened: boolean;
  onClose: () => void;
  /** The password that was made for a new user. */
  onPassword: (password: string) => void;
}

/** Gives somebody a role. */
export function AddMember({ opened, onClose, onPassword }: Props) {
  const changed = useRef(() => false);
  return (
    <Modal opened={opened} onClose={() => leaving(onClose, changed.current())} title="Add a member" centered>
      <MemberForm changed={changed} onClose={onClose} onPassword={onPassword} />
    </Modal>
  );
}

interface FormProps extends Omit<Props, "opened"> {
  /** Gets what tells whether something was changed. */
  changed: RefObject<() => boolean>;
}

function MemberForm({ changed, onClose, onPassword }: FormProps) {
  const form = useForm({ initialValues: { email: "", name: "", role: "VIEWER" as Role } });
  changed.current = form.isDirty;
  const [add, busy] = useAction(AddMemberDocument, { form, done: "The member was added" });
  async function submit({ email, name, role }: typeof form.values) {
    const added = await add({ input: { email: email.trim(), role, ...(name.trim() ? { name: name.trim() } : {}) } });
    if (!added) return;
    onClose();
    if (added.addMember.password) onPassword(added.addMember.password);
  }
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        <TextInput label="E-mail" type="email" required data-autofocus {...form.getInputProps("email")} />
        <TextInput label="Name" description="For somebody who has no account yet" {...form.getInputProps("name")} />
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
            Add member
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
