import { Group, Paper, Radio, Stack, TextInput } from "@mantine/core";
import { type UseFormReturnType, useForm } from "@mantine/form";
import type { ReactNode } from "react";
import { SigningKeyInput } from "../../components/SigningKeyInput";
import { showFailure } from "../../components/useAction";
import { type Fields, hidden } from "../../lib/conflict";
import type { Failure } from "../../lib/failure";
import { type List, listTypes } from "./lists";
import type { AccessListType } from "./lists.generated";

export interface ListValues {
  name: string;
  type: AccessListType;
  url: string;
  hmacKey: string;
}

export const listFields: Fields<ListValues> = {
  name: "Name",
  type: { label: "Where the codes are", show: (type) => listTypes[type].label },
  url: "URL",
  hmacKey: { label: "Signing key", show: hidden },
};

/** The form's values; those of a new list when there is none. */
export function listValues(list?: List): ListValues {
  return {
    name: list?.name ?? "",
    type: list?.type ?? "static",
    url: list?.http?.url ?? "",
    hmacKey: list?.http?.hmacKey ?? "",
  };
}

export function useListForm(list?: List) {
  return useForm<ListValues>({
    initialValues: listValues(list),
    validate: {
      name: (name) => (name.trim() ? null : "Give the list a name"),
      url: (url, { type }) =>
        type === "static" || /^https?:\/\//i.test(url.trim()) ? null : "Begin with https:// or http://",
    },
  });
}

/** What the API takes of the values. */
export function listInput({ name, type, url, hmacKey }: ListValues) {
  const http = type === "remote" ? { http: { url: url.trim(), hmacKey: hmacKey || null } } : {};
  return { name: name.trim(), type, ...http };
}

/** Shows a failure at the fields, which the API knows as members of `http`. */
export function tellList(form: UseFormReturnType<ListValues>) {
  return (failure: Failure) => {
    const fields = failure.fields.map(({ path, message }) => ({ path: path.replace(/^http\./, ""), message }));
    for (const { path, message } of fields)
      form.setFieldError(path, message.charAt(0).toUpperCase() + message.slice(1));
    if (fields.length === 0 || fields.some(({ path }) => !(path in form.values))) showFailure(failure);
  };
}

interface Props {
  form: UseFormReturnType<ListValues>;
  /** Whether the type can still be chosen: it never changes later. */
  fresh?: boolean;
  onSubmit: (values: ListValues) => Promise<void>;
  /** The buttons. */
  children: ReactNode;
}

export function ListForm({ form, fresh, onSubmit, children }: Props) {
  return (
    <Paper withBorder p="lg" maw={760}>
      <form onSubmit={form.onSubmit(onSubmit)}>
        <Stack>
          <TextInput label="Name" required {...form.getInputProps("name")} />
          {fresh && (
            <Radio.Group
              label="Where the codes are"
              description="This can't be changed later."
              {...form.getInputProps("type")}
            >
              <Stack gap="sm" mt="xs">
                {Object.entries(listTypes).map(([value, { label, explanation }]) => (
                  <Radio key={value} value={value} label={label} description={explanation} />
                ))}
              </Stack>
            </Radio.Group>
          )}
          {form.values.type === "remote" && <ListenerFields form={form} />}
          <Group justify="flex-end">{children}</Group>
        </Stack>
      </form>
    </Paper>
  );
}

function ListenerFields({ form }: Pick<Props, "form">) {
  return (
    <>
      <TextInput
        label="URL"
        description="What is asked for each code. It is checked whether the address can be called from here."
        type="url"
        required
        {...form.getInputProps("url")}
      />
      <SigningKeyInput {...form.getInputProps("hmacKey")} />
    </>
  );
}
