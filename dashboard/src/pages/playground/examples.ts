/** A document to begin with. */
export interface Example {
  name: string;
  /** The part of the dashboard that shows the same. */
  area: string;
  title: string;
  query: string;
  variables: string;
}

// One file each, so that the types' generator checks them against the schema and a test runs them. Their first line is
// "# Area: Title"; a file NAME.json beside one has its variables.
const queries = import.meta.glob<string>("./examples/*.graphql", { query: "?raw", import: "default", eager: true });
const variables = import.meta.glob<string>("./examples/*.json", { query: "?raw", import: "default", eager: true });

const areas = ["Overview", "Sales", "At the door", "Developers", "Account"];

function exampleOf([path, query]: [string, string]): Example {
  const [, area = "", title = ""] = /^# ([^:]+): (.+)\n/.exec(query) ?? [];
  const name = path.split("/").at(-1)?.replace(".graphql", "") ?? path;
  return { name, area, title, query, variables: variables[path.replace(/graphql$/, "json")] ?? "" };
}

const all = Object.entries(queries).map(exampleOf);

/** The examples, area by area in the order of the navigation. */
export const examples = areas.map((area) => ({ area, examples: all.filter((example) => example.area === area) }));
