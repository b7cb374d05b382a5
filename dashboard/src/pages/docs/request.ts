import type { Operation } from "./openapi";

/** The values that the user has entered. */
export interface Filled {
  /** By parameter name. Empty values aren't sent. */
  values: Record<string, string>;
  media?: string;
  body?: string | File;
  /** The security scheme of the credential; empty for none. */
  scheme: string;
  credential: string;
}

/** A request to send. */
export interface Call {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | File;
}

/** Reports whether a body of this type is a file, to be selected or pasted, rather than JSON. */
export const isFile = (media: string) => media !== "application/json";

/** The headers of credentials other than bearer tokens. */
const headerOf: Record<string, string> = { deviceToken: "token", checkoutSecret: "checkout-secret" };

export function callOf(operation: Operation, { values, media, body, scheme, credential }: Filled): Call {
  let path = operation.path;
  const query = new URLSearchParams();
  const headers: Record<string, string> = { accept: "application/json" };
  for (const { name, in: place } of operation.parameters) {
    const value = values[name]?.trim() ?? "";
    // An empty parameter keeps its placeholder. Without it, the path would match another operation.
    if (value === "") continue;
    if (place === "path") path = path.replace(`{${name}}`, () => encodeURIComponent(value));
    else if (place === "query") query.set(name, value);
    else headers[name] = value;
  }
  if (credential) {
    const header = headerOf[scheme];
    headers[header ?? "authorization"] = header ? credential : `Bearer ${credential}`;
  }
  if (body && media) headers["content-type"] = media;
  const search = query.size > 0 ? `?${query}` : "";
  return { method: operation.method, path: path + search, headers, body: body || undefined };
}

/** Returns the path parameters that are still empty. */
export function missingIn(operation: Operation, values: Record<string, string>): string[] {
  return operation.parameters
    .filter(({ in: place, name, required }) => required && place !== "header" && !values[name]?.trim())
    .map(({ name }) => name);
}

/**
 * Returns the path parameters that browsers can't send: they resolve `.` and `..`, even if encoded, and would call another
 * path.
 */
export function unsendableIn(operation: Operation, values: Record<string, string>): string[] {
  return operation.parameters
    .filter(({ in: place, name }) => place === "path" && isStep(values[name]?.trim()))
    .map(({ name }) => name);
}

const isStep = (segment: string | undefined) => segment === "." || segment === "..";

/** Returns the request as a curl command. The credential is a shell variable, so that it isn't pasted elsewhere. */
export function curlOf(origin: string, { method, path, headers, body }: Call): string {
  const [segments = ""] = path.split("?");
  const asIs = segments.split("/").some(isStep) ? "--path-as-is " : "";
  const lines = [`curl ${asIs}${method === "GET" ? "" : `-X ${method} `}${quoted(origin + path)}`];
  for (const [name, value] of Object.entries(headers)) {
    if (name === "accept") continue;
    if (name === "authorization") lines.push('-H "Authorization: Bearer $KEY"');
    else if (Object.values(headerOf).includes(name)) lines.push(`-H "${name}: $SECRET"`);
    else lines.push(`-H ${quoted(`${name}: ${value}`)}`);
  }
  const media = headers["content-type"];
  if (media && isFile(media)) lines.push(`--data-binary ${body instanceof File ? quoted(`@${body.name}`) : "@FILE"}`);
  else if (body) lines.push(`--data-raw ${quoted(String(body))}`);
  return lines.join(" \\\n  ");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
