import type { Operation } from "./openapi";

/** What a person has filled in. */
export interface Filled {
  /** By the parameter's name; an empty one is not sent. */
  values: Record<string, string>;
  media?: string;
  body?: string | File;
  /** Whose credential is sent, by the name of the security scheme; empty for none. */
  scheme: string;
  credential: string;
}

/** A call as it is sent. */
export interface Call {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | File;
}

/** Whether a body of this type is a file, to be chosen or pasted, and not a value in JSON. */
export const isFile = (media: string) => media !== "application/json";

/** The headers in which the credentials go that are no bearer tokens. */
const headerOf: Record<string, string> = { deviceToken: "token", checkoutSecret: "checkout-secret" };

export function callOf(operation: Operation, { values, media, body, scheme, credential }: Filled): Call {
  let path = operation.path;
  const query = new URLSearchParams();
  const headers: Record<string, string> = { accept: "application/json" };
  for (const { name, in: place } of operation.parameters) {
    const value = values[name]?.trim() ?? "";
    // What is not filled in keeps its place: without it, the path would be another one.
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

/** The names of the parameters in the path that are not filled in: without them there is nothing to call. */
export function missingIn(operation: Operation, values: Record<string, string>): string[] {
  return operation.parameters
    .filter(({ in: place, name, required }) => required && place !== "header" && !values[name]?.trim())
    .map(({ name }) => name);
}

/**
 * The parameters in the path that no browser sends: it takes `.` and `..` for steps in the path, however they are written,
 * and would call another one.
 */
export function unsendableIn(operation: Operation, values: Record<string, string>): string[] {
  return operation.parameters
    .filter(({ in: place, name }) => place === "path" && isStep(values[name]?.trim()))
    .map(({ name }) => name);
}

const isStep = (segment: string | undefined) => segment === "." || segment === "..";

/** The same call for a terminal. The credential is a variable of the shell: what is pasted elsewhere does not hold it. */
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
