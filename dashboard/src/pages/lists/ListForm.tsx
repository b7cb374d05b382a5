import { Group, Paper, Radio, Stack, TextInput } from "@mantine/core";
import { type UseFormReturnType, useForm } from "@mantine/form";
import type { ReactNode } from "react";
import { SigningKeyInput } from "../../components/SigningKeyInput";
import { showFailure } from "../../components/useAction";
import { type Fields, hidden } from "../../lib/conflict";
import { type Failure, sentence } from "../../lib/failure";
import { nameError, urlError } from "../../lib/validation";
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
  type: { label: "Type", show: (type) => listTypes[type].label },
  url: "URL",
  hmacKey: { label: "Signing key", show: hidden },
};

/** Returns the form values of a list; the defaults if there is none. */
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
      name: nameError,
      url: (url, { type }) => (type === "static" ? null : urlError(url)),
    },
  });
}

/** Returns the API input for the form values. */
export function listInput({ name, type, url, hmacKey }: ListValues) {
  const http = type === "remote" ? { http: { url: url.trim(), hmacKey: hmacKey || null } } : {};
  return { name: name.trim(), type, ...http };
}

/** Shows a failure at the form's fields. The API reports them as fields of `http`. */
export function failureHandler(form: UseFormReturnType<ListValues>) {
  return (failure: Failure) => {
    const fields = failure.fields.map(({ path, message }) => ({ path: path.replace(/^http\./, ""), message }));
    for (const { path, message } of fields) form.setFieldError(path, sentence(message));
    if (fields.length === 0 || fields.some(({ path }) => !(path in form.values))) showFailure(failure);
  };
}

interface Props {
  form: UseFormReturnType<ListValues>;
  /** Whether the list is new. The type can't be changed later. */
  fresh?: boolean;
  onSubmit: (values: ListValues) => Promise<void>;
  /** The buttons of the form. */
  children: ReactNode;
}

export function ListForm({ form, fresh, onSubmit, children }: Props) {
  return (
    <Paper withBorder p="lg" maw={760}>
      <form onSubmit={form.onSubmit(onSubmit)}>
        <Stack>
          <TextInput label="Name" required {...form.getInputProps("name")} />
          {fresh && (
            <Radio.Group label="Type" description="Can't be changed later." {...form.getInputProps("type")}>
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
        description="Endpoint URL that receives each scanned code. We check that it is reachable."
        type="url"
        required
        {...form.getInputProps("url")}
      />
      <SigningKeyInput {...form.getInputProps("hmacKey")} />
    </>
  );
}
