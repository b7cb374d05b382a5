import { describe, expect, it } from "vitest";
import type { Operation } from "./openapi";
import { callOf, curlOf, missingIn, unsendableIn } from "./request";

const operation: Operation = {
  id: "scan",
  method: "POST",
  path: "/api/tickets/{barcode}/scan",
  tag: "Scans",
  summary: "Scan",
  description: "",
  served: true,
  callers: [],
  open: false,
  parameters: [
    { name: "barcode", in: "path", required: true, schema: {} },
    { name: "eventId", in: "query", schema: {} },
    { name: "idempotency-key", in: "header", schema: {} },
  ],
  answers: [],
};

describe("a request", () => {
  it("encodes values and leaves out empty ones", () => {
    const values = { barcode: "a/b %é", eventId: "1&2", "idempotency-key": "" };
    const call = callOf(operation, { values, scheme: "deviceToken", credential: "dev_1" });
    expect(call).toEqual({
      method: "POST",
      path: "/api/tickets/a%2Fb%20%25%C3%A9/scan?eventId=1%262",
      headers: { accept: "application/json", token: "dev_1" },
      body: undefined,
    });
  });

  it("sends a bearer token, and a content type only with a body", () => {
    const filled = {
      values: { barcode: "1", "idempotency-key": "once" },
      media: "text/csv",
      scheme: "apiKey",
      credential: "key_1",
    };
    expect(callOf(operation, { ...filled, body: "" }).headers).toEqual({
      accept: "application/json",
      "idempotency-key": "once",
      authorization: "Bearer key_1",
    });
    expect(callOf(operation, { ...filled, body: "code" })).toMatchObject({
      headers: { "content-type": "text/csv" },
      body: "code",
    });
  });

  it("requires the path parameters", () => {
    expect(missingIn(operation, { barcode: " " })).toEqual(["barcode"]);
    expect(missingIn(operation, { barcode: "1" })).toEqual([]);
  });

  it("reads files unchanged in curl and uses the name of the selected file", () => {
    const filled = { values: { barcode: "1" }, media: "text/csv", scheme: "apiKey", credential: "key_1" };
    const lineOf = (body: string | File) => curlOf("", callOf(operation, { ...filled, body })).split(" \\\n  ");
    expect(lineOf("code\nA\n").at(-1)).toBe("--data-binary @FILE");
    const file = new File(["code\nA\n"], "l'été.csv");
    expect(lineOf(file).slice(-2)).toEqual(["-H 'content-type: text/csv'", `--data-binary '@l'\\''été.csv'`]);
    expect(callOf(operation, { ...filled, body: file }).body).toBe(file);
  });

  it("keeps placeholders of empty path parameters", () => {
    const { path } = callOf(operation, { values: { barcode: " " }, scheme: "apiKey", credential: "" });
    expect(path).toBe("/api/tickets/{barcode}/scan");
  });

  it("reports dot segments, which browsers resolve, and makes curl send them unchanged", () => {
    for (const barcode of [".", "..", " .. "]) {
      expect(unsendableIn(operation, { barcode, eventId: ".." })).toEqual(["barcode"]);
      const call = callOf(operation, { values: { barcode }, scheme: "apiKey", credential: "" });
      expect(curlOf("https://tickets.example.com", call)).toBe(
        `curl --path-as-is -X POST 'https://tickets.example.com/api/tickets/${barcode.trim()}/scan'`,
      );
    }
    for (const barcode of ["...", "..a", "../keys", "%2e%2e", "$&"]) {
      expect(unsendableIn(operation, { barcode })).toEqual([]);
      const { path } = callOf(operation, { values: { barcode, eventId: "a/../b" }, scheme: "", credential: "" });
      const sent = new URL(path, "https://tickets.example.com").pathname;
      expect(sent.split("/").map(decodeURIComponent)).toEqual(["", "api", "tickets", barcode, "scan"]);
      expect(curlOf("", { method: "GET", path, headers: {} })).toBe(`curl '${path}'`);
    }
  });

  it("is printed for a shell with escaped quotes and without the credential", () => {
    const call = callOf(operation, {
      values: { barcode: "1" },
      media: "application/json",
      body: `{"name": "l'été"}`,
      scheme: "apiKey",
      credential: "key_secret",
    });
    const line = curlOf("https://tickets.example.com", call);
    expect(line).toBe(
      [
        "curl -X POST 'https://tickets.example.com/api/tickets/1/scan'",
        `-H "Authorization: Bearer $KEY"`,
        "-H 'content-type: application/json'",
        `--data-raw '{"name": "l'\\''été"}'`,
      ].join(" \\\n  "),
    );
    expect(line).not.toContain("key_secret");
  });
});
