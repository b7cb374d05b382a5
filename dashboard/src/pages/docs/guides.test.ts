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
  it("each leads to a document of the repository with a title", async () => {
    for (const { slug } of listed) expect(parted((await loadDocument(slug)) ?? "").title, slug).not.toBe("");
    expect(loadDocument("no-such-thing")).toBeUndefined();
  });

  it("serve what their readers need, and leave to the repository what is for its builders", async () => {
    const names = readdirSync(docs, { recursive: true }).map(String);
    const served: string[] = [];
    for (const name of names.filter((name) => name.endsWith(".md"))) {
      const slug = name.replace(/\/README\.md$|\.md$/, "").replace(/^.*\//, "");
      const text = await loadDocument(slug);
      if (text === undefined) continue;
      if (text !== readFileSync(join(docs, name), "utf8")) {
        expect(name).toMatch(/^internals\//); // a page of the same name for maintainers
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

  it("all links of the documents lead to a page here, to another site, or to a file that is there", () => {
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

  it("a document's link leads to the page of the document", () => {
    expect(addressOf("../gate.md")).toBe("/docs/guides/gate");
    expect(addressOf("verify-signature/README.md")).toBe("/docs/guides/verify-signature");
    expect(addressOf("events.md#ticket-created")).toBe("/docs/events#ticket-created");
    expect(addressOf("../permissions.md")).toBe("/docs/permissions");
    expect(addressOf("Verify.java")).toBe("#verifyjava");
    expect(addressOf("listener.mjs")).toBeUndefined();
    expect(addressOf("performance.md")).toBeUndefined();
  });

  it("the first webhook needs the repository only after what the dashboard and the program can do", async () => {
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

  it("the introduction of events has their rules, and no samples", async () => {
    const text = await loadEventsIntroduction();
    expect(text).toContain("## When events are published");
    expect(text).not.toMatch(/^## transaction/m);
  });

  it("has the programs in six languages, each with its function", async () => {
    const programs = await loadPrograms();
    expect(programs.map(({ language }) => language)).toEqual(["Go", "TypeScript", "Python", "PHP", "Java", "Ruby"]);
    for (const { file, text } of programs) expect(text, file).toMatch(/\bverify\(/);
  });

  it("makes anchors as code hosts do", () => {
    expect(slugOf("When it is tried again")).toBe("when-it-is-tried-again");
    expect(slugOf("Many `processes`, one database")).toBe("many-processes-one-database");
  });
});
