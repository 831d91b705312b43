import { fieldLabelOf } from './labels.ts';

/** A part of a message: text, or the id of a record that the message names. */
export type MessagePart = { text: string } | { id: string };

/** An id of the service. Its last part has 26 characters. */
const ID = /\b([a-z]+_[0-9a-hjkmnp-tv-z]{26})\b/;

/** A wire name: any word in backticks, or a word with an underscore. */
const FIELD = /`([a-z]+(?:_[a-z]+)*)`|\b([a-z]+(?:_[a-z]+)+)\b/g;

/**
 * Splits an error message of the service into parts that people can read. Ids become parts of their own, to be shown as links, and the names of input
 * fields become their labels.
 */
export function readableParts(message: string): MessagePart[] {
  return message
    .split(ID)
    .map((part, index) => (index % 2 === 1 ? { id: part } : { text: part.replaceAll(FIELD, labelOfName) }))
    .filter((part) => 'id' in part || part.text !== '');
}

/** Returns a message in which ids are shortened to their last six characters, which tell records apart. */
export function readableText(message: string): string {
  return readableParts(message)
    .map((part) => ('id' in part ? shortId(part.id) : part.text))
    .join('');
}

export function shortId(id: string): string {
  return `…${id.slice(-6)}`;
}

function labelOfName(_found: string, quoted: string | undefined, bare: string | undefined): string {
  return `“${fieldLabelOf(quoted ?? bare ?? '')}”`;
}
