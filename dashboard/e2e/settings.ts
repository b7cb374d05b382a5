/** What go test tells these tests of the servers that it has started for them, and of the browser. */
export function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: these tests are started by go test, in cmd/systemtest/dashboard`);
  return value;
}
