/** An entry of the search index. */
export interface SearchEntry {
  to: string;
  title: string;
  /** The kind of the entry, or the page of a section. */
  kind: string;
  text: string;
}

/** A search index. Postings are pairs of an entry's index and the word's weight in it. */
export interface Index {
  entries: SearchEntry[];
  words: Record<string, number[]>;
}

/** The maximum length of an entry's text in results. */
const shownText = 160;

const titleWeight = 12;
const mostRepeated = 3;

/** Returns the weight of an entry. Fields and GraphQL rank below pages and operations. */
function weightOf({ kind }: SearchEntry): number {
  if (kind.startsWith("Field")) return 0.25;
  if (kind.startsWith("GraphQL")) return 0.7;
  return kind === "Page" ? 1.2 : 1;
}

/** Words whose final s is not a plural. Without it, CORS would match core. */
const notPlural = new Set(["cors"]);

/** Returns the stem of an English word: the same for rotate, rotating and rotation. */
function stemOf(word: string): string {
  if (word.length < 4 || /\d/.test(word) || notPlural.has(word)) return word;
  const stem = word.replace(/ies$/, "y").replace(/s$/, "");
  return stem.replace(/(?<=\w{3})(ing|ion|ed|e)$/, "");
}

/** Returns the stems in a text. A name in camel case or with underscores also counts as its words. */
export function stemsOf(text: string): string[] {
  return (text.match(/[\p{L}\p{N}_]+/gu) ?? []).flatMap((name) => {
    const words = name.replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2").split(/[ _]+/);
    const all = words.length > 1 ? [name, ...words] : words;
    return all.map((word) => stemOf(word.toLowerCase())).filter(Boolean);
  });
}

/** Builds the index of entries. */
export function indexOf(entries: SearchEntry[]): Index {
  const words = new Map<string, number[]>();
  for (const [number, entry] of entries.entries()) {
    const counts = new Map<string, number>();
    for (const stem of stemsOf(entry.text)) counts.set(stem, Math.min(mostRepeated, (counts.get(stem) ?? 0) + 1));
    for (const stem of stemsOf(entry.kind)) counts.set(stem, (counts.get(stem) ?? 0) + 1);
    for (const stem of new Set(stemsOf(entry.title))) counts.set(stem, (counts.get(stem) ?? 0) + titleWeight);
    for (const [stem, count] of counts) words.set(stem, [...(words.get(stem) ?? []), number, count]);
  }
  const shown = entries.map((entry) => ({ ...entry, text: entry.text.slice(0, shownText) }));
  return { entries: shown, words: Object.fromEntries(words) };
}

/** Returns the entries that match a query, best first. Entries with all words rank above entries with some of them. */
export function find({ entries, words }: Index, query: string, most = 20): SearchEntry[] {
  const stems = [...new Set(stemsOf(query))];
  const stemmed = stemsOf(query).join();
  const scores = new Map<number, { matched: number; score: number }>();
  for (const [place, stem] of stems.entries()) {
    for (const [number, score] of matchesOf(words, stem, place === stems.length - 1, entries.length)) {
      const before = scores.get(number) ?? { matched: 0, score: 0 };
      scores.set(number, { matched: before.matched + 1, score: before.score + score });
    }
  }
  return [...scores]
    .map(([number, { matched, score }]) => {
      const entry = entries[number] as SearchEntry;
      return { entry, matched, score: score * weightOf(entry) * likeness(entry.title, query, stemmed) };
    })
    .sort((a, b) => b.matched - a.matched || b.score - a.score)
    .slice(0, most)
    .map(({ entry }) => entry);
}

/** Returns the scores of the entries with a stem. The last word of a query may be incomplete. */
function matchesOf(words: Index["words"], stem: string, isLast: boolean, total: number): Map<number, number> {
  const scores = new Map<number, number>();
  const stems = isLast && stem.length > 1 ? Object.keys(words).filter((word) => word.startsWith(stem)) : [stem];
  for (const word of stems) {
    const postings = Object.hasOwn(words, word) ? (words[word] ?? []) : [];
    const rarity = Math.log(1 + total / (1 + postings.length / 2));
    for (let i = 0; i < postings.length; i += 2) {
      const score = (postings[i + 1] ?? 0) * rarity * (word === stem ? 1 : 0.3);
      scores.set(postings[i] as number, Math.max(score, scores.get(postings[i] as number) ?? 0));
    }
  }
  return scores;
}

/** Returns the extra weight of a title that equals or contains the query, or has its stems. */
function likeness(title: string, query: string, stems: string): number {
  const [whole, part] = [title.toLowerCase(), query.trim().toLowerCase()];
  if (whole === part) return 4;
  if (stemsOf(title).join() === stems) return 3.5;
  if (whole.startsWith(`${part} `)) return 3;
  return whole.includes(part) ? 1.5 : 1;
}
