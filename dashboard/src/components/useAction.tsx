import type { UseFormReturnType } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useRef } from "react";
import { type AnyVariables, type TypedDocumentNode, useMutation } from "urql";
import { type Failure, failureOf } from "../lib/failure";
import { useUnsaved } from "../session/unsaved";
import { RequestId } from "./RequestId";

/** Shows a failure in a corner, with the id under which the server's log has it. */
export function showFailure(failure: Failure, title = "That did not work") {
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

interface Options {
  /** What is said when it has worked. */
  done?: string;
  /**
   * What the mutation saves: until it has, nobody leaves it unasked. It gets the messages of the fields it has; others are
   * shown in a corner.
   */
  // biome-ignore lint/suspicious/noExplicitAny: any form will do, whatever its values
  form?: UseFormReturnType<any, any>;
  /** Takes over what is done about a failure. */
  onFailure?: ((failure: Failure) => void) | undefined;
  /** Takes over what is done about a record that has changed since it was read. */
  onConflict?: (failure: Failure) => void;
}

/**
 * A mutation with what always follows: a word when it has worked, the field or a corner when it has not. The promise
 * gives the data, or undefined after a failure, which has then been shown.
 */
export function useAction<Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  { done, form, onFailure, onConflict }: Options = {},
): [(variables: Variables) => Promise<Data | undefined>, boolean] {
  const [{ fetching }, execute] = useMutation(document);
  useUnsaved(() => (form?.isDirty() ? "What you have changed here is not saved." : undefined));
  const state = useRef<"saving" | "saved">(undefined);
  async function act(variables: Variables) {
    // Somebody who presses Enter twice wants one thing: what a form is saving, or has saved, it does not save again.
    if (form && (state.current === "saving" || (state.current === "saved" && !form.isDirty()))) return undefined;
    state.current = "saving";
    const { data, error } = await execute(variables);
    state.current = error ? undefined : "saved";
    if (error) {
      const failure = failureOf(error);
      // Whoever is signed out is sent to sign in, and told so there.
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

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
