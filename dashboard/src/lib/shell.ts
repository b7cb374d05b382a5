/** Quotes a word for a shell, if necessary. */
export function shellWord(word: string): string {
  return /^[\w.@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
