import type { UseFormReturnType } from "@mantine/form";
import { notifications, notificationsStore } from "@mantine/notifications";
import { useRef } from "react";
import { type AnyVariables, type TypedDocumentNode, useMutation } from "urql";
import { type Failure, failureOf, sentence } from "../lib/failure";
import { useUnsaved } from "../session/unsaved";
import { RequestId } from "./RequestId";

/** Shows a failure as a notification, with the request ID. */
export function showFailure(failure: Failure, title = "Something went wrong") {
  notifications.show({
    title,
    color: "red",
    autoClose: 12_000,
    withBorder: true,
    message: (
      <>
        {[failure.message, ...failure.fields.map((field) => `${field.path}: ${field.message}`)].join(" · ")}
        {failure.requestId && (
          <div>
            <RequestId of={failure} />
          </div>
        )}
      </>
    ),
  });
}

export function showDone(message: string) {
  notifications.show({ message, color: "green", withBorder: true });
}

const kept = "ticketgate-messages";

/** Keeps the messages of success on display for the same user's page after a reload. */
export function keepMessages() {
  const messages = notificationsStore.getState().notifications.map(({ message }) => message);
  sessionStorage.setItem(kept, JSON.stringify(messages.filter((message) => typeof message === "string")));
}

/** Shows the messages that keepMessages kept, once. */
export function showKeptMessages() {
  const messages = JSON.parse(sessionStorage.getItem(kept) ?? "[]") as string[];
  sessionStorage.removeItem(kept);
  for (const message of messages) showDone(message);
}

interface Options {
  /** The message after success. */
  done?: string;
  /**
   * The form that the mutation saves. While it has unsaved changes, leaving asks first. It shows the errors of its fields;
   * other errors are shown as a notification.
   */
  // biome-ignore lint/suspicious/noExplicitAny: accepts any form
  form?: UseFormReturnType<any, any>;
  /** Handles failures instead of the default notification. */
  onFailure?: ((failure: Failure) => void) | undefined;
  /** Handles conflicts with a change made since the record was loaded. */
  onConflict?: (failure: Failure) => void;
}

/**
 * Returns a function that runs a mutation and reports its result: a message after success, an error at a field or in a
 * notification. The function returns the data, or undefined after a failure that has been shown.
 */
export function useAction<Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  { done, form, onFailure, onConflict }: Options = {},
): [(variables: Variables) => Promise<Data | undefined>, boolean] {
  const [{ fetching }, execute] = useMutation(document);
  useUnsaved(() => (form?.isDirty() ? "You have unsaved changes." : undefined));
  const state = useRef<"saving" | "saved">(undefined);
  async function act(variables: Variables) {
    // A form saves once if Enter is pressed twice: not while saving, and not again without changes.
    if (form && (state.current === "saving" || (state.current === "saved" && !form.isDirty()))) return undefined;
    state.current = "saving";
    const { data, error } = await execute(variables);
    state.current = error ? undefined : "saved";
    if (error) {
      const failure = failureOf(error);
      // A signed-out user is sent to the sign-in page, which says why.
      if (onConflict && failure.code === "CONFLICT") onConflict(failure);
      else if (onFailure) onFailure(failure);
      else if (failure.code !== "UNAUTHENTICATED") tell(failure);
      return undefined;
    }
    form?.resetDirty();
    if (done) showDone(done);
    return data;
  }
  function tell(failure: Failure) {
    const known = form ? failure.fields.filter((field) => field.path in form.values) : [];
    for (const field of known) form?.setFieldError(field.path, sentence(field.message));
    if (known.length === 0 || known.length < failure.fields.length) showFailure(failure);
  }
  return [act, fetching];
}
