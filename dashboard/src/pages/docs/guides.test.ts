import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  addressOf,
  guides,
  handbook,
  loadDocument,
  loadEventsIntroduction,
  loadPrograms,
  parted,
  slugOf,
} from "./guides";

const docs = join(import.meta.dirname, "../../../../docs");
const listed = [...guides, ...handbook];

describe("guides", () => {
  it("each link to an existing document with a title", async () => {
    for (const { slug } of listed) expect(parted((await loadDocument(slug)) ?? "").title, slug).not.toBe("");
    expect(loadDocument("no-such-thing")).toBeUndefined();
  });

  it("leave out pages and commands for contributors", async () => {
    const names = readdirSync(docs, { recursive: true }).map(String);
    const served: string[] = [];
    for (const name of names.filter((name) => name.endsWith(".md"))) {
      const slug = name.replace(/\/README\.md$|\.md$/, "").replace(/^.*\//, "");
      const text = await loadDocument(slug);
      if (text === undefined) continue;
      if (text !== readFileSync(join(docs, name), "utf8")) {
        expect(name).toMatch(/^internals\//); // a contributor page of the same name
        continue;
      }
      served.push(slug);
      const shown = text.replaceAll(/<!--[\s\S]*?-->/g, "");
      expect(shown, name).not.toMatch(
        /`Test[A-Z]|\bgo test\b|-bench\b|`make (check|bench|test)|\((decisions|hardening) /,
      );
    }
    expect(served.sort()).toEqual([...listed.map(({ slug }) => slug), "permissions"].sort());
  });

  it("contain only links to existing pages, files and other sites", () => {
    const files = readdirSync(docs, { recursive: true }).map(String);
    const documents = files.filter((name) => name.endsWith(".md"));
    const links = documents.flatMap((name) =>
      [...readFileSync(join(docs, name), "utf8").matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => ({ name, link })),
    );
    expect(links.length).toBeGreaterThan(20);
    for (const { name, link } of links) {
      const file = link.split("#")[0] ?? "";
      const known =
        /^https?:/.test(link) ||
        ["/docs/api", "/playground"].includes(link) ||
        file === "" ||
        files.includes(join(name, "..", file)) ||
        file.startsWith("../");
      expect(known, `${name}: ${link}`).toBe(true);
    }
  });

  it("resolve links between documents", () => {
    expect(addressOf("../gate.md")).toBe("/docs/guides/gate");
    expect(addressOf("verify-signature/README.md")).toBe("/docs/guides/verify-signature");
    expect(addressOf("events.md#ticket-created")).toBe("/docs/events#ticket-created");
    expect(addressOf("../permissions.md")).toBe("/docs/permissions");
    expect(addressOf("Verify.java")).toBe("#verifyjava");
    expect(addressOf("listener.mjs")).toBeUndefined();
    expect(addressOf("performance.md")).toBeUndefined();
  });

  it("need the repository for a first webhook only after the dashboard and the binary", async () => {
    const text = (await loadDocument("first-webhook")) ?? "";
    const titles = [...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
    expect(titles).toEqual([
      "In the dashboard",
      "With the program",
      "In the repository",
      "What a receiver should do",
      "Errors",
    ]);
    const before = text.slice(0, text.indexOf("## In the repository"));
    expect(before).toContain("ticketgate listen --events");
    expect(before).not.toMatch(/\bmake \w+$|docs\/|bin\/|three terminals/im);
  });

  it("introduce events with their rules, without samples", async () => {
    const text = await loadEventsIntroduction();
    expect(text).toContain("## When events are published");
    expect(text).not.toMatch(/^## transaction/m);
  });

  it("include the programs in six languages", async () => {
    const programs = await loadPrograms();
    expect(programs.map(({ language }) => language)).toEqual(["Go", "TypeScript", "Python", "PHP", "Java", "Ruby"]);
    for (const { file, text } of programs) expect(text, file).toMatch(/\bverify\(/);
  });

  it("create anchors like code hosts", () => {
    expect(slugOf("When it is tried again")).toBe("when-it-is-tried-again");
    expect(slugOf("Many `processes`, one database")).toBe("many-processes-one-database");
  });
});
