import { notifications } from "@mantine/notifications";
import { type CombinedError, type Exchange, mapExchange } from "@urql/core";
import { failureOf } from "../lib/failure";

const notice = "no-connection";

/**
 * Keeps data on screen if it can't be loaded again: while offline, which a notification reports, and after the session has
 * ended, which the app reports.
 */
export function staleExchange(): Exchange {
  const answers = new Map<number, unknown>();
  let shown = false;
  return mapExchange({
    onResult(result) {
      const { operation, data, error } = result;
      if (operation.kind !== "query") return;
      if (data) {
        answers.set(operation.key, data);
        // Results can arrive while a page renders. Hiding a notification that isn't shown would render it endlessly.
        if (shown) notifications.hide(notice);
        shown = false;
      } else if (answers.has(operation.key) && mayStillBeTrue(error)) {
        if (error?.networkError) {
          notifications.show({
            id: notice,
            color: "yellow",
            title: "No connection",
            message: "The data on this page may be out of date.",
          });
          shown = true;
        }
        return { ...result, data: answers.get(operation.key) };
      }
      return undefined;
    },
  });
}

function mayStillBeTrue(error: CombinedError | undefined): boolean {
  return error?.networkError !== undefined || (error !== undefined && failureOf(error).code === "UNAUTHENTICATED");
}
