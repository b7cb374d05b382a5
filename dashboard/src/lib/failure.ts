import type { CombinedError } from "@urql/core";

/** An invalid field. The path is relative to the input. */
export interface FieldFailure {
  path: string;
  message: string;
  hint?: string;
}

/** The parts of a failed request that pages use. */
export interface Failure {
  code: string;
  message: string;
  requestId?: string;
  /** The number of seconds to wait before a retry. */
  retryAfter?: number;
  fields: FieldFailure[];
}

interface Extensions {
  code?: string;
  requestId?: string;
  retryAfter?: number;
  details?: FieldFailure[];
}

/** Capitalizes the message of a field, which continues the field's name. */
export function sentence(message: string): string {
  return message.charAt(0).toUpperCase() + message.slice(1);
}

/** Returns the first error of a response; without one, a network failure. */
export function failureOf(error: CombinedError): Failure {
  const first = error.graphQLErrors[0];
  if (!first) {
    return {
      code: "NETWORK",
      message: "The server can't be reached. Check your connection and try again.",
      fields: [],
    };
  }
  const { code = "INTERNAL", requestId, retryAfter, details } = first.extensions as Extensions;
  return { code, message: first.message, requestId, retryAfter, fields: details ?? [] };
}
