import { LongWork } from '@affiliate/core';

/** Number of items of an array that are formatted at a time. */
const ITEMS = 25;
/** Number of characters of a text that are formatted at a time. */
const CHARACTERS = 64 * 1024;

/**
 * Formats a value as JSON, exactly as `JSON.stringify` does. Long arrays and texts in the fields of a record are formatted in parts that let others
 * have the processor.
 *
 * @param party party for which the value is formatted
 * @returns the text, encoded as UTF-8 if it is long. Node sends a text in one piece with the headers, but a buffer as a second piece.
 */
export async function jsonInParts(value: unknown, party: string): Promise<string | Buffer> {
  if (!isLong(value) && !(isRecord(value) && Object.values(value).some(isLong))) return JSON.stringify(value);
  const long = new LongWork(party);
  const pieces: Buffer[] = [];
  let text = '';
  for (const piece of piecesOf(value)) {
    text += piece;
    if (text.length >= CHARACTERS) {
      pieces.push(Buffer.from(text));
      text = '';
    }
    await long.letOthersIn();
  }
  return Buffer.concat([...pieces, Buffer.from(text)]);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !('toJSON' in value);
}

function isLong(value: unknown): value is unknown[] | string {
  return (Array.isArray(value) && value.length > ITEMS) || (typeof value === 'string' && value.length > CHARACTERS);
}

function* piecesOf(value: unknown): Generator<string> {
  if (Array.isArray(value)) yield* piecesOfArray(value);
  else if (typeof value === 'string') yield* piecesOfText(value);
  else yield* piecesOfRecord(value as Record<string, unknown>);
}

function* piecesOfRecord(record: Record<string, unknown>): Generator<string> {
  let separator = '{';
  for (const [name, value] of Object.entries(record)) {
    if (!isLong(value)) {
      const text = JSON.stringify({ [name]: value }).slice(1, -1);
      if (text === '') continue;
      yield `${separator}${text}`;
    } else {
      yield `${separator}${JSON.stringify(name)}:`;
      yield* piecesOf(value);
    }
    separator = ',';
  }
  yield separator === '{' ? '{}' : '}';
}

function* piecesOfArray(items: readonly unknown[]): Generator<string> {
  for (let at = 0; at < items.length; at += ITEMS) {
    const text = JSON.stringify(items.slice(at, at + ITEMS)).slice(1, -1);
    yield at === 0 ? `[${text}` : `,${text}`;
  }
  yield ']';
}

function* piecesOfText(text: string): Generator<string> {
  yield '"';
  for (let at = 0; at < text.length;) {
    let end = Math.min(text.length, at + CHARACTERS);
    // A pair of surrogates must not be separated, because JSON escapes each of them when it is alone.
    if (end < text.length && /[\uD800-\uDBFF]/.test(text[end - 1]!)) end += 1;
    yield JSON.stringify(text.slice(at, end)).slice(1, -1);
    at = end;
  }
  yield '"';
}
