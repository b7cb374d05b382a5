/** An example document. */
export interface Example {
  name: string;
  /** The section of the navigation that shows the same data. */
  area: string;
  title: string;
  query: string;
  variables: string;
}

// One file per example, so that the code generator validates it and a test runs it. The first line is
// "# Area: Title". NAME.json has the variables of NAME.graphql.
const queries = import.meta.glob<string>("./examples/*.graphql", { query: "?raw", import: "default", eager: true });
const variables = import.meta.glob<string>("./examples/*.json", { query: "?raw", import: "default", eager: true });

const areas = ["Overview", "Sales", "Gate", "Developers", "Account"];

function exampleOf([path, query]: [string, string]): Example {
  const [, area = "", title = ""] = /^# ([^:]+): (.+)\n/.exec(query) ?? [];
  const name = path.split("/").at(-1)?.replace(".graphql", "") ?? path;
  return { name, area, title, query, variables: variables[path.replace(/graphql$/, "json")] ?? "" };
}

const all = Object.entries(queries).map(exampleOf);

/** The examples, grouped by area in the order of the navigation. */
export const examples = areas.map((area) => ({ area, examples: all.filter((example) => example.area === area) }));
