// texts.mjs FOLDER writes the texts of the dashboard, the descriptions of the schema and the strings of hand-written Go to FOLDER.
// Each text keeps its line number, so that a checker names the right place.
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(new URL("../../dashboard/package.json", import.meta.url));
const { parseAst } = await import(pathToFileURL(require.resolve("rolldown/parseAst")));
const { Lexer, Source, TokenKind } = require("graphql");

// write stores the texts of a source: pairs of a line, counted from 0, and a text. Each text ends its sentence.
function write(folder, source, texts) {
  const lines = [];
  for (const [line, text] of texts) {
    const ended = /[.:?!…]\s*$/.test(text) ? text : `${text.trimEnd()}.`;
    ended.split("\n").forEach((part, n) => {
      lines[line + n] = `${lines[line + n] ?? ""} ${part.trim()}`.trim();
    });
  }
  if (lines.length === 0) return;
  const path = join(folder, `${source}.txt`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, Array.from(lines, (line) => line ?? "").join("\n"));
}

// isProse leaves out class names, paths and keys.
const isProse = (text) => /\p{L}\s+\p{L}/u.test(text) && (/^\s*\p{Lu}/u.test(text) || /[.…?!:]\s*$/u.test(text));

// textOf returns the text of a node of the syntax tree that has one.
function textOf(node) {
  switch (node.type) {
    case "JSXText":
      return node.value;
    case "Literal":
      return typeof node.value === "string" ? node.value : "";
    case "TemplateElement":
      return node.value.cooked ?? "";
    default:
      return "";
  }
}

function* pageTexts(path) {
  const source = readFileSync(path, "utf8");
  const waiting = [parseAst(source, { lang: "tsx" })];
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (node?.type && isProse(textOf(node))) {
      yield [source.slice(0, node.start).split("\n").length - 1, textOf(node)];
    }
    if (node && typeof node === "object") waiting.push(...Object.values(node));
  }
}

// descriptions yields the descriptions of a schema. Code in backticks is no prose.
function* descriptions(path) {
  const lexer = new Lexer(new Source(readFileSync(path, "utf8"), path));
  for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
    if (token.kind === TokenKind.STRING || token.kind === TokenKind.BLOCK_STRING) {
      yield [token.line - 1, token.value.replaceAll(/`[^`\n]*`/g, "`code`")];
    }
  }
}

// goToken is a comment, a string or a rune of Go.
const goToken = /\/\/.*|\/\*[^]*?\*\/|`[^`]*`|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'/g;

// isCode finds SQL, GraphQL, JavaScript, and lists of names.
const isCode = (text) =>
  /\b(SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|WHERE|JOIN|AND|IS|SET|COPY|GRANT|FOR|ORDER BY)\b|[{;]\s*\n|\w_\w+,|\w\.\w+ \w+\.\w|=>|^\s*(query|mutation|\{)/.test(text);

// goTexts yields the strings of Go that have at least two words: errors, help and log messages. Verbs of formats are no words.
function* goTexts(path) {
  const source = readFileSync(path, "utf8");
  for (const { 0: token, index } of source.matchAll(goToken)) {
    if (token[0] !== '"' && token[0] !== "`") continue;
    const text = token.slice(1, -1).replaceAll(/\\[nt]/g, " ").replaceAll(/%[-+#.\d]*[a-z]/gi, "value").replaceAll(/#?`[^`\n]*`/g, "code");
    if (/\p{Ll}{2}\S*\s+\S*\p{Ll}{2}/u.test(text) && !isCode(text)) {
      yield [source.slice(0, index).split("\n").length - 1, text];
    }
  }
}

const folder = process.argv[2];
const within = (root) => readdirSync(root, { recursive: true }).map((path) => join(root, path));
for (const path of within("dashboard/src")) {
  if (/(?<!\.(test|generated))\.tsx?$/.test(path)) write(folder, path, pageTexts(path));
}
for (const path of within("graph/schema")) {
  if (path.endsWith(".graphqls")) write(folder, path, descriptions(path));
}

const goFiles = execFileSync("git", ["ls-files", "*.go", ":!*_test.go", ":!graph/generated"], { encoding: "utf8" });
for (const path of goFiles.trim().split("\n")) write(folder, path, goTexts(path));
