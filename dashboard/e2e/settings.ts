/** Returns a setting from go test, such as the address of a server or the path of the browser. */
export function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} must be set; run make test-dashboard or make screenshots`);
  return value;
}
