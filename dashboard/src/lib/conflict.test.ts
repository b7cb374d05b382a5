import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { buildASTSchema, concatAST, type DocumentNode, isInputObjectType, Kind, parse } from "graphql";
import { describe, expect, it } from "vitest";
import { differences, type Fields, hidden, type Outcome, saveOver, shown } from "./conflict";

interface Values {
  name: string;
  on: boolean;
  key: string;
  events: string[];
}

const fields: Fields<Values> = {
  name: "Name",
  on: "On",
  key: { label: "Key", show: hidden },
  events: { label: "Events", show: (events) => `${events.length} events` },
};
const opened: Values = { name: "Gate", on: true, key: "", events: ["a"] };

describe("changed fields of a record", () => {
  const rows = (mine: Partial<Values>, current: Partial<Values>) =>
    differences(fields, { opened, mine: { ...opened, ...mine }, current: { ...opened, ...current } });

  it("are listed with the form's value if it was edited", () => {
    expect(rows({ name: "Door" }, { name: "Exit", on: false, events: [] })).toEqual([
      { label: "Name", mine: "Door", current: "Exit" },
      { label: "On", mine: undefined, current: "Off" },
      { label: "Events", mine: undefined, current: "0 events" },
    ]);
  });

  it("leave out fields edited only in the form, and equal values", () => {
    expect(rows({ name: "Door", on: false }, {})).toEqual([]);
    expect(rows({ events: ["a", "b"] }, { events: ["a", "b"] })).toEqual([]);
  });

  it("never show a secret", () => {
    expect(rows({ key: "mine" }, { key: "theirs" })).toEqual([
      { label: "Key", mine: "Set (hidden)", current: "Set (hidden)" },
    ]);
  });

  it.each([
    ["", "–"],
    [null, "–"],
    [[], "–"],
    [["a", "b"], "a, b"],
    [true, "On"],
    [0, "0"],
  ])("shows %j as %s", (value, text) => {
    expect(shown(value)).toBe(text);
  });
});

describe("saving a record", () => {
  const states = ["2030-01-01T00:00:00.000Z", "2030-01-01T00:00:01.000Z", "2030-01-01T00:00:02.000Z"];
  const records = states.map((updatedAt) => ({ _id: "r", updatedAt }));
  const [first = { _id: "", updatedAt: "" }, second, third] = records;

  /** Saves over the first state while the record moves to the last of the given states, one more at each attempt. */
  function attempt(current: (typeof records)[number][], { differs = false } = {}) {
    const savedOver: string[] = [];
    const loaded = [...current];
    const save = async (over: { updatedAt: string }): Promise<Outcome> => {
      savedOver.push(over.updatedAt);
      return loaded.length > 0 ? "conflict" : "saved";
    };
    const load = async () => loaded.shift();
    return saveOver(first, { save, load, differs: () => differs }).then((asked) => ({ asked, savedOver }));
  }

  it("sends the state that the form was opened with", async () => {
    expect(await attempt([])).toEqual({ asked: undefined, savedOver: states.slice(0, 1) });
  });

  it("saves over a later state with the same values in the form's fields", async () => {
    if (!second || !third) throw new Error("no states");
    expect(await attempt([second, third])).toEqual({ asked: undefined, savedOver: states });
  });

  it("stops at a later state with other values and returns it", async () => {
    if (!second) throw new Error("no states");
    expect(await attempt([second], { differs: true })).toEqual({ asked: second, savedOver: states.slice(0, 1) });
  });

  it("does not retry if the current state is rejected", async () => {
    expect(await attempt([first])).toEqual({ asked: first, savedOver: states.slice(0, 1) });
  });

  it("stops at any other failure", async () => {
    const save = async (): Promise<Outcome> => "failed";
    const load = async () => first;
    expect(await saveOver(first, { save, load, differs: () => false })).toBeUndefined();
  });
});

const source = join(import.meta.dirname, "..");
const filesIn = (folder: string, ending: string) =>
  readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name));

/** The dashboard's mutations that take the expected state. Deletions are left out, because they have no form. */
function conditionalMutations(): string[] {
  const schema = buildASTSchema(
    concatAST(
      filesIn(join(source, "../../graph/schema"), ".graphqls").map((file) => parse(readFileSync(file, "utf8"))),
    ),
  );
  const takesState = (document: DocumentNode) =>
    document.definitions.flatMap((definition) => {
      if (definition.kind !== Kind.OPERATION_DEFINITION || definition.operation !== "mutation") return [];
      const conditional = definition.selectionSet.selections.some((selection) => {
        const field = selection.kind === Kind.FIELD && schema.getMutationType()?.getFields()[selection.name.value];
        if (!field || /^delete/.test(field.name)) return false;
        return field.args.some(({ name, type }) => {
          if (name === "expectedUpdatedAt") return true;
          const input = "ofType" in type ? type.ofType : type;
          return isInputObjectType(input) && "expectedUpdatedAt" in input.getFields();
        });
      });
      return conditional ? [definition.name?.value ?? ""] : [];
    });
  return filesIn(source, ".graphql").flatMap((file) => takesState(parse(readFileSync(file, "utf8"))));
}

// DASH-24
it("all forms of records save with useEdit or useRecordEdit", () => {
  const code = filesIn(source, ".tsx").map((file) => readFileSync(file, "utf8"));
  const calls = (hook: string) =>
    code.flatMap((text) =>
      [...text.matchAll(new RegExp(`\\b${hook}\\(\\s*(\\w+)Document(?:,\\s*\\{([^}]*))?`, "g"))].map(
        ([, name = "", options = ""]) => ({ name, options }),
      ),
    );
  const conditional = conditionalMutations();
  expect(conditional.length).toBeGreaterThan(8);
  const edited = new Set(calls("use(?:Record)?Edit").map(({ name }) => name));
  expect(conditional.filter((name) => !edited.has(name))).toEqual([]);
  const unconditional = calls("useAction").filter(
    ({ name, options }) => conditional.includes(name) && /\bform\b/.test(options),
  );
  expect(unconditional).toEqual([]);
});
