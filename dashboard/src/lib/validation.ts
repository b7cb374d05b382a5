/** Returns the error of a required name. */
export function nameError(name: string): string | null {
  return name.trim() ? null : "Enter a name";
}

/** Returns the error of an endpoint URL. The server checks the rest of the URL. */
export function urlError(url: string): string | null {
  return /^https?:\/\//i.test(url.trim()) ? null : "The URL must start with https:// or http://";
}
