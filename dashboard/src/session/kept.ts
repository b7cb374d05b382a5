import { notifications } from "@mantine/notifications";
import { type CombinedError, type Exchange, mapExchange } from "@urql/core";
import { failureOf } from "../lib/failure";

const notice = "no-connection";

/**
 * What was shown stays where it can't be asked for again: without a connection, which is told in a corner, and when the
 * session has ended, which the app tells.
 */
export function keptExchange(): Exchange {
  const answers = new Map<number, unknown>();
  let told = false;
  return mapExchange({
    onResult(result) {
      const { operation, data, error } = result;
      if (operation.kind !== "query") return;
      if (data) {
        answers.set(operation.key, data);
        // A page is drawn with answers that it has: only what is shown is taken away, or drawing would have no end.
        if (told) notifications.hide(notice);
        told = false;
      } else if (answers.has(operation.key) && maybeTrueStill(error)) {
        if (error?.networkError) {
          notifications.show({
            id: notice,
            color: "yellow",
            title: "No connection",
            message: "What you see may be old.",
          });
          told = true;
        }
        return { ...result, data: answers.get(operation.key) };
      }
      return undefined;
    },
  });
}

function maybeTrueStill(error: CombinedError | undefined): boolean {
  return error?.networkError !== undefined || (error !== undefined && failureOf(error).code === "UNAUTHENTICATED");
}
