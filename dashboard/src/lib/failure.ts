import type { CombinedError } from "@urql/core";

/** One thing that is wrong with the input; its path is relative to the input. */
export interface FieldFailure {
  path: string;
  message: string;
  hint?: string;
}

/** What a page needs to know of a call that failed. */
export interface Failure {
  code: string;
  message: string;
  requestId?: string;
  /** How many seconds to wait before trying again. */
  retryAfter?: number;
  fields: FieldFailure[];
}

interface Extensions {
  code?: string;
  requestId?: string;
  retryAfter?: number;
  details?: FieldFailure[];
}

/** Reads the first error of an answer; without one, the network has failed. */
export function failureOf(error: CombinedError): Failure {
  const first = error.graphQLErrors[0];
  if (!first) {
    return {
      code: "NETWORK",
      message: "The server could not be reached. Check your connection and try again.",
      fields: [],
    };
  }
  const { code = "INTERNAL", requestId, retryAfter, details } = first.extensions as Extensions;
  return { code, message: first.message, requestId, retryAfter, fields: details ?? [] };
}
