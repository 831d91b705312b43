/**
 * Longest reply of a tool, as JSON, in bytes of UTF-8. About 5,000 tokens, because an ID takes more tokens than words of its length
 * (`test/mcp/replies.test.ts`).
 */
export const MAX_REPLY_BYTES = 8_000;

/**
 * Numbers of items and of characters to which the arrays and texts of a reply are shortened, until it fits. IDs and tokens are shorter than the least
 * number of characters: a part of one would name nothing.
 */
const STEPS: readonly (readonly [items: number, characters: number])[] = [
  [20, 2_000],
  [10, 1_000],
  [5, 300],
  [2, 100],
  [1, 100],
  [0, 100],
];

export function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}

/**
 * Shortens a reply that is too long: each array to its first items, and texts. `left_out` then has the number of items, or of characters, that
 * are missing, by their place. Fields that are null are left out of every reply, and texts in other languages than English: an assistant translates.
 */
export function fitReply(reply: object): object {
  let fitting = shortened(reply, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
  for (const [items, characters] of STEPS) {
    if (bytesOf(fitting) <= MAX_REPLY_BYTES) break;
    fitting = shortened(reply, items, characters);
  }
  return fitting;
}

function shortened(reply: object, items: number, characters: number): object {
  const missing: Record<string, number> = {};
  const shorten = (value: unknown, place: string): unknown => {
    if (typeof value === 'string') {
      if (value.length <= characters) return value;
      missing[place] = (missing[place] ?? 0) + value.length - characters;
      return `${value.slice(0, characters).toWellFormed()}…`;
    }
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) {
      if (value.length > items) missing[place] = (missing[place] ?? 0) + value.length - items;
      return value.slice(0, items).map((item) => shorten(item, place));
    }
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name, child]) => child !== null && !(name === 'in_words' && 'text' in value))
        .map(([name, child]) => [name, name === 'in_words' ? (child as { en?: unknown }).en : child] as const)
        .map(([name, child]) => [name, shorten(child, place === '' ? name : `${place}.${name}`)]),
    );
  };
  const short = shorten(reply, '') as object;
  return Object.keys(missing).length === 0 ? short : { ...short, left_out: missing };
}
