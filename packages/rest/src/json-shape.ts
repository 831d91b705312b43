import { DomainError, MAX_DEPTH, tooDeep, untranslated } from '@affiliate/core';

/** Maximum number of values in a body: twice the items of the longest list that an operation accepts. */
const MAX_VALUES = 20_000;
/** Maximum number of fields in all objects of a body together. */
const MAX_FIELDS = 5_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Refuses JSON that is nested too deeply or has too many values, without parsing it. Parsing and validating such a body would occupy the process
 * a hundred times longer than this scan. Text that is not valid JSON may pass: the parser refuses it.
 *
 * @param body JSON in UTF-8
 * @throws VALIDATION_ERROR, PAYLOAD_TOO_LARGE
 */
export function assertModestShape(body: Uint8Array): void {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  let depth = 0;
  let fields = 0;
  let values = 1;
  for (let at = 0; at < bytes.length; at += 1) {
    switch (bytes[at]) {
      case QUOTE:
        at = endOfText(bytes, at);
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        values += 1;
        depth += 1;
        if (depth > MAX_DEPTH) throw tooDeep('');
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth -= 1;
        break;
      case COLON:
        fields += 1;
        if (fields > MAX_FIELDS)
          throw new DomainError('PAYLOAD_TOO_LARGE', untranslated(`The body has more than ${MAX_FIELDS} fields.`));
        break;
      case COMMA:
        values += 1;
        break;
    }
    if (values > MAX_VALUES)
      throw new DomainError('PAYLOAD_TOO_LARGE', untranslated(`The body has more than ${MAX_VALUES} values.`));
  }
}

/**
 * Returns the position of the quote that ends the text whose first quote is at `start`, or the length of `bytes` if there is none. Leaves the search
 * to a native function, because a text may have megabytes.
 */
function endOfText(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(QUOTE, start + 1); at !== -1; at = bytes.indexOf(QUOTE, at + 1)) {
    let backslashes = 0;
    while (bytes[at - 1 - backslashes] === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
  return bytes.length;
}
